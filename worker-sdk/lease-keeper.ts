import type { Job } from './job.ts';
import { createLogBuffer } from './log-buffer.ts';
import { sleep } from './sleep.ts';
import type { Heartbeat } from './worker-api.ts';

export type LeasedJob = Pick<Job, 'id' | 'attempt' | 'leaseSeconds' | 'heartbeatSeconds'>;
export type LeaseKeeper = {
  log(line: string): void;
  progress(percent: number, step: string): void;
  /** The last known expiry of the lease. */
  leaseExpiresAt(): Date;
  /** Sends a heartbeat with the pending progress and log lines immediately. */
  flush(): Promise<void>;
  /** Stops the heartbeats. Returns the last log lines, which no heartbeat has carried. */
  end(): Promise<string[]>;
};

export type LeaseKeeperOptions = {
  heartbeat(body: Heartbeat, signal: AbortSignal): Promise<{ cancelRequested: boolean }>;
  /** Whether an error of `heartbeat` means that this worker no longer holds the job. */
  isLeaseLost(error: unknown): boolean;
  /** Called when the job must be stopped, at most once per reason. */
  onStop(reason: 'lease_lost' | 'cancelled'): void;
  /**
   * How long the worker continues without a response, in seconds. Default: four fifths of the lease, so that it stops
   * before another worker can claim the job.
   */
  maxSilenceSeconds?: number;
};

const UPDATE_MILLISECONDS = 500;
const RETRY_MILLISECONDS = 1_000;
const MAX_LEASE_FRACTION = 0.8;
// A heartbeat in flight at the end of the job may still succeed, so that its lines are not sent twice.
const LAST_HEARTBEAT_MILLISECONDS = 1_000;

/**
 * Keeps the lease of one job: sends heartbeats at the interval the service requested, and at most twice a second while
 * there is new progress or log output. If the handler ignores a cancellation for longer than one lease, the heartbeats
 * stop and the lease expires.
 */
export function keepLease(job: LeasedJob, options: LeaseKeeperOptions): LeaseKeeper {
  const { heartbeat, isLeaseLost, onStop, maxSilenceSeconds = job.leaseSeconds * MAX_LEASE_FRACTION } = options;
  const ended = new AbortController();
  const requests = new AbortController();
  const lines = createLogBuffer();
  const leaseMilliseconds = job.leaseSeconds * 1000;
  // aborted to send the next heartbeat early
  let update = new AbortController();
  let progress: { percent: number; step: string } | null = null;
  let hasUpdate = false;
  let lost = false;
  let cancelledAt: number | null = null;
  let renewedAt = Date.now();
  let expiry = setTimeout(() => stopAsLost(), maxSilenceSeconds * 1000);

  function stopAsLost(): void {
    if (lost) return;
    lost = true;
    onStop('lease_lost');
    update.abort();
  }
  function renew(sentAt: number, cancelRequested: boolean): void {
    clearTimeout(expiry);
    renewedAt = Date.now() - (performance.now() - sentAt);
    if (!ended.signal.aborted) expiry = setTimeout(stopAsLost, sentAt + maxSilenceSeconds * 1000 - performance.now());
    if (!cancelRequested) return;
    if (cancelledAt === null) onStop('cancelled');
    cancelledAt ??= performance.now();
    if (performance.now() - cancelledAt > leaseMilliseconds) stopAsLost();
  }
  async function send(): Promise<boolean> {
    const sentAt = performance.now();
    const batch = lines.takeBatch();
    hasUpdate = lines.hasLines();
    try {
      // A lost request must not use up the lease.
      const timeout = AbortSignal.timeout(leaseMilliseconds / 3);
      const signal = AbortSignal.any([requests.signal, timeout]);
      const { cancelRequested } = await heartbeat({ ...progress, log: batch }, signal);
      renew(sentAt, cancelRequested);
      return true;
    } catch (error) {
      lines.putBack(batch);
      hasUpdate = true;
      if (isLeaseLost(error)) stopAsLost();
      return false;
    }
  }

  const heartbeats = (async () => {
    while (!ended.signal.aborted && !lost) {
      await sleep(UPDATE_MILLISECONDS, ended.signal);
      if (!hasUpdate) {
        update = new AbortController();
        await sleep(
          Math.max(0, job.heartbeatSeconds * 1000 - UPDATE_MILLISECONDS),
          AbortSignal.any([ended.signal, update.signal]),
        );
      }
      if (!ended.signal.aborted && !lost && !(await send())) await sleep(RETRY_MILLISECONDS, ended.signal);
    }
  })();
  const scheduleUpdate = () => {
    hasUpdate = true;
    update.abort();
  };

  return {
    log: (line) => {
      lines.add(line);
      scheduleUpdate();
    },
    progress: (percent, step) => {
      progress = { percent: Math.min(100, Math.max(0, percent)), step };
      scheduleUpdate();
    },
    leaseExpiresAt: () => new Date(renewedAt + leaseMilliseconds),
    flush: async () => {
      await send();
    },
    end: async () => {
      ended.abort();
      clearTimeout(expiry);
      const timeout = setTimeout(() => requests.abort(), LAST_HEARTBEAT_MILLISECONDS);
      await heartbeats;
      // The final request carries one batch; earlier batches go as heartbeats. Lines not sent within the timeout are
      // lost.
      let last = lines.takeBatch();
      while (lines.hasLines() && !lost && !requests.signal.aborted) {
        lines.putBack(last);
        await send();
        last = lines.takeBatch();
      }
      clearTimeout(timeout);
      return last;
    },
  };
}
