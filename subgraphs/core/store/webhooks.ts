// Webhooks and their deliveries.
import { type Filter, MongoBulkWriteError } from 'mongodb';
import { latestRetry } from '../domain/access/webhook.ts';
import { isAdminOnly, matchesTypes } from '../domain/audit/cloud-event.ts';
import { moveCursor } from './audit/event-cursors.ts';
import { endOfLog, type SealedRecord } from './audit/sealed-events.ts';
import { isDuplicateKey } from './query/duplicate-key.ts';
import { allOf, type PageRequest, sortOrder, startAfter } from './query/page-request.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { DeliveryRecord, WebhookRecord } from './schema/collections.ts';

/** The cursor of the process that decides on deliveries. */
export const WEBHOOK_CURSOR = 'webhooks';
/** The maximum number of webhooks. */
export const MAX_WEBHOOKS = 50;
const MAX_DUE = 20;
const SKIP_EVERY_MS = 60_000;
const RETENTION_MS = 30 * 86_400_000;

/** Returns all webhooks, oldest first. */
export function allWebhooks(scope: Scope): Promise<WebhookRecord[]> {
  return collection(scope, 'webhooks').find({}, within(scope)).sort({ _id: 1 }).limit(MAX_WEBHOOKS).toArray();
}

export function deliveryId(webhookId: string, eventId: string): string {
  return `${webhookId}:${eventId}`;
}

/** Returns a new waiting delivery; `forced`: it is sent even to a disabled webhook. */
export function newDelivery(
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
    // first attempts are sent in log order, whichever process created the delivery
    nextAt: new Date(0),
    createdAt: now,
    endedAt: null,
    expiresAt: new Date(now.getTime() + RETENTION_MS),
  };
}

/**
 * Stores the deliveries of events to the webhooks that subscribe to them, and returns those that did not exist. The same
 * events may be planned again after a crash.
 */
export async function planDeliveries(
  scope: Scope,
  webhooks: readonly WebhookRecord[],
  events: readonly SealedRecord[],
  now: Date,
): Promise<DeliveryRecord[]> {
  const planned = webhooks.flatMap((webhook) =>
    events.filter((event) => isDeliverable(webhook, event)).map((event) => deliveryOf(webhook, event, now)),
  );
  if (!planned.length) return [];
  try {
    await collection(scope, 'webhookDeliveries').insertMany(planned, { ordered: false });
    return planned;
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError && isDuplicateKey(error))) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.some(({ code }) => code !== error.code)) throw error;
    const existing = new Set(errors.map(({ index }) => index));
    return planned.filter((_, n) => !existing.has(n));
  }
}

/**
 * Returns the position in the log at which the first process that delivers starts: its end, or the oldest end at which a
 * webhook was created or enabled before.
 */
export async function firstPosition(scope: Scope): Promise<number> {
  const end = (await endOfLog(scope))?.newest ?? 0;
  // read after the end: later webhooks get no earlier events
  const enabled = (await allWebhooks(scope)).filter((webhook) => webhook.enabled);
  return Math.min(end, ...enabled.map(({ afterSeq }) => afterSeq));
}

/** Deletes the cursors that earlier versions stored for each webhook. */
export async function deleteFormerCursors(scope: Scope): Promise<void> {
  await collection(scope, 'eventCursors').deleteMany({ _id: { $regex: '^whk_' } });
}

/**
 * Moves the cursor to where the log ended at the previous call, at most once a minute, if there are no webhooks: one that
 * is created now has no earlier events. So the first webhook does not make the service read the whole log.
 */
export function createSkipEvents(scope: Scope): () => Promise<void> {
  let skippedTo = 0;
  let lastEnd = 0;
  let skippedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - skippedAt < SKIP_EVERY_MS) return;
    skippedAt = performance.now();
    if (lastEnd > skippedTo) await moveCursor(scope, WEBHOOK_CURSOR, lastEnd);
    skippedTo = lastEnd;
    lastEnd = (await endOfLog(scope))?.newest ?? 0;
  };
}

