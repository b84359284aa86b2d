// The progress of a job.
import { useEffect, useRef, useState } from 'preact/hooks';
import { GetJobDocument } from '../generated/operations.ts';
import { RetryButton } from '../jobs/job-actions.tsx';
import { JobError } from '../jobs/job-error.tsx';
import { isActiveStatus, jobLabel, progressText } from '../jobs/job-labels.ts';
import { JobLog } from '../jobs/job-log.tsx';
import { urlFor } from '../shell/router.ts';
import { usePolling, useQuery } from '../shell/use-query.ts';
import { ProgressBar, QueryView } from '../ui/status.tsx';

const POLL_MS = 1_000; // job progress sends no event

type JobProgressProps = {
  jobId: string;
  /** Called once when the job has ended, also if it has before it is shown; again after a retry. */
  onEnd?: (status: string) => void;
  withLog?: boolean;
};

/** The progress of a job, the reason of a failure, and optionally the log. */
export function JobProgress({ jobId, onEnd, withLog = true }: JobProgressProps) {
  const result = useQuery(GetJobDocument, { id: jobId }, ({ data }) => data.jobId === jobId);
  const job = result.data?.job;
  const active = isActiveStatus(job?.status);
  usePolling(active, result, POLL_MS);
  const [logOpen, setLogOpen] = useState(false);
  const isReported = useRef(false);
  useEffect(() => {
    if (job && !active && !isReported.current) onEnd?.(job.status);
    isReported.current = !active && job != null;
  }, [active, job?.status]);

  return (
    <QueryView query={result}>
      {({ job: current }) => {
        if (!current) return <p>This job was deleted with its document.</p>;
        const label = jobLabel(current.type, current.format);
        const status = statusText(current);
        return (
          <div class="job-progress">
            <div class="row nowrap">
              <span class="grow">
                {label}: {status}
              </span>
              <a href={urlFor.job(current.id)}>Job</a>
            </div>
            {active && (
              <ProgressBar
                value={current.progress ? current.progress.percent / 100 : undefined}
                label={`${label}: ${status}`}
              />
            )}
            {current.error && (
              <JobError error={current.error}>
                {current.status === 'failed' && !current.error.final && (
                  <RetryButton jobId={current.id} onChanged={result.reload} />
                )}
              </JobError>
            )}
            {withLog && (
              <details onToggle={({ currentTarget }) => setLogOpen(currentTarget.open)}>
                <summary>Log</summary>
                {/* not rendered while closed: a browser allows few connections, and the log needs one */}
                {logOpen && <JobLog key={`${current.id} ${current.attempt}`} jobId={current.id} />}
              </details>
            )}
          </div>
        );
      }}
    </QueryView>
  );
}

type JobState = { status: string; startedAt: string | null; progress: { percent: number; step: string } | null };

function statusText({ status, startedAt, progress }: JobState): string {
  if (status === 'waiting') return 'waiting for an engine';
  if (status !== 'running') return status;
  if (!progress) return 'starting';
  return progressText(startedAt, progress, Date.now());
}
