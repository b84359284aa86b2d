// Takes jobs from workers whose lease has expired.
import type { Actor } from '../core/domain/access/actor.ts';
import { publishSweep } from '../core/platform/instrumentation.ts';
import { sleep } from '../core/platform/sleep.ts';
import { expiredJobs, requeueFutureJobs } from '../core/store/jobs/job-queue.ts';
import { inTransaction, type Services } from '../core/work.ts';
import { expireJob } from './worker/expire-job.ts';

const MAX_INTERVAL_SECONDS = 4;
const MAX_GAP_MS = 6_000;
const BATCH_SIZE = 100;
const SERVICE: Actor = { id: 'service', name: 'the service', role: 'system', tokenId: null, via: 'system' };

/**
 * Expires leases every 4 s (or a sixth of a shorter lease). After an interruption no job expires for the duration of its
 * lease: after an outage, because workers could not send heartbeats either, and after the clock was set, because leases
 * end at a time of day.
 */
export function startLeaseSweep(services: Services): { stop(): Promise<void> } {
  const intervalSeconds = Math.min(MAX_INTERVAL_SECONDS, services.limits.leaseSeconds / 6);
  const stopping = new AbortController();
  const sweep = createLeaseSweep(services);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) =>
        services.log.warn({ err: error }, 'sweep of expired leases failed; it will run again'),
      );
      await sleep(intervalSeconds * 1000 * (0.8 + Math.random() * 0.4), stopping.signal);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/**
 * Creates a sweep that remembers when it last succeeded: a gap of 6 s (or half a shorter lease), or a jump of the clock
 * by as much, is an interruption. It returns how many jobs it queued again or failed.
 */
export function createLeaseSweep(
  services: Services,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<number> {
  const scope = { db: services.mongo.db };
  const maxGapMs = Math.min(MAX_GAP_MS, services.limits.leaseSeconds * 500);
  const times = () => ({ monotonic: monotonicMs(), clock: services.clock().getTime() });
  let last = { monotonic: Number.NEGATIVE_INFINITY, clock: 0 };
  let resumedAt = 0;

  return async () => {
    const now = times();
    const elapsed = now.monotonic - last.monotonic;
    if (elapsed > maxGapMs || Math.abs(now.clock - last.clock - elapsed) > maxGapMs) {
      const moved = await requeueFutureJobs(scope, new Date(now.clock));
      if (moved)
        services.log.warn({ jobs: moved }, 'jobs were queued while the clock was ahead; corrected their order');
      resumedAt = now.monotonic;
    }
    const swept = await expireLeases(services, (now.monotonic - resumedAt) / 1000);
    last = times();
    publishSweep({ at: new Date(last.clock), count: swept });
    return swept;
  };
}

// A job that fails to expire does not block the others; the next sweep retries it.
async function expireLeases(services: Services, maxLeaseSeconds: number): Promise<number> {
  const { leaseSeconds } = services.limits;
  const failed: string[] = [];
  let count = 0;
  for (;;) {
    const ids = await expiredJobs(
      { db: services.mongo.db },
      { now: services.clock(), leaseSeconds, maxLeaseSeconds },
      BATCH_SIZE,
      failed,
    );
    for (const id of ids) {
      try {
        if (await inTransaction(services, { actor: SERVICE, requestId: 'lease-sweep' }, expireJob, { id })) count += 1;
      } catch (error) {
        failed.push(id);
        services.log.warn({ err: error, jobId: id }, 'could not expire the lease of a job; the next sweep will retry');
      }
    }
    if (ids.length < BATCH_SIZE) return count;
  }
}