// Events for administrators only are delivered if the webhook names their type. A ping already has its delivery.
function isDeliverable({ enabled, types, afterSeq }: WebhookRecord, { seq, record }: SealedRecord): boolean {
  if (!enabled || seq <= afterSeq || record.action === 'webhook.pinged') return false;
  return matchesTypes(types, record) && (types.length > 0 || !isAdminOnly(record));
}

function deliveryOf({ _id }: WebhookRecord, { seq, record }: SealedRecord, now: Date): DeliveryRecord {
  return newDelivery(_id, { id: record._id, action: record.action, seq }, now);
}

/** Returns the next due deliveries of a webhook: the first forced ones, and the first others while it is enabled. */
export async function dueDeliveries(
  scope: Scope,
  { _id, enabled }: Pick<WebhookRecord, '_id' | 'enabled'>,
  now: Date,
): Promise<DeliveryRecord[]> {
  const first = (forced: boolean) =>
    collection(scope, 'webhookDeliveries')
      .find({ webhookId: { $eq: _id }, status: 'waiting', forced, nextAt: { $lte: now } })
      .sort({ nextAt: 1, seq: 1 })
      .limit(MAX_DUE)
      .toArray();
  return (await Promise.all([first(true), enabled ? first(false) : []])).flat();
}

/** Makes the retries of a webhook due that were scheduled while the clock was ahead. */
export async function expediteFutureDeliveries(scope: Scope, webhookId: string, now: Date): Promise<void> {
  const forced = { $in: [true, false] }; // any value; lets the index, which has it before nextAt, find the range
  await collection(scope, 'webhookDeliveries').updateMany(
    { webhookId: { $eq: webhookId }, status: 'waiting', forced, nextAt: { $gt: latestRetry(now) } },
    { $set: { nextAt: now } },
  );
}

/** A delivery as it was before an attempt, and what the attempt changes. */
export type Attempt = { delivery: DeliveryRecord; fields: Partial<DeliveryRecord> };

/**
 * Records the outcomes of attempts, except for deliveries that were requested again or attempted by another process
 * meanwhile.
 */
export async function recordAttempts(scope: Scope, attempts: readonly Attempt[]): Promise<void> {
  if (!attempts.length) return;
  await collection(scope, 'webhookDeliveries').bulkWrite(
    attempts.map(({ delivery: { _id, createdAt, failures }, fields }) => ({
      updateOne: { filter: { _id: { $eq: _id }, status: 'waiting', createdAt, failures }, update: { $set: fields } },
    })),
  );
}

/** Returns whether anything was delivered to a webhook after a time. */
export async function deliveredSince(scope: Scope, webhookId: string, since: Date): Promise<boolean> {
  const filter = {
    webhookId: { $eq: webhookId },
    status: 'delivered' as const,
    forced: { $in: [true, false] }, // any value; lets the index, which has it before nextAt, find the range
    nextAt: { $gt: since },
  };
  return (await collection(scope, 'webhookDeliveries').findOne(filter, { projection: { _id: 1 } })) !== null;
}

/** Filters the deliveries of a webhook by status. */
export type DeliveryFilter = { webhookId: string; status?: DeliveryRecord['status'] | null };

/** Returns a page of the list of deliveries, by creation. */
export function listDeliveries(scope: Scope, filter: DeliveryFilter, window: PageRequest): Promise<DeliveryRecord[]> {
  return collection(scope, 'webhookDeliveries')
    .find(allOf([conditions(filter), ...startAfter<DeliveryRecord>('createdAt', window)]), within(scope))
    .sort(sortOrder('createdAt', window))
    .limit(window.limit)
    .toArray();
}

export function countDeliveries(scope: Scope, filter: DeliveryFilter): Promise<number> {
  return collection(scope, 'webhookDeliveries').countDocuments(conditions(filter), within(scope));
}

function conditions({ webhookId, status }: DeliveryFilter): Filter<DeliveryRecord> {
  return { webhookId: { $eq: webhookId }, ...(status ? { status } : {}) };
}
