import { retryDelayMs, signatureHeaders } from '../../core/domain/access/webhook.ts';
import { eventText } from '../../core/domain/audit/cloud-event.ts';
import { tellDelivery } from '../../core/platform/telling.ts';
import { openedSecret } from '../../core/platform/webhook-secret.ts';
import { placesInLog } from '../../core/store/audit/audit-log.ts';
import { beginCursor, holdCursor, keepCursor, releaseCursor } from '../../core/store/audit/event-cursors.ts';
import { endOfLog, namesOf } from '../../core/store/audit/sealed-events.ts';
import { find } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { DeliveryRecord, WebhookRecord } from '../../core/store/schema/collections.ts';
import {
  allWebhooks,
  deliveredSince,
  nextDelivery,
  noteTry,
  planDeliveries,
  WEBHOOK_CURSOR,
} from '../../core/store/webhooks.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { SERVICE } from '../access/issue-token.ts';
import { type Following, startFollowing } from '../events/follow-log.ts';
import { disableWebhook } from './disable-webhook.ts';
import { type Posted, postWebhook } from './post-webhook.ts';

const USUAL = { leaseMs: 10_000, lookMs: 1_000, patienceMs: 15_000 };
const MOST_TRIES_TOLD = 10;
const GONE = 410;

/**
 * Delivers what is recorded to the webhooks that want it: to each one after the other, in the order of the log as long as it answers, all of them
 * side by side. Each is delivered to by one process at a time. What became of a try is stored after the answer, so a process that dies between the
 * two leaves it to be delivered again under the same id; nothing is lost.
 */
export function startDelivering(services: Services, times: Partial<typeof USUAL> = {}): Following {
  const { lookMs } = { ...USUAL, ...times };
  const scope: Scope = { db: services.mongo.db };
  const lanes = new Map<string, Promise<void>>();
  let begun = false;

  const work = async (holder: string, stopping: AbortSignal): Promise<boolean> => {
    if (!begun) await beginCursor(scope, WEBHOOK_CURSOR, (await endOfLog(scope))?.newest ?? 0);
    begun = true;
    const planned = await planDeliveries(scope, services.clock());
    for (const { _id } of await allWebhooks(scope)) {
      if (lanes.has(_id)) continue;
      const lane = deliverAll(services, _id, { holder, stopping, ...USUAL, ...times })
        .catch((error: unknown) => {
          // a message that was on its way when the service stops is sent again at the next start
          if (!stopping.aborted)
            services.log.warn({ err: error, webhookId: _id }, 'a webhook could not be delivered to; it is tried again');
        })
        .finally(() => lanes.delete(_id));
      lanes.set(_id, lane);
    }
    return planned > 0;
  };
  return startFollowing(
    services,
    { what: 'delivering to webhooks', bells: ['sealed', 'webhook'], everyMs: lookMs },
    work,
    async () => {
      await Promise.all(lanes.values());
    },
  );
}

type Lane = { holder: string; stopping: AbortSignal } & typeof USUAL;

/** Delivers what is due to one webhook, while this process has its lease. */
async function deliverAll(services: Services, webhookId: string, lane: Lane): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  const due = async () => {
    const webhook = await find(scope, 'webhooks', webhookId);
    const delivery = webhook && (await nextDelivery(scope, webhook, services.clock()));
    return webhook && delivery ? { webhook, delivery } : null;
  };
  // before the lease: usually there is nothing
  if (!(await due())) return;
  const holder = () => ({ id: lane.holder, now: services.clock(), leaseMs: lane.leaseMs });
  await beginCursor(scope, webhookId, 0);
  if ((await holdCursor(scope, webhookId, holder())) === null) return;
  const kept = setInterval(() => {
    keepCursor(scope, webhookId, holder()).catch((error: unknown) =>
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
  lane: Lane,
): Promise<boolean> {
  const at = services.clock();
  const message = await messageOf(services, webhook, delivery, at);
  if (message === 'unsealed') return false;
  const begun = performance.now();
  const posted: Posted =
    'error' in message
      ? { status: null, error: message.error, answer: null }
      : await postWebhook(message, { ...services.webhooks, signal: lane.stopping, patienceMs: lane.patienceMs });
  const tries = [...delivery.tries, { at, ms: Math.round(performance.now() - begun), ...posted }].slice(
    -MOST_TRIES_TOLD,
  );
  await conclude(services, webhook, { ...delivery, tries }, posted);
  return true;
}

/** Stores what became of a try; turns off a webhook that is gone, or has taken nothing for as long as a delivery is tried. */
async function conclude(
  services: Services,
  { _id, enabled }: WebhookRecord,
  delivery: DeliveryRecord,
  { status, error }: Posted,
): Promise<void> {
  const scope: Scope = { db: services.mongo.db };
  const now = services.clock();
  const { tries } = delivery;
  if (status !== null && status >= 200 && status < 300) {
    await noteTry(scope, delivery, { tries, status: 'delivered', nextAt: now, endedAt: now });
    tellDelivery({ result: 'delivered' });
    return;
  }
  const failures = delivery.failures + 1;
  const pause = status === GONE ? null : retryDelayMs(failures, Math.random());
  const next =
    pause === null
      ? { status: 'failed' as const, nextAt: now, endedAt: now }
      : { nextAt: new Date(now.getTime() + pause) };
  await noteTry(scope, delivery, { tries, failures, ...next });
  tellDelivery({ result: pause === null ? 'failed' : 'retried' });
  const why = error ?? `it answers ${status}`;
  if (pause !== null || !enabled || (status !== GONE && (await deliveredSince(scope, _id, delivery.createdAt)))) return;
  const reason = status === GONE ? 'It answers 410: it is gone.' : `Nothing could be delivered for a day: ${why}.`;
  await inTransaction(services, { actor: SERVICE, requestId: 'webhook-delivery' }, disableWebhook, { id: _id, reason });
  services.log.warn({ webhookId: _id, reason: why }, 'a webhook was turned off');
}

type Message = { url: string; headers: Record<string, string>; body: string };

async function messageOf(
  { mongo, webhooks }: Services,
  { _id, url, secrets: closed }: WebhookRecord,
  { eventId, seq: known }: DeliveryRecord,
  at: Date,
): Promise<Message | { error: string } | 'unsealed'> {
  const scope: Scope = { db: mongo.db };
  const record = await find(scope, 'audit', eventId);
  if (!record) return { error: 'the record of the event is no longer there' };
  const seq = known ?? (await placesInLog(scope, [eventId])).get(eventId);
  const end = await endOfLog(scope);
  if (seq === undefined || !end) return 'unsealed';
  const good = closed.filter(({ until }) => until === null || until > at);
  const secrets = good.flatMap(({ sealed }) => openedSecret(webhooks.key, _id, sealed) ?? []);
  if (!secrets.length)
    return {
      error: 'its secret cannot be opened, because the secret of the installation has changed: give it a new one',
    };
  const nameOf = await namesOf(scope, [record]);
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
