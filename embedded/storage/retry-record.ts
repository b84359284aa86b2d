import { Binary, Long } from 'bson';
import type { Progress } from '../commands/write-steps.ts';
import { sessionKey, sessionRange } from '../data/keys.ts';
import { storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, decode, type Value } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Storage } from './storage.ts';
import type { View, WriteView } from './view.ts';

const KEPT_MS = 30 * 60_000;
const MOST_REMOVED = 1000;

/** Who writes and which write of theirs this is: the driver repeats a write with the same number when it got no answer. */
export type WriteNumber = { session: Uint8Array; number: bigint };

/** What is kept of a numbered write: its answer, or how far it has come. */
export type Kept = { reply: Doc } | { progress: Progress };

/** What is known of this write if it was sent before; 225 when the session has gone further since. */
export function earlierWrite(view: View, { session, number }: WriteNumber): Kept | undefined {
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

// The number comes first: the length of the document, a type and the name stand before it.
const NUMBER_AT = 4 + 1 + 'number\0'.length;

/** Keeps it in the same commit as the write itself, so both are on disk or neither. */
export function keepWrite(view: WriteView, { session, number }: WriteNumber, kept: Kept): void {
  const stored = encodeBytes({ number: Long.ZERO, at: new Date(), ...kept });
  stored.writeBigInt64LE(number, NUMBER_AT);
  view.mark(sessionKey(session), stored);
}

/** Runs the numbered writes of a session one after the other: one that is sent again while the first still runs waits for its end. */
export type SerialRunner = <T>(session: string, write: () => Promise<T>) => Promise<T>;

export function createSerialRunner(): SerialRunner {
  const running = new Map<string, Promise<unknown>>();
  return async (session, write) => {
    const before = running.get(session);
    const mine = before ? before.then(write, write) : write();
    running.set(session, mine);
    try {
      return await mine;
    } finally {
      if (running.get(session) === mine) running.delete(session);
    }
  };
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
    { allowWhenFull: true },
  );
}

/** Session bytes of an `lsid`; undefined without one. */
export function sessionOf(lsid: Value): Uint8Array | undefined {
  const id = typeof lsid === 'object' && lsid !== null && 'id' in lsid ? lsid.id : undefined;
  // Copied: it lies in the memory of a whole message.
  return id instanceof Binary ? new Uint8Array(id.buffer.subarray(0, id.position)) : undefined;
}

/** A session as text. A command asks for that of its own several times. */
export function sessionName(session: Uint8Array): string {
  if (session !== lastNamed.session)
    lastNamed = { session, name: Buffer.from(session.buffer, session.byteOffset, session.length).toString('hex') };
  return lastNamed.name;
}

let lastNamed: { session?: Uint8Array; name: string } = { name: '' };

// What Long offers goes by way of text.
export const toBigInt = (value: Value): bigint =>
  value instanceof Long ? (BigInt(value.high) << 32n) | BigInt(value.low >>> 0) : BigInt(Math.trunc(Number(value)));
