// The status and actions of a job.
import { CancelJobDocument, RetryJobDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { canWrite } from '../shell/session.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { runWithToast, showSuccess } from '../ui/toasts.tsx';
import { statusClass } from './job-labels.ts';

type Job = { id: string; status: string; cancelRequested: boolean };

/** The status of a job; waiting and running jobs can be cancelled, failed ones retried. */
export function JobActions({ job: { id, status, cancelRequested }, onChanged }: { job: Job; onChanged: () => void }) {
  const cancel = () =>
    runWithToast(async () => {
      const { cancelJob } = await execute(CancelJobDocument, { id });
      showSuccess(
        cancelJob.status === 'cancelled' ? 'Job cancelled.' : 'Cancellation requested. The worker will stop the job.',
      );
    }).then(onChanged);
  const stopping = status === 'running' && cancelRequested;
  return (
    <KeepFocus label="Status" class="row">
      <span class={`mark ${statusClass(status)}`}>{status}</span>
      {(status === 'waiting' || (status === 'running' && !stopping)) && (
        <ActionButton
          permission={{ allowed: canWrite(), message: 'Viewers cannot change jobs.' }}
          onClick={() => void cancel()}
        >
          Cancel
        </ActionButton>
      )}
      {stopping && <span class="mark warn">stopping</span>}
      {status === 'failed' && <RetryButton jobId={id} onChanged={onChanged} />}
    </KeepFocus>
  );
}

/** A button that queues a failed job again. */
export function RetryButton({ jobId, onChanged }: { jobId: string; onChanged: () => void }) {
  return (
    <ActionButton
      permission={{ allowed: canWrite(), message: 'Viewers cannot retry jobs.' }}
      onClick={() =>
        void runWithToast(() => execute(RetryJobDocument, { id: jobId }), 'Job queued again.').then(onChanged)
      }
    >
      Run again
    </ActionButton>
  );
}
