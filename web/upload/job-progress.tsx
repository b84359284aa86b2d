// A job as one who waits for it sees it: how far it is, and when it failed, what that means.
import { useEffect, useRef, useState } from 'preact/hooks';
import { OneJobDocument } from '../generated/operations.ts';
import { RunAgain } from '../jobs/job-deeds.tsx';
import { JobError } from '../jobs/job-error.tsx';
import { JobLog } from '../jobs/job-log.tsx';
import { jobDeed } from '../jobs/job-words.ts';
import { addressOf } from '../shell/addresses.ts';
import { useAgainWhile, useAsk } from '../shell/use-ask.ts';
import { Answer, Progress } from '../ui/state.tsx';

const LOOK_AGAIN_MS = 1_000; // progress is told to the service, but is no event

type ProgressProps = {
  jobId: string /** Is told when the job has ended while it was looked at. */;
  onEnd?: (status: string) => void;
  log?: boolean;
};

/** How far a job is, with its log to open; of a failed one in plain words what went wrong. */
export function JobProgress({ jobId, onEnd, log = true }: ProgressProps) {
  const asked = useAsk(OneJobDocument, { id: jobId }, ({ data }) => data.jobId === jobId);
  const job = asked.data?.job;
  const moves = job?.status === 'waiting' || job?.status === 'running';
  useAgainWhile(moves, asked, LOOK_AGAIN_MS);
  const [reads, setReads] = useState(false);
  const moved = useRef(false);
  useEffect(() => {
    if (moves) moved.current = true;
    else if (job && moved.current) onEnd?.(job.status);
  }, [moves, job?.status]);

  return (
    <Answer of={asked}>
      {({ job: asIs }) => {
        if (!asIs) return <p>This job went with its document.</p>;
        const deed = jobDeed(asIs.type, asIs.format);
        const words = stateWords(asIs);
        return (
          <div class="job-progress">
            <div class="row nowrap">
              <span class="grow">
                {deed}: {words}
              </span>
              <a href={addressOf.job(asIs.id)}>Job</a>
            </div>
            {moves && (
              <Progress done={asIs.progress ? asIs.progress.percent / 100 : undefined} label={`${deed}: ${words}`} />
            )}
            {asIs.error && (
              <JobError error={asIs.error}>
                {asIs.status === 'failed' && !asIs.error.final && <RunAgain jobId={asIs.id} onChanged={asked.reload} />}
              </JobError>
            )}
            {log && (
              <details onToggle={({ currentTarget }) => setReads(currentTarget.open)}>
                <summary>Log</summary>
                {/* a closed one must not hold one of the few connections that a browser has */}
                {reads && <JobLog key={`${asIs.id} ${asIs.attempt}`} jobId={asIs.id} />}
              </details>
            )}
          </div>
        );
      }}
    </Answer>
  );
}

type Moving = { status: string; progress: { percent: number; step: string } | null };

function stateWords({ status, progress }: Moving): string {
  if (status === 'waiting') return 'waits for an engine';
  if (status === 'running') return progress ? `${Math.round(progress.percent)} % · ${progress.step}` : 'begins';
  return status;
}
