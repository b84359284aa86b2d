import { retryDelayMs, signatureHeaders } from '../../core/domain/access/webhook.ts';
import { eventText } from '../../core/domain/audit/cloud-event.ts';
import { publishDelivery } from '../../core/platform/instrumentation.ts';
import { decryptWebhookSecret } from '../../core/platform/webhook-secret.ts';
import { seqOfRecords } from '../../core/store/audit/audit-log.ts';
import { createCursor, acquireCursor, renewCursor, releaseCursor } from '../../core/store/audit/event-cursors.ts';
import { endOfLog, actorNames } from '../../core/store/audit/sealed-events.ts';
import { find } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { DeliveryRecord, WebhookRecord } from '../../core/store/schema/collections.ts';
import {
  allWebhooks,
  deliveredSince,
  nextDelivery,
  recordAttempt,
  planDeliveries,
  WEBHOOK_CURSOR,
} from '../../core/store/webhooks.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { SERVICE_ACTOR } from '../access/issue-token.ts';
import { type PollLoop, startPollLoop } from '../events/poll-loop.ts';
import { disableWebhook } from './disable-webhook.ts';
import { type PostResult, postWebhook } from './post-webhook.ts';

const DEFAULTS = { leaseMs: 10_000, pollMs: 1_000, timeoutMs: 15_000 };
const MAX_STORED_TRIES = 10;
const GONE = 410;

/**
 * Delivers what is recorded to the webhooks that want it: to each one after the other, in the order of the log as long as it answers, all of them
 * side by side. Each is delivered to by one process at a time. What became of a try is stored after the answer, so a process that dies between the
 * two leaves it to be delivered again under the same id; nothing is lost.
 */
export function startDelivering(services: Services, times: Partial<typeof DEFAULTS> = {}): PollLoop {
  const { pollMs: lookMs } = { ...DEFAULTS, ...times };
  const scope: Scope = { db: services.mongo.db };
  const active = new Map<string, Promise<void>>();
  let begun = false;

  const work = async (holder: string, stopping: AbortSignal): Promise<boolean> => {
    if (!begun) await createCursor(scope, WEBHOOK_CURSOR, (await endOfLog(scope))?.newest ?? 0);
    begun = true;
    const planned = await planDeliveries(scope, services.clock());
    for (const { _id } of await allWebhooks(scope)) {
      if (active.has(_id)) continue;
      const lane = deliverAll(services, _id, { holder, stopping, ...DEFAULTS, ...times })
        .catch((error: unknown) => {
          // a message that was on its way when the service stops is sent again at the next start
          if (!stopping.aborted)
            services.log.warn({ err: error, webhookId: _id }, 'a webhook could not be delivered to; it is tried again');
        })
        .finally(() => active.delete(_id));
      active.set(_id, lane);
    }
    return planned > 0;
  };
  return startPollLoop(
    services,
    { what: 'delivering to webhooks', bells: ['sealed', 'webhook'], everyMs: lookMs },
    work,
    async () => {
      await Promise.all(active.values());
    },
  );
}

type DeliveryContext = { holder: string; stopping: AbortSignal } & typeof DEFAULTS;

/** Delivers what is due to one webhook, while this process has its lease. */
async function deliverAll(services: Services, webhookId: string, lane: DeliveryContext): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  const due = async () => {
    const webhook = await find(scope, 'webhooks', webhookId);
    const delivery = webhook && (await nextDelivery(scope, webhook, services.clock()));
    return webhook && delivery ? { webhook, delivery } : null;
  };
  // before the lease: usually there is nothing
  if (!(await due())) return;
  const holder = () => ({ id: lane.holder, now: services.clock(), leaseMs: lane.leaseMs });
  await createCursor(scope, webhookId, 0);
  if ((await acquireCursor(scope, webhookId, holder())) === null) return;
  const kept = setInterval(() => {
    renewCursor(scope, webhookId, holder()).catch((error: unknown) =>
      services.log.debug({ err: error, webhookId }, 'a lease was not kept'),
    );
  }, lane.leaseMs / 3);
  try {
    for (let next = await due(); next && !lane.stopping.aborted; next = await due())
      if (!(await deliver(services, next.webhook, next.delivery, lane))) return;
  } finally {
    clearInterval(kept);
    await releaseCursor(scope, webhookId, lane.holder);
  }
}

/** One try; answers whether the lane may go on. */
async function deliver(
  services: Services,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  lane: DeliveryContext,
): Promise<boolean> {
  const at = services.clock();
  const message = await buildMessage(services, webhook, delivery, at);
  if (message === 'unsealed') return false;
  const begun = performance.now();
  const posted: PostResult =
    'error' in message
      ? { status: null, error: message.error, answer: null }
      : await postWebhook(message, { ...services.webhooks, signal: lane.stopping, timeoutMs: lane.timeoutMs });
  const tries = [...delivery.tries, { at, ms: Math.round(performance.now() - begun), ...posted }].slice(
    -MAX_STORED_TRIES,
  );
  await recordResult(services, webhook, { ...delivery, tries }, posted);
  return true;
}

/** Stores what became of a try; turns off a webhook that is gone, or has taken nothing for as long as a delivery is tried. */
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
  const why = error ?? `it answers ${status}`;
  if (pause !== null || !enabled || (status !== GONE && (await deliveredSince(scope, _id, delivery.createdAt)))) return;
  const reason = status === GONE ? 'It answers 410: it is gone.' : `Nothing could be delivered for a day: ${why}.`;
  await inTransaction(services, { actor: SERVICE_ACTOR, requestId: 'webhook-delivery' }, disableWebhook, {
    id: _id,
    reason,
  });
  services.log.warn({ webhookId: _id, reason: why }, 'a webhook was turned off');
}

type Message = { url: string; headers: Record<string, string>; body: string };

async function buildMessage(
  { mongo, webhooks }: Services,
  { _id, url, secrets: closed }: WebhookRecord,
  { eventId, seq: known }: DeliveryRecord,
  at: Date,
): Promise<Message | { error: string } | 'unsealed'> {
  const scope: Scope = { db: mongo.db };
  const record = await find(scope, 'audit', eventId);
  if (!record) return { error: 'the record of the event is no longer there' };
  const seq = known ?? (await seqOfRecords(scope, [eventId])).get(eventId);
  const end = await endOfLog(scope);
  if (seq === undefined || !end) return 'unsealed';
  const good = closed.filter(({ until }) => until === null || until > at);
  const secrets = good.flatMap(({ sealed }) => decryptWebhookSecret(webhooks.key, _id, sealed) ?? []);
  if (!secrets.length)
    return {
      error: 'its secret cannot be opened, because the secret of the installation has changed: give it a new one',
    };
  const nameOf = await actorNames(scope, [record]);
  const body = eventText(record, { seq, log: end.log }, { name: nameOf(record.by), administrator: false });
  return {
    url,
    body,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      ...signatureHeaders(secrets, { id: eventId, at, body }),
    },
  };
}
