import { Double, Int32, Long } from 'bson';
import type { Doc } from './bson.ts';
import { encodeBytes } from './bytes.ts';
import type { StoreError } from './errors.ts';

export const int = (value: number): Int32 => new Int32(value);
export const long = (value: number | bigint): Long => (typeof value === 'bigint' ? Long.fromBigInt(value) : Long.fromNumber(value));
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

/** The answer of a cursor: the stored bytes are copied into place, never decoded and encoded again. */
export function cursorReply(namespace: string, batchName: 'firstBatch' | 'nextBatch', batch: Buffer[], id: bigint, rest: Doc): Buffer {
  const names = batch.map((_, at) => Buffer.from(`\x03${at}\0`, 'latin1'));
  const batchSize = batch.reduce((sum, document, at) => sum + document.length + names[at]!.length, 5);
  const batchHead = Buffer.from(`\x04${batchName}\0`, 'latin1');
  const idField = Buffer.alloc(12);
  idField.write('\x12id\0', 'latin1');
  idField.writeBigInt64LE(id, 4);
  const text = Buffer.from(`${namespace}\0`);
  const nsField = Buffer.concat([Buffer.from('\x02ns\0', 'latin1'), int32(text.length), text]);
  const cursorSize = 4 + batchHead.length + batchSize + idField.length + nsField.length + 1;
  const tail = encodeBytes(rest);
  const head = Buffer.from('\x03cursor\0', 'latin1');
  const total = 4 + head.length + cursorSize + tail.length - 4;
  const parts = [int32(total), head, int32(cursorSize), batchHead, int32(batchSize)];
  for (const [at, document] of batch.entries()) parts.push(names[at]!, document);
  parts.push(END, idField, nsField, END, tail.subarray(4));
  return Buffer.concat(parts, total);
}

const END = Buffer.of(0);

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32LE(value);
  return bytes;
}
