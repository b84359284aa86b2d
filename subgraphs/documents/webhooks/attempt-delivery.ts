// Sends an event to a webhook, once.
import { retryDelayMs, signatureHeaders } from '../../core/domain/access/webhook.ts';
import { formatEvent } from '../../core/domain/audit/cloud-event.ts';
import { publishDelivery } from '../../core/platform/instrumentation.ts';
import { decryptWebhookSecret } from '../../core/platform/webhook-secret.ts';
import { seqOfRecords } from '../../core/store/audit/audit-log.ts';
import { actorNames, endOfLog, type SealedRecord } from '../../core/store/audit/sealed-events.ts';
import { find } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { DeliveryRecord, WebhookRecord } from '../../core/store/schema/collections.ts';
import { type Attempt, deliveredSince, recordAttempts } from '../../core/store/webhooks.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { SERVICE_ACTOR } from '../access/issue-token.ts';
import { disableWebhook } from './disable-webhook.ts';
import { type PostResult, postWebhook } from './post-webhook.ts';

const MAX_STORED_TRIES = 10;
const GONE = 410;

/** `event`: what the delivery sends, with the name of its log; undefined if it must be read. */
export type Due = { delivery: DeliveryRecord; event?: (SealedRecord & { log: string }) | undefined };

/** `lookIn` looks for due deliveries after `ms`, if no other look comes before. */
export type AttemptContext = { stopping: AbortSignal; timeoutMs: number; lookIn(ms: number): void };

/**
 * Attempts one delivery. Returns the result to store if it succeeded, null if the result is stored, and `unsealed` if the
 * event cannot be delivered yet.
 */
export async function attemptDelivery(
  services: Services,
  webhook: WebhookRecord,
  { delivery, event }: Due,
  context: AttemptContext,
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
  { lookIn }: AttemptContext,
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
