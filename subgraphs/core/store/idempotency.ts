// Stored results and responses of writes with an idempotency key.
import {
  assertReplayable,
  IDEMPOTENCY_KEY_HOURS,
  type IdempotencyKey,
  type StoredResponse,
} from '../domain/access/idempotency-key.ts';
import { change, find, insert, remove } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { IdempotencyRecord } from './schema/collections.ts';

/** Returns what is stored for a key, or null. Ignores expired records that the store has not deleted yet. */
export async function findStoredWrite(scope: Scope, id: string, now: Date): Promise<IdempotencyRecord | null> {
  const record = await find(scope, 'idempotency', id);
  return record && record.expiresAt > now ? record : null;
}

/**
 * Returns the result of an earlier run of the command under this key, or null. Throws `idempotency_mismatch` if the key
 * was used for another request, and `response_not_replayable` if the response contained a secret.
 */
export async function storedResult(
  work: Write,
  key: IdempotencyKey,
  command: string,
): Promise<{ result: unknown } | null> {
  const record = await findStoredWrite(work, key.id, work.now);
  if (!record) return null;
  assertReplayable(record, key);
  const field = resultField(key, command);
  return Object.hasOwn(record.results, field) ? { result: record.results[field] } : null;
}

/** Stores the result of a command in its own transaction, so that a repeated request gets it without a second run. */
export async function storeResult(
  work: Write,
  key: IdempotencyKey,
  command: string,
  { result, neverReplay }: { result: unknown; neverReplay: boolean },
): Promise<void> {
  const record = await find(work, 'idempotency', key.id);
  const isExpired = record !== null && record.expiresAt <= work.now;
  const results = neverReplay ? {} : { [resultField(key, command)]: result ?? null };
  const fields = { toldOnce: neverReplay, results: { ...(isExpired ? {} : record?.results), ...results } };
  if (record && !isExpired) {
    await change(work, 'idempotency', key.id, fields);
    return;
  }
  if (record) await remove(work, 'idempotency', key.id);
  const expiresAt = new Date(work.now.getTime() + IDEMPOTENCY_KEY_HOURS * 3_600_000);
  await insert(work, 'idempotency', { _id: key.id, request: key.request, answer: null, expiresAt, ...fields });
}

function resultField({ step }: IdempotencyKey, command: string): string {
  return step ? `${command} ${step}` : command;
}

/**
 * Stores the response of a request whose write is stored, so that a repeated request gets the same bytes. Returns null,
 * or the response that a concurrent request stored before. Responses with secrets are not stored.
 */
export async function storeResponse(
  scope: Scope,
  { id }: IdempotencyKey,
  answer: StoredResponse,
): Promise<StoredResponse | null> {
  const first = { _id: { $eq: id }, toldOnce: false, answer: null };
  const { matchedCount } = await collection(scope, 'idempotency').updateOne(first, { $set: { answer } }, within(scope));
  return matchedCount ? null : ((await find(scope, 'idempotency', id))?.answer ?? null);
}
