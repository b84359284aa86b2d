// Delivers events to webhooks in the background.
import { retryDelayMs, signatureHeaders } from '../../core/domain/access/webhook.ts';
import { formatEvent } from '../../core/domain/audit/cloud-event.ts';
import { publishDelivery } from '../../core/platform/instrumentation.ts';
import { decryptWebhookSecret } from '../../core/platform/webhook-secret.ts';
import { seqOfRecords } from '../../core/store/audit/audit-log.ts';
import { acquireCursor, createCursor, releaseCursor, renewCursor } from '../../core/store/audit/event-cursors.ts';
import { actorNames, endOfLog } from '../../core/store/audit/sealed-events.ts';
import { find } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { DeliveryRecord, WebhookRecord } from '../../core/store/schema/collections.ts';
import {
  allWebhooks,
  createSkipEvents,
  deliveredSince,
  expediteFutureDeliveries,
  nextDelivery,
  planDeliveries,
  recordAttempt,
  WEBHOOK_CURSOR,
} from '../../core/store/webhooks.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { SERVICE_ACTOR } from '../access/issue-token.ts';
import { type PollLoop, startPollLoop } from '../events/poll-loop.ts';
import { disableWebhook } from './disable-webhook.ts';
import { type PostResult, postWebhook } from './post-webhook.ts';

const DEFAULTS = { leaseMs: 10_000, pollMs: 1_000, idleMs: 5_000, timeoutMs: 15_000 };
const MAX_STORED_TRIES = 10;
const GONE = 410;

/**
 * Starts to deliver events to the subscribed webhooks, to all webhooks concurrently. Each webhook gets one event at a
 * time, from one process at a time, in the order of the log except for retries. Results are stored after the response,
 * so after a crash an event may be delivered again under the same id. While there are no webhooks, it looks for them
 * every 5 seconds and otherwise ignores the log.
 */
export function startDelivering(services: Services, times: Partial<typeof DEFAULTS> = {}): PollLoop {
  const options = { ...DEFAULTS, ...times };
  const scope: Scope = { db: services.mongo.db };
  const active = new Map<string, Promise<void>>();
  let initialized = false;
  let hasWebhooks = true;
  let isRequested = true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const skipEvents = createSkipEvents(scope);
  const stopListening = services.dispatch.listen((topic) => {
    if (topic === 'webhook') isRequested = true;
  });
  let lastRun = Number.POSITIVE_INFINITY; // so that the first run counts as after a set-back clock

  const work = async (holder: string, stopping: AbortSignal): Promise<boolean> => {
    if (!initialized) await createCursor(scope, WEBHOOK_CURSOR, (await endOfLog(scope))?.newest ?? 0);
    initialized = true;
    const now = services.clock();
    if (!hasWebhooks && !isRequested && performance.now() - lookedAt < options.idleMs - 1) return false;
    isRequested = false;
    lookedAt = performance.now();
    const webhooks = await allWebhooks(scope);
    hasWebhooks = webhooks.length > 0;
    if (!hasWebhooks) {
      await skipEvents();
      return false;
    }
    // At the start and after the clock was set back.
    const expedite = now.getTime() < lastRun;
    const planned = await planDeliveries(scope, now);
    for (const { _id } of webhooks) {
      if (expedite) await expediteFutureDeliveries(scope, _id, now);
      if (active.has(_id)) continue;
      const delivering = deliverAll(services, _id, { holder, stopping, ...options })
        .catch((error: unknown) => {
          // A delivery interrupted by a stop is repeated at the next start.
          if (!stopping.aborted)
            services.log.warn({ err: error, webhookId: _id }, 'could not deliver to a webhook; retrying');
        })
        .finally(() => active.delete(_id));
      active.set(_id, delivering);
    }
    lastRun = now.getTime();
    return planned > 0;
  };
  return startPollLoop(
    services,
    {
      name: 'webhook delivery',
      topics: ['sealed', 'webhook'],
      everyMs: () => (hasWebhooks ? options.pollMs : options.idleMs),
    },
    work,
    async () => {
      stopListening();
      await Promise.all(active.values());
    },
  );
}

type DeliveryContext = { holder: string; stopping: AbortSignal } & typeof DEFAULTS;

