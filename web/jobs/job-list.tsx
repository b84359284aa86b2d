// A table of jobs.

import { useEffect, useState } from 'preact/hooks';
import { ListJobsDocument, type ListJobsQuery, type ListJobsQueryVariables } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import type { EventFilter } from '../shell/live-events.ts';
import { usePolling, useQuery } from '../shell/use-query.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, ProgressBar, QueryView } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { Time } from '../ui/time.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { explainJobError } from './explain-job-error.ts';
import { jobLabel, jobTimes, statusClass } from './job-labels.ts';

export type JobLine = ListJobsQuery['jobs']['items'][number];
type Filter = Pick<ListJobsQueryVariables, 'status' | 'type' | 'documentId'>;

type JobListProps = {
  filter: Filter;
  isRelevant: EventFilter;
  selectedId: string | null;
  hrefOf: (id: string) => string;
  withDocument?: boolean;
};

const POLL_MS = 2_000; // job progress sends no event

/** Jobs, newest first. `isRelevant` selects the events that reload the list; `hrefOf` returns the link of a job. */
export function JobList({ filter, isRelevant, selectedId, hrefOf, withDocument = true }: JobListProps) {
  const result = useQuery(ListJobsDocument, filter, isRelevant);
  const [older, setOlder] = useState<{ items: JobLine[]; cursor: string | null } | null>(null);
  const filterKey = JSON.stringify(filter);
  useEffect(() => setOlder(null), [filterKey]);
  const hasRunningJob = result.data?.jobs.items.some(({ status }) => status === 'running') ?? false;
  usePolling(hasRunningJob, result, POLL_MS);

  return (
    <QueryView query={result}>
      {({ jobs }) => {
        const cursor = older ? older.cursor : jobs.nextCursor;
        const first = new Set(jobs.items.map(({ id }) => id));
        const lines = [...jobs.items, ...(older?.items.filter(({ id }) => !first.has(id)) ?? [])];
        const loadOlder = () =>
          runWithToast(async () => {
            const { jobs: page } = await execute(ListJobsDocument, { ...filter, cursor });
            setOlder({ items: [...(older?.items ?? []), ...page.items], cursor: page.nextCursor });
          });
        if (lines.length === 0)
          return (
            <EmptyState>
              <p>No matching jobs.</p>
              <HelpLink topic="guide#jobs">What are jobs?</HelpLink>
            </EmptyState>
          );
        return (
          <>
            <div class="table-box">
              <table class="jobs">
                <thead>
                  <tr>
                    <th>Status</th>
                    <th>Job</th>
                    {withDocument && <th>Document</th>}
                    <th>Queued</th>
                    <th>Ran</th>
                  </tr>
                </thead>
                <tbody>
                  {lines.map((job) => (
                    <JobRow
                      key={job.id}
                      job={job}
                      selected={job.id === selectedId}
                      href={hrefOf(job.id)}
                      withDocument={withDocument}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            <p class="row">
              <small>
                {lines.length} of {jobs.total ?? lines.length}
              </small>
              {cursor && (
                <button type="button" onClick={() => void loadOlder()}>
                  Show older jobs
                </button>
              )}
            </p>
          </>
        );
      }}
    </QueryView>
  );
}

function JobRow({
  job,
  selected,
  href,
  withDocument,
}: {
  job: JobLine;
  selected: boolean;
  href: string;
  withDocument: boolean;
}) {
  const { ran } = jobTimes(job, Date.now());
  return (
    <tr aria-current={selected ? 'true' : undefined}>
      <td>
        <span class={`mark ${statusClass(job.status)}`}>{job.status}</span>
      </td>
      <td>
        <a href={href}>{jobLabel(job.type, job.format)}</a>
        {job.status === 'running' && (
          <ProgressBar
            value={job.progress ? job.progress.percent / 100 : undefined}
            label={job.progress?.step ?? 'Running'}
          />
        )}
        {job.error && (
          <div class="quiet cut" title={job.error.message}>
            {explainJobError(job.error.code)}
          </div>
        )}
      </td>
      {withDocument && (
        <td>
          <div class="row nowrap">
            <Thumbnail url={job.version.thumbnailUrl} kind={job.document.kind} />
            <span class="cut">
              <span class="mono">{job.document.number}</span> {job.document.name}
              <small> {job.version.type === 'draft' ? 'draft' : `version ${job.version.n}`}</small>
            </span>
          </div>
        </td>
      )}
      <td>
        <Time at={job.queuedAt} />
      </td>
      <td>{ran}</td>
    </tr>
  );
}
