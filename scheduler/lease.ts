import { isLeaseLost } from '../worker-sdk/errors.ts';
import type { AbortReason, Job } from '../worker-sdk/job.ts';
import { keepLease } from '../worker-sdk/lease-keeper.ts';
import type { WorkerApi } from './worker-api.ts';

export type Lease = {
  /** Aborts when the job must be stopped. */
  signal: AbortSignal;
  /** Why the job must be stopped; null while it may continue. */
  reason(): AbortReason | null;
  log(line: string): void;
  progress(percent: number, step: string): void;
  /** The progress and lease for the status page. */
  status(): { percent: number | null; step: string | null; leaseUntil: Date };
  /** Sends a heartbeat with the pending progress and log lines immediately. */
  flush(): Promise<void>;
  abort(reason: AbortReason): void;
  /** Stops the heartbeats. Returns the last log lines, which no heartbeat has carried. */
  end(): Promise<string[]>;
};

const MAX_STEP_LENGTH = 200;
const PATIENCE_LEASES = 6;

/**
 * Returns how long a job continues while the service does not respond: longer than its short lease. Nobody can claim it
 * while the service is down; if another worker could, the attempt number rejects the results of one of the two.
 */
export function patienceSeconds({ leaseSeconds }: Pick<Job, 'leaseSeconds'>): number {
  return leaseSeconds * PATIENCE_LEASES;
}

/** Keeps the lease of one job. The engine works in other processes, so the heartbeats need no thread of their own. */
export function holdLease(api: WorkerApi, job: Job): Lease {
  const controller = new AbortController();
  const { signal } = controller;
  let current: { percent: number; step: string } | null = null;
  const abort = (reason: AbortReason) => {
    if (!signal.aborted) controller.abort(reason);
  };
  const keeper = keepLease(job, {
    heartbeat: (body, requestSignal) => api.heartbeat(job, body, requestSignal),
    isLeaseLost,
    onStop: abort,
    maxSilenceSeconds: patienceSeconds(job),
  });
  return {
    signal,
    reason: () => (signal.aborted ? (signal.reason as AbortReason) : null),
    log: keeper.log,
    progress: (percent, step) => {
      current = { percent: Math.min(100, Math.max(0, percent)), step: step.slice(0, MAX_STEP_LENGTH) };
      keeper.progress(current.percent, current.step);
    },
    status: () => ({
      percent: current?.percent ?? null,
      step: current?.step ?? null,
      leaseUntil: keeper.leaseExpiresAt(),
    }),
    flush: keeper.flush,
    abort,
    end: keeper.end,
  };
}
