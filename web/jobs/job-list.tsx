import { useEffect, useState } from 'preact/hooks';
import { ListJobsDocument, type ListJobsQuery, type ListJobsQueryVariables } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import type { Concerns } from '../shell/live.ts';
import { useAgainWhile, useAsk } from '../shell/use-ask.ts';
import { attempt } from '../ui/notes.tsx';
import { Picture } from '../ui/picture.tsx';
import { Answer, Nothing, Progress } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { engineWords } from './engine-words.ts';
import { jobDeed, jobTimes, statusMark } from './job-words.ts';

export type JobLine = ListJobsQuery['jobs']['items'][number];
type Filter = Pick<ListJobsQueryVariables, 'status' | 'type' | 'documentId'>;

type JobListProps = {
  filter: Filter;
  concerns: Concerns;
  chosen: string | null;
  hrefOf: (id: string) => string;
  withDocument?: boolean;
};

const LOOK_AGAIN_MS = 2_000; // progress is told to the service, but is no event

/** Jobs, newest first, as they wait, run and end; each leads to `hrefOf` it. */
export function JobList({ filter, concerns, chosen, hrefOf, withDocument = true }: JobListProps) {
  const asked = useAsk(ListJobsDocument, filter, concerns);
  const [older, setOlder] = useState<{ items: JobLine[]; cursor: string | null } | null>(null);
  const word = JSON.stringify(filter);
  useEffect(() => setOlder(null), [word]);
  const runs = asked.data?.jobs.items.some(({ status }) => status === 'running') ?? false;
  useAgainWhile(runs, asked, LOOK_AGAIN_MS);

  return (
    <Answer of={asked}>
      {({ jobs }) => {
        const cursor = older ? older.cursor : jobs.nextCursor;
        const first = new Set(jobs.items.map(({ id }) => id));
        const lines = [...jobs.items, ...(older?.items.filter(({ id }) => !first.has(id)) ?? [])];
        const more = () =>
          attempt(async () => {
            const { jobs: page } = await ask(ListJobsDocument, { ...filter, cursor });
            setOlder({ items: [...(older?.items ?? []), ...page.items], cursor: page.nextCursor });
          });
        if (lines.length === 0) return <Nothing>There are no such jobs.</Nothing>;
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
                    <Line
                      key={job.id}
                      job={job}
                      chosen={job.id === chosen}
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
                <button type="button" onClick={() => void more()}>
                  Show older ones
                </button>
              )}
            </p>
          </>
        );
      }}
    </Answer>
  );
}

function Line({
  job,
  chosen,
  href,
  withDocument,
}: {
  job: JobLine;
  chosen: boolean;
  href: string;
  withDocument: boolean;
}) {
  const { ran } = jobTimes(job, Date.now());
  return (
    <tr aria-current={chosen ? 'true' : undefined}>
      <td>
        <span class={`mark ${statusMark(job.status)}`}>{job.status}</span>
      </td>
      <td>
        <a href={href}>{jobDeed(job.type, job.format)}</a>
        {job.status === 'running' && (
          <Progress
            done={job.progress ? job.progress.percent / 100 : undefined}
            label={job.progress?.step ?? 'Working'}
          />
        )}
        {job.error && (
          <div class="quiet cut" title={job.error.message}>
            {engineWords(job.error.code)}
          </div>
        )}
      </td>
      {withDocument && (
        <td>
          <div class="row nowrap">
            <Picture url={job.version.thumbnailUrl} kind={job.document.kind} />
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
