import { useEffect, useRef } from 'preact/hooks';
import { HistoryPanelDocument, type HistoryPanelQuery } from '../generated/operations.ts';
import { engineWords } from '../jobs/engine-words.ts';
import { jobDeed, statusMark } from '../jobs/job-words.ts';
import { addressOf, withQuery } from '../shell/addresses.ts';
import { fileAddress } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import { bytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import type { Spot } from '../ui/menu.tsx';
import { Picture } from '../ui/picture.tsx';
import { Answer } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { Label, Marks } from './history-row.tsx';

type Version = NonNullable<HistoryPanelQuery['version']>;
type PanelProps = {
  documentId: string;
  versionId: string;
  workspaceName: (workspaceId: string) => string | undefined;
  byRun: boolean;
  wantedBy?: string;
  onMenu: (spot: Spot) => void;
  onKnown: (version: Version) => void;
};

/** One draft or version: what was said of it, its files, what it uses, its jobs, and what was done to it. */
export function VersionPanel({ documentId, versionId, workspaceName, byRun, wantedBy, onMenu, onKnown }: PanelProps) {
  const asked = useAsk(HistoryPanelDocument, { id: versionId }, ofDocument(documentId));
  const version = asked.data?.version;
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []); // on a narrow screen it lies below the graph
  useEffect(() => {
    if (version) onKnown(version);
  }, [version]);
  return (
    <aside ref={box} class="card version-panel" aria-label="The chosen version">
      <Answer of={asked}>
        {({ version, versionAudit }) =>
          version ? (
            <>
              <div class="row head">
                <Picture url={version.thumbnailUrl} kind={version.document.kind} size="medium" />
                <div class="grow">
                  <h2>
                    {version.n === null ? 'Draft' : `v${version.n}`}{' '}
                    {version.releasedAs && <Label {...version.releasedAs} />}
                  </h2>
                  {version.name.toLowerCase() !== `v${version.n}` && <div>{version.name}</div>}
                  <small>
                    {workspaceName(version.workspaceId)} · {version.createdBy.name} · <Time at={version.createdAt} />
                  </small>
                </div>
                <a class="button bare" href={withQuery({ version: null })} aria-label="Close" title="Close">
                  <Icon name="close" />
                </a>
              </div>
              {version.comment && <p class="comment">{version.comment}</p>}
              <div class="row marks">
                <Marks node={version} byRun={byRun} archived={false} wantedBy={wantedBy} />
              </div>
              <div class="row">
                <a class="button" href={addressOf.document(documentId, '', { version: version.id })}>
                  <Icon name="model" /> View
                </a>
                <button
                  type="button"
                  aria-haspopup="menu"
                  onClick={({ currentTarget }) => {
                    const { left, bottom } = currentTarget.getBoundingClientRect();
                    onMenu({ x: left, y: bottom + 4 });
                  }}
                >
                  <Icon name="more" /> What to do
                </button>
              </div>
              <Files version={version} />
              {version.references.length > 0 && <Uses version={version} />}
              {version.jobs.items.length > 0 && <Jobs version={version} />}
              <h3>What was done</h3>
              <ul class="lines">
                {versionAudit.items.map(({ id, at, summary, by }) => (
                  <li key={id} class="told">
                    {summary}
                    <small>
                      {by.name}, <Time at={at} />
                    </small>
                  </li>
                ))}
              </ul>
              {versionAudit.nextCursor && (
                <a href={addressOf.document(documentId, 'audit')}>The whole audit log of the document</a>
              )}
            </>
          ) : (
            <p>There is no such draft or version any more.</p>
          )
        }
      </Answer>
    </aside>
  );
}

function Files({ version }: { version: Version }) {
  return (
    <>
      <h3>Files</h3>
      {version.artifacts.length === 0 ? (
        <p class="quiet">None yet.</p>
      ) : (
        <ul class="lines">
          {version.artifacts.map(({ id, kind, fileName, size, generator, stale }) => (
            <li key={id}>
              <a
                class="grow"
                href={fileAddress(`/artifacts/${encodeURIComponent(id)}/file`)}
                download={fileName}
                title={generator ? `Made by ${generator}` : fileName}
              >
                {fileName}
              </a>
              {stale && <span class="mark warn">out of date</span>}
              <small>{kind}</small>
              <small class="figure">{bytes(size)}</small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Uses({ version }: { version: Version }) {
  return (
    <>
      <h3>Uses</h3>
      <ul class="lines">
        {version.references.map(({ path, number, document, location, quantity, resolution, reason, status }) => (
          <li key={path}>
            <span class="grow" title={location}>
              {document ? (
                <a href={addressOf.document(document.id)}>
                  {number} {document.name}
                </a>
              ) : (
                (number ?? location)
              )}
            </span>
            {status === 'unresolved' ? (
              <span class="mark bad" title={reason}>
                not found
              </span>
            ) : (
              <span class="mark">{resolution?.label ?? (resolution ? `v${resolution.n}` : '')}</span>
            )}
            <small class="figure">× {quantity}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

function Jobs({ version }: { version: Version }) {
  return (
    <>
      <h3>Jobs</h3>
      <ul class="lines">
        {version.jobs.items.map(({ id, type, format, status, queuedAt, error }) => (
          <li key={id}>
            <a
              class="grow"
              href={addressOf.job(id)}
              title={error ? `${engineWords(error.code)} ${error.message}` : undefined}
            >
              {jobDeed(type, format)}
            </a>
            <span class={`mark ${statusMark(status)}`}>{status}</span>
            <small>
              <Time at={queuedAt} />
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}
