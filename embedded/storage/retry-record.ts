// The records that make writes retryable.

import { Binary, Long } from 'bson';
import type { Progress } from '../commands/write-steps.ts';
import { sessionKey, sessionRange } from '../data/keys.ts';
import { storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, decode, type Value } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Storage } from './storage.ts';
import type { View, WriteView } from './view.ts';

const TTL_MS = 30 * 60_000;
const MAX_REMOVED_PER_CALL = 1000;

/**
 * A retryable write: the session and the transaction number. The driver retries with the same number if it received no
 * response.
 */
export type RetryableWrite = { session: Uint8Array; number: bigint };

/** The stored response of a retryable write, or its progress if it is not complete. */
export type RetryRecord = { reply: Doc } | { progress: Progress };

/**
 * Returns the record of this write if it was sent before. Throws TransactionTooOld (225) if the session has started a
 * newer write.
 */
export function findRetryRecord(view: View, { session, number }: RetryableWrite): RetryRecord | undefined {
  const stored = view.get(sessionKey(session));
  if (!stored) return undefined;
  const done = stored.readBigInt64LE(NUMBER_AT);
  if (done > number) {
    throw storeError(
      225,
      `Retryable write with txnNumber ${number} is prohibited on session because a newer retryable write with txnNumber ${done} has already started on this session.`,
    );
  }
  if (done < number) return undefined;
  const { reply, progress } = decode(stored);
  return progress ? { progress: readProgress(progress as Doc) } : { reply: reply as Doc };
}

function readProgress({ done, counts, lists }: Doc): Progress {
  const numbers = Object.entries(counts as Doc).map(([name, count]): [string, number] => [name, asNumber(count) ?? 0]);
  return { done: asNumber(done) ?? 0, counts: Object.fromEntries(numbers), lists: lists as Progress['lists'] };
}

// `number` is the first field: the document length, a type byte and the field name precede it.
const NUMBER_AT = 4 + 1 + 'number\0'.length;

/** Stores the record in the same commit as the write itself, so that both are on disk or neither. */
export function saveRetryRecord(view: WriteView, { session, number }: RetryableWrite, record: RetryRecord): void {
  const stored = encodeBytes({ number: Long.ZERO, at: new Date(), ...record });
  stored.writeBigInt64LE(number, NUMBER_AT);
  view.mark(sessionKey(session), stored);
}

/**
 * Runs the retryable writes of a session one after the other, so that a retry waits until the first attempt has ended.
 */
export type SerialRunner = <T>(session: string, write: () => Promise<T>) => Promise<T>;

export function createSerialRunner(): SerialRunner {
  const running = new Map<string, Promise<unknown>>();
  return async (session, write) => {
    const previous = running.get(session);
    const current = previous ? previous.then(write, write) : write();
    running.set(session, current);
    try {
      return await current;
    } finally {
      if (running.get(session) === current) running.delete(session);
    }
  };
}

/** Removes records that are older than the lifetime of a session (30 minutes). */
export async function removeExpiredRetryRecords(storage: Storage): Promise<void> {
  const oldest = Date.now() - TTL_MS;
  const snapshot = storage.snapshot();
  const expired: Buffer[] = [];
  try {
    for (const { key, value } of snapshot.range(...sessionRange())) {
      const { at } = decode(value);
      if (at instanceof Date && at.getTime() < oldest) expired.push(key);
      if (expired.length >= MAX_REMOVED_PER_CALL) break;
    }
  } finally {
    snapshot.close();
  }
  if (expired.length === 0) return;
  await storage.write(
    (view) => {
      for (const key of expired) {
        const stored = view.get(key);
        const at = stored && decode(stored).at;
        if (at instanceof Date && at.getTime() < oldest) view.remove(key);
      }
    },
    { allowWhenFull: true },
  );
}

/** Returns the session id of an `lsid`; undefined if there is none. */
export function sessionOf(lsid: Value): Uint8Array | undefined {
  const id = typeof lsid === 'object' && lsid !== null && 'id' in lsid ? lsid.id : undefined;
  // A copy: the original bytes belong to the buffer of the whole message.
  return id instanceof Binary ? new Uint8Array(id.buffer.subarray(0, id.position)) : undefined;
}

/** Returns a session id as hexadecimal text. The last result is cached because a command calls this several times. */
export function sessionName(session: Uint8Array): string {
  if (session !== lastNamed.session)
    lastNamed = { session, name: Buffer.from(session.buffer, session.byteOffset, session.length).toString('hex') };
  return lastNamed.name;
}

let lastNamed: { session?: Uint8Array; name: string } = { name: '' };

// The conversion methods of Long go through text and are slower.
export const toBigInt = (value: Value): bigint =>
  value instanceof Long ? (BigInt(value.high) << 32n) | BigInt(value.low >>> 0) : BigInt(Math.trunc(Number(value)));
