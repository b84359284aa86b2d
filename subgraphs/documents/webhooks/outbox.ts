// The deliveries to one webhook that wait to be sent, and the loop that sends them.
import type { Scope } from '../../core/store/query/scope.ts';
import type { WebhookRecord } from '../../core/store/schema/collections.ts';
import { type Attempt, dueDeliveries, recordAttempts } from '../../core/store/webhooks.ts';
import type { Services } from '../../core/work.ts';
import { type AttemptContext, attemptDelivery, type Due } from './attempt-delivery.ts';

export const MAX_QUEUED = 1_000;
const MAX_UNSTORED = 20;
const UNSTORED_MS = 500;

/**
 * `queue`: the next deliveries, in the order of the log. `unstored`: the results of successful ones that are not in the
 * store yet. `requestedReads` and `reads`: how often it was requested to read due deliveries from the store, and up to
 * which request no more are due. While they differ, the store has deliveries that the queue lacks.
 */
export type Outbox = {
  webhook: WebhookRecord;
  queue: Due[];
  unstored: Attempt[];
  requestedReads: number;
  reads: number;
  isActive: boolean;
};

/** Returns an outbox that reads the store first. */
export function createOutbox(webhook: WebhookRecord): Outbox {
  return { webhook, queue: [], unstored: [], requestedReads: 1, reads: 0, isActive: false };
}

/** Requests to read due deliveries from the store when the queue is empty. */
export function requestRead(outbox: Outbox): void {
  outbox.requestedReads += 1;
}

/** Returns whether the store has, or may have, due deliveries that are not in the queue. */
export function mustReadStore({ requestedReads, reads }: Outbox): boolean {
  return requestedReads !== reads;
}

/**
 * Queues deliveries that have just been stored. They are read from the store instead if it has earlier ones, which come
 * first, or if the queue would contain more than 1,000.
 */
export function enqueue(outbox: Outbox, deliveries: readonly Due[]): void {
  if (!deliveries.length) return;
  if (mustReadStore(outbox) || outbox.queue.length + deliveries.length > MAX_QUEUED) requestRead(outbox);
  else outbox.queue.push(...deliveries);
}

/** `isCurrent`: whether this process still delivers to the webhook. `pollMs`: when to look again for an unsealed event. */
export type SendContext = AttemptContext & { isCurrent(): boolean; pollMs: number };

/**
 * Sends all due deliveries of one webhook, one at a time. Throws errors of the store. The outbox then reads again what
 * the store has, so that no later delivery comes before the one that failed.
 */
export async function sendDeliveries(services: Services, outbox: Outbox, context: SendContext): Promise<void> {
  outbox.isActive = true;
  try {
    await sendQueued(services, outbox, context);
  } catch (error) {
    outbox.queue = [];
    requestRead(outbox);
    throw error;
  } finally {
    outbox.isActive = false;
  }
}

async function sendQueued(services: Services, outbox: Outbox, context: SendContext): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  let storedAt = performance.now();
  const store = async () => {
    storedAt = performance.now();
    const attempts = [...outbox.unstored];
    await recordAttempts(scope, attempts);
    outbox.unstored.splice(0, attempts.length);
  };
  try {
    while (!context.stopping.aborted && context.isCurrent()) {
      const { queue, unstored } = outbox;
      if (unstored.length >= MAX_UNSTORED || performance.now() - storedAt > UNSTORED_MS || !queue.length) await store();
      if (!queue.length && mustReadStore(outbox)) {
        const { requestedReads } = outbox;
        const due = await dueDeliveries(scope, outbox.webhook, services.clock());
        queue.push(...due.map((delivery) => ({ delivery })));
        if (!due.length) outbox.reads = requestedReads;
        if (!due.length && mustReadStore(outbox)) continue;
      }
      const next = queue.shift();
      if (!next) return;
      if (!outbox.webhook.enabled && !next.delivery.forced) continue;
      const attempt = attemptDelivery(services, outbox.webhook, next, context).then((result) => {
        // also if `store` fails, so that the delivery is not repeated
        if (result && result !== 'unsealed') outbox.unstored.push(result);
        return result;
      });
      if ((await storeIfSlow(attempt, store)) === 'unsealed') return context.lookIn(context.pollMs);
    }
  } finally {
    await store();
  }
}

/** Waits for an attempt. Calls `store` if it takes longer than half a second, as with a receiver that hangs. */
async function storeIfSlow<T>(attempt: Promise<T>, store: () => Promise<void>): Promise<T> {
  let stored = Promise.resolve();
  const timer = setTimeout(() => {
    stored = store();
    stored.catch(() => {}); // thrown below, when the attempt has ended
  }, UNSTORED_MS);
  try {
    return await attempt;
  } finally {
    clearTimeout(timer);
    await stored;
  }
}
