import { Binary, Long } from 'bson';
import { type Doc, decode, type Value } from './bson.ts';
import { encodeBytes } from './bytes.ts';
import { storeError } from './errors.ts';
import { sessionKey, sessionRange } from './keys.ts';
import type { Storage } from './storage.ts';
import type { View, WriteView } from './view.ts';

const KEPT_MS = 30 * 60_000;
const MOST_REMOVED = 1000;

/** Who writes and which write of theirs this is: the driver repeats a write with the same number when it got no answer. */
export type WriteNumber = { session: Uint8Array; number: bigint };

/** The answer given to this write before, if it was done already; 225 when the session has gone further since. */
export function earlierReply(view: View, { session, number }: WriteNumber): Doc | undefined {
  const stored = view.get(sessionKey(session));
  if (!stored) return undefined;
  const { number: last, reply } = decode(stored);
  const done = toBigInt(last);
  if (done > number) {
    throw storeError(
      225,
      `Retryable write with txnNumber ${number} is prohibited on session because a newer retryable write with txnNumber ${done} has already started on this session.`,
    );
  }
  return done === number ? (reply as Doc) : undefined;
}

/** Keeps the answer in the same commit as the write itself, so both are on disk or neither. */
export function keepReply(view: WriteView, { session, number }: WriteNumber, reply: Doc): void {
  view.mark(sessionKey(session), encodeBytes({ number: Long.fromBigInt(number), at: new Date(), reply }));
}

/** Removes the answers nobody can ask for again (30 minutes, the life of a session). */
export async function forgetOldReplies(storage: Storage): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  const snapshot = storage.snapshot();
  const old: Buffer[] = [];
  try {
    for (const { key, value } of snapshot.range(...sessionRange())) {
      const { at } = decode(value);
      if (at instanceof Date && at.getTime() < oldest) old.push(key);
      if (old.length >= MOST_REMOVED) break;
    }
  } finally {
    snapshot.close();
  }
  if (old.length === 0) return;
  await storage.write(
    (view) => {
      for (const key of old) {
        const stored = view.get(key);
        const at = stored && decode(stored).at;
        if (at instanceof Date && at.getTime() < oldest) view.remove(key);
      }
    },
    { shrinking: true },
  );
}

/** Session bytes of an `lsid`; undefined without one. */
export function sessionOf(lsid: Value): Uint8Array | undefined {
  const id = typeof lsid === 'object' && lsid !== null && 'id' in lsid ? lsid.id : undefined;
  return id instanceof Binary ? Uint8Array.from(id.buffer.subarray(0, id.position)) : undefined;
}

export const toBigInt = (value: Value): bigint => (value instanceof Long ? value.toBigInt() : BigInt(Math.trunc(Number(value))));
