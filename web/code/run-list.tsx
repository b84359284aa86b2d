// The runs of a generator.

import { useState } from 'preact/hooks';
import { ListRunsDocument, type RunLineFragment } from '../generated/operations.ts';
import { JobError } from '../jobs/job-error.tsx';
import { isActiveStatus, statusClass } from '../jobs/job-labels.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { urlFor, withQuery } from '../shell/router.ts';
import { usePolling, useQuery } from '../shell/use-query.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, ProgressBar, QueryView } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { Time } from '../ui/time.tsx';
import { showError } from '../ui/toasts.tsx';
import { paramsLine } from './params-input.ts';

const POLL_MS = 1_500; // job progress sends no event

/** Returns whether the job of a run is waiting or running. */
export const isActive = (run: Pick<RunLineFragment, 'job'>): boolean => isActiveStatus(run.job?.status);

/** The runs of a draft or version, newest first, with the documents each created. */
export function RunList({ documentId, versionId }: { documentId: string; versionId: string }) {
  const result = useQuery(ListRunsDocument, { id: versionId }, isAboutDocument(documentId));
  const [older, setOlder] = useState<{ runs: readonly RunLineFragment[]; next: string | null } | null>(null);
  const page = result.data?.version?.runs;
  const hasActiveRun = page?.items.some(isActive) ?? false;
  usePolling(hasActiveRun, result, POLL_MS);
  const next = older ? older.next : (page?.nextCursor ?? null);
  const readOlder = async () => {
    try {
      const { version } = await execute(ListRunsDocument, { id: versionId, cursor: next });
      setOlder((before) => ({
        runs: [...(before?.runs ?? []), ...(version?.runs.items ?? [])],
        next: version?.runs.nextCursor ?? null,
      }));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <section aria-label="Runs">
      <h2>Runs</h2>
      <QueryView query={result}>
        {({ version }) => {
          const newest = version?.runs.items ?? [];
          const runs = [...newest, ...(older?.runs ?? []).filter(({ id }) => !newest.some((each) => each.id === id))];
          if (runs.length === 0)
            return (
              <EmptyState>
                <p>No runs yet.</p>
                <HelpLink topic="guide#code">About runs</HelpLink>
              </EmptyState>
            );
          return (
            <ul class="runs">
              {runs.map((run) => (
                <RunLine key={run.id} run={run} />
              ))}
            </ul>
          );
        }}
      </QueryView>
      {next && (
        <button type="button" onClick={() => void readOlder()}>
          Show older runs
        </button>
      )}
    </section>
  );
}

function RunLine({ run }: { run: RunLineFragment }) {
  const { id, params, job, createdAt, createdBy, documents, forced } = run;
  return (
    <li class="card">
      <div class="row">
        <a class="grow params-line" href={urlFor.run(id)} title={paramsLine(params)}>
          {paramsLine(params) || 'no parameters'}
        </a>
        {forced && <span class="mark">rerun</span>}
        {job && <span class={`mark ${statusClass(job.status)}`}>{job.status}</span>}
      </div>
      <RunProgress run={run} />
      {job?.error && <JobError error={job.error} />}
      {documents.length > 0 && <CreatedDocuments documents={documents} />}
      <small>
        {createdBy.name}, <Time at={createdAt} /> · <a href={withQuery({ run: id })}>Use these parameters</a>
      </small>
    </li>
  );
}

/** The progress of a run while it is running. */
export function RunProgress({ run: { job } }: { run: Pick<RunLineFragment, 'job'> }) {
  if (job?.status !== 'running') return null;
  return (
    <div>
      <ProgressBar
        value={job.progress ? job.progress.percent / 100 : undefined}
        label={job.progress?.step ?? 'Running'}
      />
      <small>{job.progress ? `${Math.round(job.progress.percent)} % · ${job.progress.step}` : 'Running'}</small>
    </div>
  );
}

/** The documents that a run created, with thumbnails. */
export function CreatedDocuments({ documents }: { documents: RunLineFragment['documents'] }) {
  return (
    <ul class="made" aria-label="Created documents">
      {documents.map(({ id, number, name, kind, thumbnailUrl }) => (
        <li key={id}>
          <a href={urlFor.document(id)}>
            <Thumbnail url={thumbnailUrl} kind={kind} size="medium" />
            <span>
              <b>{name}</b>
              <small>{number}</small>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
