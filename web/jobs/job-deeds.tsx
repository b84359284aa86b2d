import { CancelJobDocument, RetryJobDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { mayWrite } from '../shell/session.ts';
import { Deed } from '../ui/deed.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { attempt, noteDone } from '../ui/notes.tsx';
import { statusMark } from './job-words.ts';

type Job = { id: string; status: string; cancelAsked: boolean };

/** How a job stands and what can be done about it: it is cancelled as long as it waits or runs, and run again where it failed. */
export function JobDeeds({ job: { id, status, cancelAsked }, onChanged }: { job: Job; onChanged: () => void }) {
  const cancel = () =>
    attempt(async () => {
      const { cancelJob } = await ask(CancelJobDocument, { id });
      noteDone(cancelJob.status === 'cancelled' ? 'The job is cancelled.' : 'Its worker is asked to stop.');
    }).then(onChanged);
  const stops = status === 'running' && cancelAsked;
  return (
    <KeepFocus label="How it stands" class="row">
      <span class={`mark ${statusMark(status)}`}>{status}</span>
      {(status === 'waiting' || (status === 'running' && !stops)) && (
        <Deed may={{ allowed: mayWrite(), message: 'Viewers cannot change jobs.' }} onClick={() => void cancel()}>
          Cancel
        </Deed>
      )}
      {stops && <span class="mark warn">its worker is asked to stop</span>}
      {status === 'failed' && <RunAgain jobId={id} onChanged={onChanged} />}
    </KeepFocus>
  );
}

/** Has a failed job run once more. */
export function RunAgain({ jobId, onChanged }: { jobId: string; onChanged: () => void }) {
  return (
    <Deed
      may={{ allowed: mayWrite(), message: 'Viewers cannot run jobs again.' }}
      onClick={() =>
        void attempt(() => ask(RetryJobDocument, { id: jobId }), 'The job waits for a worker again.').then(onChanged)
      }
    >
      Run again
    </Deed>
  );
}
