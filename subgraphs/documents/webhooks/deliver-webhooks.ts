// Delivers events to webhooks in the background.
import { retryDelayMs, signatureHeaders } from '../../core/domain/access/webhook.ts';
import { formatEvent } from '../../core/domain/audit/cloud-event.ts';
import { publishDelivery } from '../../core/platform/instrumentation.ts';
import { decryptWebhookSecret } from '../../core/platform/webhook-secret.ts';
import { seqOfRecords } from '../../core/store/audit/audit-log.ts';
import { actorNames, endOfLog, nextEvents, type SealedRecord } from '../../core/store/audit/sealed-events.ts';
import { find } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { DeliveryRecord, WebhookRecord } from '../../core/store/schema/collections.ts';
import {
  type Attempt,
  allWebhooks,
  createSkipEvents,
  deliveredSince,
  dueDeliveries,
  expediteFutureDeliveries,
  planDeliveries,
  recordAttempts,
  WEBHOOK_CURSOR,
} from '../../core/store/webhooks.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { SERVICE_ACTOR } from '../access/issue-token.ts';
import { createHeldCursor } from '../events/held-cursor.ts';
import { type PollLoop, startPollLoop } from '../events/poll-loop.ts';
import { disableWebhook } from './disable-webhook.ts';
import { type PostResult, postWebhook } from './post-webhook.ts';

const DEFAULTS = { leaseMs: 10_000, pollMs: 1_000, idleMs: 5_000, timeoutMs: 15_000, isAlone: false };
const BATCH = 100;
const MAX_UNSTORED = 20;
const UNSTORED_MS = 1_000;
const MAX_STORED_TRIES = 10;
const GONE = 410;

type Event = SealedRecord & { log: string };
/** `event`: what the delivery sends, if it need not be read. */
type Due = { delivery: DeliveryRecord; event?: Event | undefined };
/**
 * The deliveries to one webhook. `requested` and `looked`: how often it was requested to look for due ones in the store,
 * and up to which request that was done. In between, all are read from there, in the order of the log.
 */
