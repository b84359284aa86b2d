import { OneJobDocument } from '../generated/operations.ts';
import { addressOf } from '../shell/addresses.ts';
import { useAgainWhile, useAsk } from '../shell/use-ask.ts';
import { Picture } from '../ui/picture.tsx';
import { Answer, Progress } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { JobDeeds } from './job-deeds.tsx';
import { JobError } from './job-error.tsx';
import { JobLog } from './job-log.tsx';
import { jobDeed, jobTimes } from './job-words.ts';

const LOOK_AGAIN_MS = 1_500; // progress is told to the service, but is no event

/** One job: what it makes and of what, how far it is, its log, and why it failed. */
export function JobPanel({ jobId }: { jobId: string }) {
  const asked = useAsk(OneJobDocument, { id: jobId }, ({ data }) => data.jobId === jobId);
  const status = asked.data?.job?.status;
  const moves = status === 'waiting' || status === 'running';
  useAgainWhile(moves, asked, LOOK_AGAIN_MS);

  return (
    <Answer of={asked}>
      {({ job }) => {
        if (!job) return <p>There is no such job; it may have gone with its document.</p>;
        const { waited, ran } = jobTimes(job, Date.now());
        return (
          <article class="stack" aria-label="Job">
            <div class="row">
              <Picture url={job.version.thumbnailUrl} kind={job.document.kind} size="medium" />
              <div class="grow">
                <h2>{jobDeed(job.type, job.format)}</h2>
                <a href={addressOf.document(job.document.id, '', { version: job.version.id })}>
                  {job.document.number} {job.document.name}
                </a>
                <div class="quiet">{job.version.type === 'draft' ? 'Draft' : `Version ${job.version.n}`}</div>
              </div>
              <JobDeeds job={job} onChanged={asked.reload} />
            </div>
            {job.status === 'running' && (
              <div>
                <Progress
                  done={job.progress ? job.progress.percent / 100 : undefined}
                  label={job.progress?.step ?? 'Working'}
                />
                <small>
                  {job.progress ? `${Math.round(job.progress.percent)} % · ${job.progress.step}` : 'Working'}
                </small>
              </div>
            )}
            {job.error && <JobError error={job.error} />}
            <dl class="facts">
              <dt>Queued</dt>
              <dd>
                <Time at={job.queuedAt} />, waited {waited}
              </dd>
              {ran && (
                <>
                  <dt>{job.finishedAt ? 'Ran for' : 'Running for'}</dt>
                  <dd>{ran}</dd>
                </>
              )}
              <dt>Tries</dt>
              <dd>
                {job.attempt} of {job.maxAttempts}
              </dd>
              {job.workerId && (
                <>
                  <dt>Worker</dt>
                  <dd class="mono">{job.workerId}</dd>
                </>
              )}
              {job.inputSha256 && (
                <>
                  <dt>Input</dt>
                  <dd class="mono" title={job.inputSha256}>
                    sha256 {job.inputSha256.slice(0, 12)}…
                  </dd>
                </>
              )}
              {job.runId && (
                <>
                  <dt>Run</dt>
                  <dd>
                    <a href={addressOf.run(job.runId)}>its parameters and what it made</a>
                  </dd>
                </>
              )}
            </dl>
            <JobLog key={`${job.id} ${job.attempt}`} jobId={job.id} />
          </article>
        );
      }}
    </Answer>
  );
}
