import { keepLease } from '../worker-sdk/lease-keeper.ts';
import { ApiRefusal } from './http-client.ts';
import { type HeldJob, lostIt, type WorkerApi } from './worker-api.ts';

/** Why a job must be let go of. */
export type Reason = 'lease_lost' | 'cancel' | 'shutdown';

export type Heartbeat = {
  /** Aborts when the job must be let go of; `reason` says why. */
  signal: AbortSignal;
  reason(): Reason | null;
  log(line: string): void;
  progress(percent: number, step: string): void;
  /** How far the job is, for the status page. */
  state(): { percent: number | null; step: string | null; leaseUntil: Date };
  /** Tells now what was not told yet. */
  flush(): Promise<void>;
  stopFor(reason: Reason): void;
  /** Ends the beats; answers the last log lines, which no beat has carried. */
  end(): Promise<string[]>;
};

const STEP_LENGTH = 200;

/**
 * Keeps the lease of one job, with the beats that every worker of the SDK has; here they need no thread of their own, because
 * the engine works in another process.
 */
export function startHeartbeat(api: WorkerApi, job: HeldJob): Heartbeat {
  const letGo = new AbortController();
  let far: { percent: number; step: string } | null = null;
  const stopFor = (reason: Reason) => {
    if (!letGo.signal.aborted) letGo.abort(reason);
  };
  const beats = keepLease(job, {
    heartbeat: (beat, signal) => api.heartbeat(job, beat, signal),
    isLeaseLost: (error) => lostIt(error) || isGone(error),
    onStop: stopFor,
  });
  return {
    signal: letGo.signal,
    reason: () => (letGo.signal.aborted ? (letGo.signal.reason as Reason) : null),
    log: beats.log,
    progress: (percent, step) => {
      far = { percent: Math.min(100, Math.max(0, percent)), step: step.slice(0, STEP_LENGTH) };
      beats.progress(far.percent, far.step);
    },
    state: () => ({ percent: far?.percent ?? null, step: far?.step ?? null, leaseUntil: beats.leaseExpiresAt() }),
    flush: beats.flush,
    stopFor,
    end: beats.end,
  };
}

// The job was deleted, with its document or workspace: nobody will take what comes of it.
function isGone(error: unknown): boolean {
  return error instanceof ApiRefusal && error.code === 'not_found';
}
