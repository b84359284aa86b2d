import { Double, Int32, Long } from 'bson';
import { type Doc, encode } from '../values/bson.ts';
import type { StoreError } from './errors.ts';

export const int = (value: number): Int32 => new Int32(value);
export const long = (value: number | bigint): Long =>
  typeof value === 'bigint' ? Long.fromBigInt(value) : Long.fromNumber(value);
export const YES = new Double(1);
export const NO = new Double(0);

/** An answer with `ok: 0`. */
export function failure(error: StoreError): Doc {
  const labels = error.labels.length > 0 ? { errorLabels: error.labels } : {};
  return { ok: NO, errmsg: error.message, code: int(error.code), codeName: error.codeName, ...labels, ...error.extra };
}

/** One entry of `writeErrors`. */
export const writeError = (error: StoreError, index: number): Doc => ({
  index: int(index),
  code: int(error.code),
  errmsg: error.message,
  ...error.extra,
});

/** The head of a message that its frame writes: every whole answer leaves this much room in front. */
export const HEAD = 21;

/** An answer that went well: the fields, then the ending of the clock. */
export function documentReply(fields: Doc, ending: Buffer): Buffer {
  const bytes = encode(fields);
  const size = bytes.length + ending.length;
  const reply = Buffer.allocUnsafe(HEAD + size);
  reply.set(bytes, HEAD);
  reply.writeInt32LE(size, HEAD);
  // Over the closing zero of the fields.
  reply.set(ending, HEAD + bytes.length - 1);
  reply[HEAD + size - 1] = 0;
  return reply;
}

/** The answer of a cursor: the stored bytes are copied into place, never decoded and encoded again. */
export function cursorReply(
  namespace: string,
  batchName: 'firstBatch' | 'nextBatch',
  batch: Buffer[],
  id: bigint,
  ending: Buffer,
): Buffer {
  let batchSize = 5;
  for (let at = 0; at < batch.length; at++) batchSize += 2 + digits(at) + batch[at]!.length;
  const nameSize = Buffer.byteLength(namespace) + 1;
  const cursorSize = 4 + (batchName.length + 2) + batchSize + 12 + 4 + 4 + nameSize + 1;
  const size = 4 + 8 + cursorSize + ending.length + 1;
  const reply = Buffer.allocUnsafe(HEAD + size);
  let to = reply.writeInt32LE(size, HEAD);
  to += reply.write('\x03cursor\0', to, 'latin1');
  to = reply.writeInt32LE(cursorSize, to);
  to += reply.write(`\x04${batchName}\0`, to, 'latin1');
  to = reply.writeInt32LE(batchSize, to);
  for (let at = 0; at < batch.length; at++) {
    to = writeIndex(reply, at, to);
    reply.set(batch[at]!, to);
    to += batch[at]!.length;
  }
  reply[to++] = 0;
  to += reply.write('\x12id\0', to, 'latin1');
  to = reply.writeBigInt64LE(id, to);
  to += reply.write('\x02ns\0', to, 'latin1');
  to = reply.writeInt32LE(nameSize, to);
  to += reply.write(`${namespace}\0`, to);
  reply[to++] = 0;
  reply.set(ending, to);
  reply[to + ending.length] = 0;
  return reply;
}

// The type of a document and its index as text.
function writeIndex(reply: Buffer, index: number, to: number): number {
  const end = to + 1 + digits(index);
  reply[to] = 3;
  let rest = index;
  for (let at = end - 1; at > to; at--) {
    reply[at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  reply[end] = 0;
  return end + 1;
}

const digits = (value: number): number => (value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : String(value).length);