/** Sends all due deliveries of one webhook, if this process gets its lease. */
async function deliverAll(services: Services, webhookId: string, context: DeliveryContext): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  const findDue = async () => {
    const webhook = await find(scope, 'webhooks', webhookId);
    const delivery = webhook && (await nextDelivery(scope, webhook, services.clock()));
    return webhook && delivery ? { webhook, delivery } : null;
  };
  // Checks before it acquires the lease, because usually nothing is due.
  if (!(await findDue())) return;
  const leaseHolder = () => ({ id: context.holder, now: services.clock(), leaseMs: context.leaseMs });
  await createCursor(scope, webhookId, 0);
  if ((await acquireCursor(scope, webhookId, leaseHolder())) === null) return;
  const renewal = setInterval(() => {
    renewCursor(scope, webhookId, leaseHolder()).catch((error: unknown) =>
      services.log.debug({ err: error, webhookId }, 'could not renew the lease of a webhook'),
    );
  }, context.leaseMs / 3);
  try {
    for (let next = await findDue(); next && !context.stopping.aborted; next = await findDue())
      if (!(await deliver(services, next.webhook, next.delivery, context))) return;
  } finally {
    clearInterval(renewal);
    await releaseCursor(scope, webhookId, context.holder);
  }
}

/** Attempts one delivery. Resolves to false if the event is not sealed yet and cannot be delivered. */
async function deliver(
  services: Services,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  context: DeliveryContext,
): Promise<boolean> {
  const at = services.clock();
  const message = await buildMessage(services, webhook, delivery, at);
  if (message === 'unsealed') return false;
  const startedAt = performance.now();
  const result: PostResult =
    'error' in message
      ? { status: null, error: message.error, responseBody: null }
      : await postWebhook(message, { ...services.webhooks, signal: context.stopping, timeoutMs: context.timeoutMs });
  const { status, error, responseBody: answer } = result;
  const attempt = { at, ms: Math.round(performance.now() - startedAt), status, error, answer };
  const tries = [...delivery.tries, attempt].slice(-MAX_STORED_TRIES);
  await recordResult(services, webhook, { ...delivery, tries }, result);
  return true;
}

/**
 * Stores the result of an attempt. Disables a webhook that returned 410, or whose delivery failed for good while no
 * other delivery succeeded.
 */
async function recordResult(
  services: Services,
  { _id, enabled }: WebhookRecord,
  delivery: DeliveryRecord,
  { status, error }: PostResult,
): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  const now = services.clock();
  const { tries } = delivery;
  if (status !== null && status >= 200 && status < 300) {
    await recordAttempt(scope, delivery, { tries, status: 'delivered', nextAt: now, endedAt: now });
    publishDelivery({ result: 'delivered' });
    return;
  }
  const failures = delivery.failures + 1;
  const pause = status === GONE ? null : retryDelayMs(failures, Math.random());
  const next =
    pause === null
      ? { status: 'failed' as const, nextAt: now, endedAt: now }
      : { nextAt: new Date(now.getTime() + pause) };
  await recordAttempt(scope, delivery, { tries, failures, ...next });
  publishDelivery({ result: pause === null ? 'failed' : 'retried' });
  const failure = error ?? `the receiver returned status ${status}`;
  if (pause !== null || !enabled || (status !== GONE && (await deliveredSince(scope, _id, delivery.createdAt)))) return;
  const reason =
    status === GONE ? 'The receiver returned status 410 (Gone).' : `No delivery succeeded for a day: ${failure}.`;
  await inTransaction(services, { actor: SERVICE_ACTOR, requestId: 'webhook-delivery' }, disableWebhook, {
    id: _id,
    reason,
  });
  services.log.warn({ webhookId: _id, reason }, 'disabled a webhook');
}

type Message = { url: string; headers: Record<string, string>; body: string };

async function buildMessage(
  { mongo, webhooks }: Services,
  { _id, url, secrets: encrypted }: WebhookRecord,
  { eventId, seq: knownSeq }: DeliveryRecord,
  at: Date,
): Promise<Message | { error: string } | 'unsealed'> {
  const scope: Scope = { db: mongo.db };
  const record = await find(scope, 'audit', eventId);
  if (!record) return { error: 'the audit record of the event no longer exists' };
  const seq = knownSeq ?? (await seqOfRecords(scope, [eventId])).get(eventId);
  const end = await endOfLog(scope);
  if (seq === undefined || !end) return 'unsealed';
  const valid = encrypted.filter(({ until }) => until === null || until > at);
  const secrets = valid.flatMap(({ sealed }) => decryptWebhookSecret(webhooks.key, _id, sealed) ?? []);
  if (!secrets.length)
    return {
      error: 'the signing secret cannot be decrypted with the current installation secret; rotate it',
    };
  const nameOf = await actorNames(scope, [record]);
  const body = formatEvent(record, { seq, log: end.log }, { name: nameOf(record.by), administrator: false });
  return {
    url,
    body,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      ...signatureHeaders(secrets, { id: eventId, at, body }),
    },
  };
}
