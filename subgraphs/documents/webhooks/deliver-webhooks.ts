// Delivers events to webhooks in the background.
import { nextEvents } from '../../core/store/audit/sealed-events.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { WebhookRecord } from '../../core/store/schema/collections.ts';
import {
  allWebhooks,
  createSkipEvents,
  deleteFormerCursors,
  expediteFutureDeliveries,
  firstPosition,
  planDeliveries,
  WEBHOOK_CURSOR,
} from '../../core/store/webhooks.ts';
import type { Services } from '../../core/work.ts';
import { createHeldCursor } from '../events/held-cursor.ts';
import { type PollLoop, startPollLoop } from '../events/poll-loop.ts';
import { createOutbox, enqueue, mustReadStore, type Outbox, requestRead, sendDeliveries } from './outbox.ts';

const DEFAULTS = { leaseMs: 10_000, pollMs: 1_000, idleMs: 5_000, timeoutMs: 15_000, isAlone: false };
const BATCH = 100;
const NO_EVENTS = { log: '', events: [] };

/**
 * Starts to deliver events to the subscribed webhooks, to all webhooks concurrently. Each webhook gets one event at a
 * time, in the order of the log except for retries. If several processes run it, only the holder of a 10-second lease
 * delivers. Results are stored after the response, and the position in the log every 5 seconds, so after a crash an
 * event may be delivered again under the same id. Webhooks and retries that other processes request are looked for
 * every 5 seconds. Without webhooks, the log is ignored. `isAlone`: no other process changes webhooks, so they are
 * read when this one has.
 */
export function startDelivering(services: Services, times: Partial<typeof DEFAULTS> = {}): PollLoop {
  const options = { ...DEFAULTS, ...times };
  const scope: Scope = { db: services.mongo.db };
  const cursor = createHeldCursor(services, WEBHOOK_CURSOR, options.leaseMs);
  const outboxes = new Map<string, Outbox>();
  const active = new Set<Promise<void>>();
  let webhooks: readonly WebhookRecord[] = [];
  let initialized = false;
  let hasWebhooks = true;
  // whether to read webhooks and due deliveries
  let isLookRequested = true;
  let lookAt = Number.NEGATIVE_INFINITY;
  const skipEvents = createSkipEvents(scope);
  const stopListening = services.dispatch.listen((topic) => {
    if (topic === 'webhook') isLookRequested = true;
  });
  let lastRun = Number.POSITIVE_INFINITY; // so that the first run counts as after a set-back clock
  const lookIn = (ms: number) => {
    if (ms < options.idleMs) setTimeout(() => services.dispatch.notify('webhook'), ms).unref();
  };

  const work = async (stopping: AbortSignal): Promise<boolean> => {
    if (performance.now() >= lookAt) {
      isLookRequested = true;
      lookAt = performance.now() + options.idleMs;
    }
    try {
      return await deliverNext(stopping);
    } catch (error) {
      isLookRequested = true; // some of the deliveries may be stored but not queued
      throw error;
    }
  };

  /** Plans and sends the deliveries of the next events. Returns whether there are more events. */
  const deliverNext = async (stopping: AbortSignal): Promise<boolean> => {
    if (!initialized) {
      await cursor.create(await firstPosition(scope));
      await deleteFormerCursors(scope);
    }
    initialized = true;
    const now = services.clock();
    if (!hasWebhooks && !isLookRequested) return false;
    if (!cursor.isHeld()) outboxes.clear(); // another process may have delivered what they contain
    const position = hasWebhooks ? await cursor.position() : null;
    if (hasWebhooks && position === null) return false;
    const { log, events } = position === null ? NO_EVENTS : await nextEvents(scope, position, BATCH);
    // after the events: those of a new webhook are later
    const mustLook = isLookRequested;
    if (!events.length && !mustLook) return false;
    isLookRequested = false;
    // The event of a new webhook may arrive before its notification.
    const areChanged =
      mustLook || !options.isAlone || events.some(({ record }) => record.action.startsWith('webhook.'));
    if (areChanged) webhooks = await allWebhooks(scope);
    const hadWebhooks = hasWebhooks;
    hasWebhooks = webhooks.length > 0;
    if (!hasWebhooks) {
      outboxes.clear();
      await cursor.release();
      await skipEvents();
      return false;
    }
    if (!hadWebhooks) {
      isLookRequested = true;
      return true;
    }
    // at the start and after the clock was set back
    if (now.getTime() < lastRun) for (const { _id } of webhooks) await expediteFutureDeliveries(scope, _id, now);
    lastRun = now.getTime();
    const readers = new Set([...outboxes.values()].filter(mustReadStore));
    const planned = Map.groupBy(await planDeliveries(scope, webhooks, events, now), ({ webhookId }) => webhookId);
    const last = events.at(-1);
    if (last) cursor.move(last.seq);
    const eventsBySeq = new Map(events.map((event) => [event.seq, { ...event, log }]));
    for (const id of outboxes.keys()) if (!webhooks.some(({ _id }) => _id === id)) outboxes.delete(id);
    for (const webhook of webhooks) {
      const outbox = outboxes.get(webhook._id) ?? createOutbox(webhook);
      outboxes.set(webhook._id, outbox);
      outbox.webhook = webhook;
      // one that was reading the store meanwhile may have queued or delivered some of the planned deliveries
      if (mustLook || readers.has(outbox)) requestRead(outbox);
      const deliveries = planned.get(webhook._id) ?? [];
      enqueue(
        outbox,
        deliveries.map((delivery) => ({ delivery, event: eventsBySeq.get(delivery.seq ?? 0) })),
      );
      if (!outbox.isActive && (mustReadStore(outbox) || outbox.queue.length)) startSending(outbox, stopping);
    }
    return events.length === BATCH;
  };

  const startSending = (outbox: Outbox, stopping: AbortSignal) => {
    const webhookId = outbox.webhook._id;
    const isCurrent = () => cursor.isHeld() && outboxes.get(webhookId) === outbox;
    const sending = sendDeliveries(services, outbox, { stopping, isCurrent, lookIn, ...options })
      .catch((error: unknown) => {
        // A delivery interrupted by a stop is repeated at the next start.
        if (!stopping.aborted) services.log.warn({ err: error, webhookId }, 'could not deliver to a webhook; retrying');
      })
      .finally(() => active.delete(sending));
    active.add(sending);
  };

  return startPollLoop(
    services,
    {
      name: 'webhook delivery',
      topics: ['sealed', 'webhook'],
      everyMs: () => {
        const untilLook = Math.max(0, lookAt - performance.now());
        return hasWebhooks ? Math.min(untilLook, options.pollMs) : untilLook;
      },
    },
    work,
    async () => {
      stopListening();
      await Promise.all(active);
      await cursor.release();
    },
  );
}