type Outbox = {
  webhook: WebhookRecord;
  queue: Due[];
  requested: number;
  looked: number;
  isActive: boolean;
};

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
  let isRequested = true;
  let lookAt = Number.NEGATIVE_INFINITY;
  const skipEvents = createSkipEvents(scope);
  const stopListening = services.dispatch.listen((topic) => {
    if (topic === 'webhook') isRequested = true;
  });
  let lastRun = Number.POSITIVE_INFINITY; // so that the first run counts as after a set-back clock
  const lookIn = (ms: number) => {
    if (ms < options.idleMs) setTimeout(() => services.dispatch.notify('webhook'), ms).unref();
  };

  const work = async (stopping: AbortSignal): Promise<boolean> => {
    if (!initialized) await cursor.create((await endOfLog(scope))?.newest ?? 0);
    initialized = true;
    const now = services.clock();
    const mustLook = isRequested || performance.now() >= lookAt;
    if (!hasWebhooks && !mustLook) return false;
    if (!cursor.isHeld()) outboxes.clear(); // another process may have delivered what they contain
    const position = hasWebhooks ? await cursor.position() : null;
    if (hasWebhooks && position === null) return false;
    const { log, events } = position === null ? NO_EVENTS : await nextEvents(scope, position, BATCH);
    if (!events.length && !mustLook) return false;
    if (mustLook) lookAt = performance.now() + options.idleMs;
    isRequested &&= !mustLook;
    // after the events: those of a new webhook are later
    if (mustLook || !options.isAlone) webhooks = await allWebhooks(scope);
    const hadWebhooks = hasWebhooks;
    hasWebhooks = webhooks.length > 0;
    if (!hasWebhooks) {
      outboxes.clear();
      await cursor.release();
      await skipEvents();
      return false;
    }
    if (!hadWebhooks) {
      isRequested = true;
      return true;
    }
    const deliveries = Map.groupBy(await planDeliveries(scope, webhooks, events, now), ({ webhookId }) => webhookId);
    const last = events.at(-1);
    if (last) cursor.move(last.seq);
    const eventsBySeq = new Map(events.map((event) => [event.seq, { ...event, log }]));
    // At the start and after the clock was set back.
    const expedite = now.getTime() < lastRun;
    lastRun = now.getTime();
    for (const id of outboxes.keys()) if (!webhooks.some(({ _id }) => _id === id)) outboxes.delete(id);
    for (const webhook of webhooks) {
      if (expedite) await expediteFutureDeliveries(scope, webhook._id, now);
      const outbox = outboxes.get(webhook._id) ?? newOutbox(webhook);
      outboxes.set(webhook._id, outbox);
      outbox.webhook = webhook;
      if (mustLook) outbox.requested += 1;
      const planned = deliveries.get(webhook._id) ?? [];
      if (!mustReadStore(outbox))
        outbox.queue.push(...planned.map((delivery) => ({ delivery, event: eventsBySeq.get(delivery.seq ?? 0) })));
      else if (planned.length) outbox.requested += 1;
      if (outbox.isActive || !(mustReadStore(outbox) || outbox.queue.length)) continue;
      outbox.isActive = true;
      const isCurrent = () => cursor.isHeld() && outboxes.get(webhook._id) === outbox;
      const delivering = deliverAll(services, outbox, { stopping, isCurrent, lookIn, ...options })
        .catch((error: unknown) => {
          outbox.requested += 1;
          // A delivery interrupted by a stop is repeated at the next start.
          if (!stopping.aborted)
            services.log.warn({ err: error, webhookId: webhook._id }, 'could not deliver to a webhook; retrying');
        })
        .finally(() => {
          outbox.isActive = false;
          active.delete(delivering);
        });
      active.add(delivering);
    }
    return events.length === BATCH;
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

function newOutbox(webhook: WebhookRecord): Outbox {
  return { webhook, queue: [], requested: 1, looked: 0, isActive: false };
}

function mustReadStore({ requested, looked }: Outbox): boolean {
  return requested !== looked;
}

const NO_EVENTS = { log: '', events: [] };

/** `isCurrent`: whether this process still delivers to the webhook. `lookIn` looks for due deliveries after a time, if that is short. */
type DeliveryContext = {
  stopping: AbortSignal;
  isCurrent(): boolean;
  lookIn(ms: number): void;
} & typeof DEFAULTS;

/** Sends all due deliveries of one webhook. */
async function deliverAll(services: Services, outbox: Outbox, context: DeliveryContext): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  const { queue } = outbox;
  let delivered: Attempt[] = [];
  let storedAt = performance.now();
  const store = async () => {
    const attempts = delivered;
    delivered = [];
    storedAt = performance.now();
    await recordAttempts(scope, attempts);
  };
  try {
    while (!context.stopping.aborted && context.isCurrent()) {
      if (delivered.length >= MAX_UNSTORED || performance.now() - storedAt > UNSTORED_MS || !queue.length)
        await store();
      if (!queue.length && mustReadStore(outbox)) {
        const { requested } = outbox;
        const due = await dueDeliveries(scope, outbox.webhook, services.clock());
        queue.push(...due.map((delivery) => ({ delivery })));
        if (!due.length) outbox.looked = requested;
        if (!due.length && mustReadStore(outbox)) continue;
      }
      const next = queue.shift();
      if (!next) return;
      if (!outbox.webhook.enabled && !next.delivery.forced) continue;
      const result = await deliver(services, outbox.webhook, next, context);
      if (result === 'unsealed') return context.lookIn(context.pollMs);
      if (result) delivered.push(result);
    }
  } finally {
    await store();
  }
}

/**
 * Attempts one delivery. Returns the result to store if it succeeded, null if the result is stored, and `unsealed` if the
 * event cannot be delivered yet.
 */
