// Takes jobs from workers whose lease has expired.
import type { Actor } from '../core/domain/access/actor.ts';
import { publishSweep } from '../core/platform/instrumentation.ts';
import { sleep } from '../core/platform/sleep.ts';
import { expiredJobs } from '../core/store/jobs/job-queue.ts';
import { inTransaction, type Services } from '../core/work.ts';
import { expireJob } from './worker/expire-job.ts';

const MAX_INTERVAL_SECONDS = 5;
const BATCH_SIZE = 100;
const SERVICE: Actor = { id: 'service', name: 'the service', role: 'system', tokenId: null, via: 'system' };

/**
 * Expires leases every 5 s (or a sixth of a shorter lease). After an outage, that is if the last successful sweep is
 * more than half a lease ago, nothing expires for one lease, because workers could not send heartbeats either.
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

/** Creates a sweep that remembers when it last succeeded. It returns how many jobs it queued again or failed. */
export function createLeaseSweep(services: Services): () => Promise<number> {
  const leaseMs = services.limits.leaseSeconds * 1000;
  let lastSuccess = Number.NEGATIVE_INFINITY;
  let graceUntil = Number.NEGATIVE_INFINITY;

  return async () => {
    const now = services.clock().getTime();
    if (now - lastSuccess > leaseMs / 2) graceUntil = now + leaseMs;
    // During the grace period only a query is sent, to find out whether the database responds.
    const swept =
      now < graceUntil
        ? await expiredJobs({ db: services.mongo.db }, new Date(now), 1).then(() => 0)
        : await expireLeases(services);
    lastSuccess = services.clock().getTime();
    publishSweep({ at: new Date(lastSuccess), count: swept });
    return swept;
  };
}

// A job that fails to expire does not block the others; the next sweep retries it.
async function expireLeases(services: Services): Promise<number> {
  const failed: string[] = [];
  let count = 0;
  for (;;) {
    const ids = await expiredJobs({ db: services.mongo.db }, services.clock(), BATCH_SIZE, failed);
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
