import { useEffect, useRef } from 'preact/hooks';
import { HistoryPanelDocument, type HistoryPanelQuery } from '../generated/operations.ts';
import { explainJobError } from '../jobs/explain-job-error.ts';
import { jobLabel, statusClass } from '../jobs/job-labels.ts';
import { apiUrl } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { urlFor, withQuery } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import { formatBytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import type { MenuPosition } from '../ui/menu.tsx';
import { QueryView } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { Time } from '../ui/time.tsx';
import { RevisionBadge, StatusBadges } from './history-row.tsx';

type Version = NonNullable<HistoryPanelQuery['version']>;
type PanelProps = {
  documentId: string;
  versionId: string;
  workspaceName: (workspaceId: string) => string | undefined;
  isGenerated: boolean;
  requestedBy?: string;
  onMenu: (position: MenuPosition) => void;
  onLoaded: (version: Version) => void;
};

/** The details of a draft or version: comment, files, references, jobs and activity. */
export function VersionPanel({
  documentId,
  versionId,
  workspaceName,
  isGenerated,
  requestedBy,
  onMenu,
  onLoaded,
}: PanelProps) {
  const query = useQuery(HistoryPanelDocument, { id: versionId }, isAboutDocument(documentId));
  const version = query.data?.version;
  const box = useRef<HTMLElement>(null);
  // on narrow screens the panel is below the graph
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  useEffect(() => {
    if (version) onLoaded(version);
  }, [version]);
  return (
    <aside ref={box} class="card version-panel" aria-label="Selected version">
      <QueryView query={query}>
        {({ version, versionAudit }) =>
          version ? (
            <>
              <div class="row head">
                <Thumbnail url={version.thumbnailUrl} kind={version.document.kind} size="medium" />
                <div class="grow">
                  <h2>
                    {version.n === null ? 'Draft' : `v${version.n}`}{' '}
                    {version.releasedAs && <RevisionBadge {...version.releasedAs} />}
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
              {version.restoredFromVersion && <p class="quiet">Restored from v{version.restoredFromVersion.n}.</p>}
              {version.comment && <p class="comment">{version.comment}</p>}
              <div class="row marks">
                <StatusBadges node={version} isGenerated={isGenerated} archived={false} requestedBy={requestedBy} />
              </div>
              <div class="row">
                <a class="button" href={urlFor.document(documentId, '', { version: version.id })}>
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
                  <Icon name="more" /> Actions
                </button>
              </div>
              <Files version={version} />
              {version.references.length > 0 && <References version={version} />}
              {version.jobs.items.length > 0 && <Jobs version={version} />}
              <h3>Activity</h3>
              <ul class="lines">
                {versionAudit.items.map(({ id, at, summary, by }) => (
                  <li key={id} class="activity">
                    {summary}
                    <small>
                      {by.name}, <Time at={at} />
                    </small>
                  </li>
                ))}
              </ul>
              {versionAudit.nextCursor && (
                <a href={urlFor.document(documentId, 'audit')}>Full audit log of the document</a>
              )}
            </>
          ) : (
            <p>This draft or version no longer exists.</p>
          )
        }
      </QueryView>
    </aside>
  );
}

function Files({ version }: { version: Version }) {
  return (
    <>
      <h3>Files</h3>
      {version.artifacts.length === 0 ? (
        <p class="quiet">No files.</p>
      ) : (
        <ul class="lines">
          {version.artifacts.map(({ id, kind, fileName, size, generator, stale }) => (
            <li key={id}>
              <a
                class="grow"
                href={apiUrl(`/artifacts/${encodeURIComponent(id)}/file`)}
                download={fileName}
                title={generator ? `Derived by ${generator}` : fileName}
              >
                {fileName}
              </a>
              {stale && <span class="mark warn">out of date</span>}
              <small>{kind}</small>
              <small class="figure">{formatBytes(size)}</small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function References({ version }: { version: Version }) {
  return (
    <>
      <h3>References</h3>
      <ul class="lines">
        {version.references.map(({ path, number, document, location, quantity, resolution, reason, status }) => (
          <li key={path}>
            <span class="grow" title={location}>
              {document ? (
                <a href={urlFor.document(document.id)}>
                  {number} {document.name}
                </a>
              ) : (
                (number ?? location)
              )}
            </span>
            {status === 'unresolved' ? (
              <span class="mark bad" title={reason}>
                unresolved
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
              href={urlFor.job(id)}
              title={error ? `${explainJobError(error.code)} ${error.message}` : undefined}
            >
              {jobLabel(type, format)}
            </a>
            <span class={`mark ${statusClass(status)}`}>{status}</span>
            <small>
              <Time at={queuedAt} />
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}
