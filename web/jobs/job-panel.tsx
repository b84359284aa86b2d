// The details of a job.
import { GetJobDocument } from '../generated/operations.ts';
import { urlFor } from '../shell/router.ts';
import { usePolling, useQuery } from '../shell/use-query.ts';
import { ProgressBar, QueryView } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { Time } from '../ui/time.tsx';
import { JobActions } from './job-actions.tsx';
import { JobError } from './job-error.tsx';
import { isActiveStatus, jobLabel, jobTimes, progressText } from './job-labels.ts';
import { JobLog } from './job-log.tsx';

const POLL_MS = 1_500; // job progress sends no event

/** One job: its document, progress, error, details and log. */
export function JobPanel({ jobId }: { jobId: string }) {
  const result = useQuery(GetJobDocument, { id: jobId }, ({ data }) => data.jobId === jobId);
  const active = isActiveStatus(result.data?.job?.status);
  usePolling(active, result, POLL_MS);

  return (
    <QueryView query={result}>
      {({ job }) => {
        if (!job) return <p>Job not found. It may have been deleted with its document.</p>;
        const { waited, ran } = jobTimes(job, Date.now());
        return (
          <article class="stack" aria-label="Job">
            <div class="row">
              <Thumbnail url={job.version.thumbnailUrl} kind={job.document.kind} size="medium" />
              <div class="grow">
                <h2>{jobLabel(job.type, job.format)}</h2>
                <a href={urlFor.document(job.document.id, '', { version: job.version.id })}>
                  {job.document.number} {job.document.name}
                </a>
                <div class="quiet">{job.version.type === 'draft' ? 'Draft' : `Version ${job.version.n}`}</div>
              </div>
              <JobActions job={job} onChanged={result.reload} />
            </div>
            {job.status === 'running' && (
              <div>
                <ProgressBar
                  value={job.progress ? job.progress.percent / 100 : undefined}
                  label={job.progress?.step ?? 'Running'}
                />
                <small>{job.progress ? progressText(job.startedAt, job.progress, Date.now()) : 'Running'}</small>
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
              <dt>Attempts</dt>
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
                    <a href={urlFor.run(job.runId)}>Parameters and created documents</a>
                  </dd>
                </>
              )}
            </dl>
            <JobLog key={`${job.id} ${job.attempt}`} jobId={job.id} />
          </article>
        );
      }}
    </QueryView>
  );
}
