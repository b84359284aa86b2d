import {
  IDEMPOTENCY_KEY_HOURS,
  type StoredResponse,
  type IdempotencyKey,
  assertReplayable,
} from '../domain/access/idempotency-key.ts';
import { find } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { IdempotencyRecord } from './schema/collections.ts';

/** What is kept under a key, or null; what has ended counts as nothing, although the store deletes it only a minute or so later. */
export async function findStoredWrite(scope: Scope, id: string, now: Date): Promise<IdempotencyRecord | null> {
  const record = await find(scope, 'idempotency', id);
  return record && record.expiresAt > now ? record : null;
}

/**
 * What the command answered when it ran under this key before; null when it did not. Refuses another request under the same key
 * (`idempotency_mismatch`), and to repeat what is told only once (`response_not_replayable`).
 */
export async function storedResult(
  work: Write,
  once: IdempotencyKey,
  command: string,
): Promise<{ result: unknown } | null> {
  const record = await findStoredWrite(work, once.id, work.now);
  if (!record) return null;
  assertReplayable(record, once);
  const name = nameOf(once, command);
  return Object.hasOwn(record.results, name) ? { result: record.results[name] } : null;
}

/** Keeps what a command answers, in its own transaction: whoever repeats the request gets this, and the command does not run again. */
export async function storeResult(
  work: Write,
  once: IdempotencyKey,
  command: string,
  { result, toldOnce }: { result: unknown; toldOnce: boolean },
): Promise<void> {
  const record = await find(work, 'idempotency', once.id);
  if (record && record.expiresAt <= work.now)
    await collection(work, 'idempotency').deleteOne({ _id: { $eq: once.id } }, within(work));
  const expiresAt = new Date(work.now.getTime() + IDEMPOTENCY_KEY_HOURS * 3_600_000);
  const results = toldOnce ? { toldOnce } : { toldOnce, [`results.${nameOf(once, command)}`]: result ?? null };
  await collection(work, 'idempotency').updateOne(
    { _id: { $eq: once.id } },
    {
      $setOnInsert: { request: once.request, answer: null, expiresAt, ...(toldOnce ? { results: {} } : {}) },
      $set: results,
    },
    { upsert: true, ...within(work) },
  );
}

function nameOf({ step }: IdempotencyKey, command: string): string {
  return step ? `${command} ${step}` : command;
}

/**
 * Keeps the whole answer of a request whose write is kept, so that a repetition gets the same bytes; not what is told only once. Of requests at the same
 * time the first to come keeps its own, the others get that one; null: this is the first, or nothing is kept.
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
