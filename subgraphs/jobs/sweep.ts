import type { Actor } from '../core/domain/access/actor.ts';
import { tellSweep } from '../core/platform/telling.ts';
import { waited } from '../core/platform/waited.ts';
import { expiredJobs } from '../core/store/jobs/job-queue.ts';
import { inTransaction, type Services } from '../core/work.ts';
import { loseJob } from './worker/lose-job.ts';

const MOST_SECONDS_BETWEEN = 5;
const BATCH = 100;
const SERVICE: Actor = { id: 'service', name: 'the service', role: 'system', tokenId: null, via: 'system' };

/**
 * Every 5 s (a sixth of a short lease) puts jobs back whose worker's lease has run out. After an outage (the last good sweep is older than half a lease: the service was down, its
 * database away, the machine asleep) nothing expires for one full lease, because the workers could not beat either.
 */
export function startSweep(services: Services): { stop(): Promise<void> } {
  const secondsBetween = Math.min(MOST_SECONDS_BETWEEN, services.limits.leaseSeconds / 6);
  const stopping = new AbortController();
  const sweep = leaseSweep(services);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) =>
        services.log.warn({ err: error }, 'the sweep of expired leases failed; it runs again'),
      );
      await waited(secondsBetween * 1000 * (0.8 + Math.random() * 0.4), stopping.signal);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** A sweep that remembers when it last succeeded; answers how many jobs it put back or failed. */
export function leaseSweep(services: Services): () => Promise<number> {
  const lease = services.limits.leaseSeconds * 1000;
  let lastGood = Number.NEGATIVE_INFINITY;
  let graceUntil = Number.NEGATIVE_INFINITY;

  return async () => {
    const now = services.clock().getTime();
    if (now - lastGood > lease / 2) graceUntil = now + lease;
    // In the grace it only looks, which shows that the database answers.
    const swept =
      now < graceUntil
        ? await expiredJobs({ db: services.mongo.db }, new Date(now), 1).then(() => 0)
        : await loseExpired(services);
    lastGood = services.clock().getTime();
    tellSweep({ at: new Date(lastGood), count: swept });
    return swept;
  };
}

// A job that cannot be put back keeps none of those behind it waiting: it is tried again by the next sweep.
async function loseExpired(services: Services): Promise<number> {
  const failed: string[] = [];
  let count = 0;
  for (;;) {
    const ids = await expiredJobs({ db: services.mongo.db }, services.clock(), BATCH, failed);
    for (const id of ids) {
      try {
        if (await inTransaction(services, { actor: SERVICE, requestId: 'lease-sweep' }, loseJob, { id })) count += 1;
      } catch (error) {
        failed.push(id);
        services.log.warn(
          { err: error, jobId: id },
          'a job whose lease has run out could not be put back; the next sweep tries again',
        );
      }
    }
    if (ids.length < BATCH) return count;
  }
}
