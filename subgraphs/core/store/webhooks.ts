import type { Filter } from 'mongodb';
import { isForAdministrators, isOfTypes } from '../domain/audit/cloud-event.ts';
import { cursorPlace, lockCursor, moveCursor } from './audit/event-cursors.ts';
import { endOfLog, type Sealed, sealedAfter } from './audit/sealed-events.ts';
import { allOf, beyond, inOrder, type Window } from './query/ordered.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { DeliveryRecord, WebhookRecord } from './schema/collections.ts';

/** The cursor of those who decide what is delivered to whom. */
export const WEBHOOK_CURSOR = 'webhooks';
/** The most webhooks there may be. */
export const MOST_WEBHOOKS = 50;
const BATCH = 100;
const KEPT_MS = 30 * 86_400_000;

/** All webhooks, oldest first. */
export function allWebhooks(scope: Scope): Promise<WebhookRecord[]> {
  return collection(scope, 'webhooks').find({}, within(scope)).sort({ _id: 1 }).limit(MOST_WEBHOOKS).toArray();
}

export function deliveryId(webhookId: string, eventId: string): string {
  return `${webhookId}:${eventId}`;
}

/** A delivery that waits from now on; `forced`: also to a webhook that is turned off. */
export function freshDelivery(
  webhookId: string,
  event: { id: string; action: string; seq: number | null },
  now: Date,
  forced = false,
): DeliveryRecord {
  return {
    _id: deliveryId(webhookId, event.id),
    webhookId,
    eventId: event.id,
    action: event.action,
    seq: event.seq,
    status: 'waiting',
    forced,
    failures: 0,
    tries: [],
    // first tries come in the order of the log, whichever process decided on them by whichever clock
    nextAt: new Date(0),
    createdAt: now,
    endedAt: null,
    expiresAt: new Date(now.getTime() + KEPT_MS),
  };
}

/**
 * Decides of the next records of the log, at most 100, to which webhooks they are delivered, and answers how many it has decided on. The deliveries
 * and the cursor are stored together, so that no record is left out or taken twice, whoever dies when; of two processes one runs again.
 */
export async function planDeliveries({ db }: Scope, now: Date): Promise<number> {
  const [place, end] = await Promise.all([cursorPlace({ db }, WEBHOOK_CURSOR), endOfLog({ db })]);
  if (place === null || place >= (end?.newest ?? 0)) return 0;
  const session = db.client.startSession();
  try {
    return await session.withTransaction(
      async () => {
        const scope: Scope = { db, session };
        const events = await sealedAfter(scope, await lockCursor(scope, WEBHOOK_CURSOR), BATCH);
        const last = events.at(-1);
        if (!last) return 0;
        const webhooks = await allWebhooks(scope);
        const due = webhooks.flatMap((webhook) =>
          events.filter((event) => isFor(webhook, event)).map((event) => deliveryOf(webhook, event, now)),
        );
        if (due.length) await collection(scope, 'webhookDeliveries').insertMany(due, within(scope));
        await moveCursor(scope, WEBHOOK_CURSOR, last.seq);
        return events.length;
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}

// What only administrators see goes out only where it is asked for by name. A ping has its delivery already.
function isFor({ enabled, types, afterSeq }: WebhookRecord, { seq, record }: Sealed): boolean {
  if (!enabled || seq <= afterSeq || record.action === 'webhook.pinged') return false;
  return isOfTypes(types, record) && (types.length > 0 || !isForAdministrators(record));
}

function deliveryOf({ _id }: WebhookRecord, { seq, record }: Sealed, now: Date): DeliveryRecord {
  return freshDelivery(_id, { id: record._id, action: record.action, seq }, now);
}

/** The delivery to a webhook that is due first: one that was asked for, else, while it is on, any other. */
export async function nextDelivery(
  scope: Scope,
  { _id, enabled }: Pick<WebhookRecord, '_id' | 'enabled'>,
  now: Date,
): Promise<DeliveryRecord | null> {
  const first = (forced: boolean) =>
    collection(scope, 'webhookDeliveries').findOne(
      { webhookId: { $eq: _id }, status: 'waiting', forced, nextAt: { $lte: now } },
      { sort: { nextAt: 1, seq: 1 } },
    );
  return (await first(true)) ?? (enabled ? first(false) : null);
}

/** Notes what became of a try, unless the delivery has changed since: then it was asked for again, or another process has tried it. */
export async function noteTry(
  scope: Scope,
  { _id, createdAt, failures }: DeliveryRecord,
  fields: Partial<DeliveryRecord>,
): Promise<void> {
  await collection(scope, 'webhookDeliveries').updateOne(
    { _id: { $eq: _id }, status: 'waiting', createdAt, failures },
    { $set: fields },
  );
}

/** Whether anything was delivered to a webhook after a moment. */
export async function deliveredSince(scope: Scope, webhookId: string, since: Date): Promise<boolean> {
  const filter = {
    webhookId: { $eq: webhookId },
    status: 'delivered' as const,
    forced: { $in: [true, false] },
    nextAt: { $gt: since },
  };
  return (await collection(scope, 'webhookDeliveries').findOne(filter, { projection: { _id: 1 } })) !== null;
}

/** The deliveries to a webhook, or those that stand somewhere. */
export type DeliveryFilter = { webhookId: string; status?: DeliveryRecord['status'] | null };

/** A part of the list of deliveries, by the time they were decided on. */
export function listDeliveries(scope: Scope, filter: DeliveryFilter, window: Window): Promise<DeliveryRecord[]> {
  return collection(scope, 'webhookDeliveries')
    .find(allOf([conditions(filter), ...beyond<DeliveryRecord>('createdAt', window)]), within(scope))
    .sort(inOrder('createdAt', window))
    .limit(window.limit)
    .toArray();
}

export function countDeliveries(scope: Scope, filter: DeliveryFilter): Promise<number> {
  return collection(scope, 'webhookDeliveries').countDocuments(conditions(filter), within(scope));
}

function conditions({ webhookId, status }: DeliveryFilter): Filter<DeliveryRecord> {
  return { webhookId: { $eq: webhookId }, ...(status ? { status } : {}) };
}