async function deliver(
  services: Services,
  webhook: WebhookRecord,
  { delivery, event }: Due,
  context: DeliveryContext,
): Promise<Attempt | 'unsealed' | null> {
  const at = services.clock();
  const message = await buildMessage(services, webhook, { delivery, event }, at);
  if (message === 'unsealed') return message;
  const startedAt = performance.now();
  const result: PostResult =
    'error' in message
      ? { status: null, error: message.error, responseBody: null }
      : await postWebhook(message, { ...services.webhooks, signal: context.stopping, timeoutMs: context.timeoutMs });
  const { status, error, responseBody: answer } = result;
  const attempt = { at, ms: Math.round(performance.now() - startedAt), status, error, answer };
  const tries = [...delivery.tries, attempt].slice(-MAX_STORED_TRIES);
  if (status !== null && status >= 200 && status < 300) {
    const now = services.clock();
    publishDelivery({ result: 'delivered' });
    return { delivery, fields: { tries, status: 'delivered', nextAt: now, endedAt: now } };
  }
  await recordFailure(services, webhook, { ...delivery, tries }, result, context);
  return null;
}

/**
 * Stores a failed attempt. Disables a webhook that returned 410, or whose delivery failed for good while no other
 * delivery succeeded.
 */
async function recordFailure(
  services: Services,
  { _id, enabled }: WebhookRecord,
  delivery: DeliveryRecord,
  { status, error }: PostResult,
  { lookIn }: DeliveryContext,
): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  const now = services.clock();
  const { tries } = delivery;
  const failures = delivery.failures + 1;
  const pause = status === GONE ? null : retryDelayMs(failures, Math.random());
  const next =
    pause === null
      ? { status: 'failed' as const, nextAt: now, endedAt: now }
      : { nextAt: new Date(now.getTime() + pause) };
  await recordAttempts(scope, [{ delivery, fields: { tries, failures, ...next } }]);
  publishDelivery({ result: pause === null ? 'failed' : 'retried' });
  if (pause !== null) lookIn(pause);
  const failure = error ?? `the receiver returned status ${status}`;
  if (pause !== null || !enabled || (status !== GONE && (await deliveredSince(scope, _id, delivery.createdAt)))) return;
  const reason =
    status === GONE ? 'The receiver returned status 410 (Gone).' : `No delivery succeeded for a day: ${failure}.`;
  await inTransaction(services, { actor: SERVICE_ACTOR, requestId: 'webhook-delivery' }, disableWebhook, {
    id: _id,
    reason,
  });
  lookIn(0);
  services.log.warn({ webhookId: _id, reason }, 'disabled a webhook');
}

type Message = { url: string; headers: Record<string, string>; body: string };

async function buildMessage(
  { mongo, webhooks }: Services,
  { _id, url, secrets: encrypted }: WebhookRecord,
  { delivery: { eventId, seq: knownSeq }, event }: Due,
  at: Date,
): Promise<Message | { error: string } | 'unsealed'> {
  const scope: Scope = { db: mongo.db };
  const record = event?.record ?? (await find(scope, 'audit', eventId));
  if (!record) return { error: 'the audit record of the event no longer exists' };
  const seq = knownSeq ?? (await seqOfRecords(scope, [eventId])).get(eventId);
  const log = event?.log ?? (await endOfLog(scope))?.log;
  if (seq === undefined || log === undefined) return 'unsealed';
  const valid = encrypted.filter(({ until }) => until === null || until > at);
  const secrets = valid.flatMap(({ sealed }) => decryptWebhookSecret(webhooks.key, _id, sealed) ?? []);
  if (!secrets.length)
    return {
      error: 'the signing secret cannot be decrypted with the current installation secret; rotate it',
    };
  const nameOf = await actorNames(scope, [record]);
  const body = formatEvent(record, { seq, log }, { name: nameOf(record.by), administrator: false });
  return {
    url,
    body,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      ...signatureHeaders(secrets, { id: eventId, at, body }),
    },
  };
}
