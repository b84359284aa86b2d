// Encodes replies.
import { Double, Int32, Long } from 'bson';
import { type Doc, encode } from '../values/bson.ts';
import type { StoreError } from './errors.ts';

export const int = (value: number): Int32 => new Int32(value);
export const long = (value: number | bigint): Long =>
  typeof value === 'bigint' ? Long.fromBigInt(value) : Long.fromNumber(value);
export const OK = new Double(1);
export const NOT_OK = new Double(0);

/** Returns an error reply (`ok: 0`). */
export function errorReply(error: StoreError): Doc {
  const labels = error.labels.length > 0 ? { errorLabels: error.labels } : {};
  return {
    ok: NOT_OK,
    errmsg: error.message,
    code: int(error.code),
    codeName: error.codeName,
    ...labels,
    ...error.extra,
  };
}

/** Returns an entry of `writeErrors`. */
export const writeError = (error: StoreError, index: number): Doc => ({
  index: int(index),
  code: int(error.code),
  errmsg: error.message,
  ...error.extra,
});

/** Bytes reserved at the start of an encoded reply for the message header. */
export const HEADER_BYTES = 21;

/** Encodes a successful reply: the fields, then the end that the clock provides. */
export function encodeDocumentReply(fields: Doc, ending: Buffer): Buffer {
  const bytes = encode(fields);
  const size = bytes.length + ending.length;
  const reply = Buffer.allocUnsafe(HEADER_BYTES + size);
  reply.set(bytes, HEADER_BYTES);
  reply.writeInt32LE(size, HEADER_BYTES);
  // Overwrites the terminating zero of the fields.
  reply.set(ending, HEADER_BYTES + bytes.length - 1);
  reply[HEADER_BYTES + size - 1] = 0;
  return reply;
}

/** Encodes a cursor reply. The stored documents are copied, not decoded. */
export function encodeCursorReply(
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
  const reply = Buffer.allocUnsafe(HEADER_BYTES + size);
  let to = reply.writeInt32LE(size, HEADER_BYTES);
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

// Writes the type of an embedded document and its array index as a string; returns the next position.
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
