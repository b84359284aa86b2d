// Encodes BSON.

import { serialize } from 'bson';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Doc, Value } from './bson.ts';

/** Encodes a document; `undefined` is written as null. Rare types are encoded by the `bson` package. */
export function encode(doc: Doc): Buffer {
  if (typeof doc._bsontype === 'string') return Buffer.from(serialize(doc, SERIALIZE_OPTIONS));
  length = 0;
  depth = 0;
  writeDocument(doc);
  const encoded = Buffer.allocUnsafe(length);
  bytes.copy(encoded, 0, 0, length);
  if (bytes.length > MAX_BUFFER_BYTES) bytes = Buffer.allocUnsafe(INITIAL_BUFFER_BYTES);
  return encoded;
}

/** An encoded document, used as a value. */
export class Encoded {
  bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

const SERIALIZE_OPTIONS = { ignoreUndefined: false };
const INITIAL_BUFFER_BYTES = 16_384;
const MAX_BUFFER_BYTES = 2 ** 20;

// One growing buffer: a document is written without interruption and copied at its end.
let bytes = Buffer.allocUnsafe(INITIAL_BUFFER_BYTES);
let length = 0;
let depth = 0;

function reserve(more: number): void {
  if (length + more <= bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(length + more, bytes.length * 2));
  bytes.copy(larger, 0, 0, length);
  bytes = larger;
}

function writeDocument(doc: Doc): void {
  const start = beginDocument();
  for (const name of Object.keys(doc)) writeField(name, doc[name]);
  endDocument(start);
}

function writeArray(items: readonly Value[]): void {
  const start = beginDocument();
  for (let at = 0; at < items.length; at++) writeField(String(at), items[at]);
  endDocument(start);
}

// Deeper nesting is an error, because `decode` would reject it.
function beginDocument(): number {
  if (++depth > LIMITS.nestingLevels)
    throw storeError(15, `a document must not exceed ${LIMITS.nestingLevels} levels of nesting`);
  reserve(5);
  length += 4;
  return length - 4;
}

function endDocument(start: number): void {
  depth--;
  reserve(1);
  bytes[length++] = 0;
  putInt32(length - start, start);
}

// The type precedes the name and is known only after the value is written.
function writeField(name: string, value: Value): void {
  reserve(name.length * 3 + 2);
  const start = length++;
  writeText(name);
  for (let at = start + 1; at < length - 1; at++)
    if (bytes[at] === 0) throw storeError(22, `key ${name} must not contain null bytes`);
  const type = writeValue(value);
  bytes[start] = type;
}

function writeValue(value: Value): number {
  if (typeof value === 'string') return writeString(value);
  if (value === null || value === undefined) return 0x0a;
  if (typeof value === 'boolean') {
    reserve(1);
    bytes[length++] = value ? 1 : 0;
    return 0x08;
  }
  return typeof value === 'object' ? writeObject(value) : writeRare(value);
}

function writeObject(value: object): number {
  reserve(12);
  switch ((value as { _bsontype?: unknown })._bsontype ?? undefined) {
    case undefined:
      if (Array.isArray(value)) {
        writeArray(value);
        return 0x04;
      }
      if (value instanceof Date) return writeDate(value);
      if (value instanceof Encoded) return writeEncoded(value);
      if (ArrayBuffer.isView(value) || value instanceof RegExp) return writeRare(value);
      writeDocument(value as Doc);
      return 0x03;
    case 'Int32':
      putInt32((value as { value: number }).value, length);
      length += 4;
      return 0x10;
    case 'Double':
      length = bytes.writeDoubleLE((value as { value: number }).value, length);
      return 0x01;
    case 'Long': {
      const { low, high } = value as { low: number; high: number };
      putInt32(low, length);
      putInt32(high, length + 4);
      length += 8;
      return 0x12;
    }
    case 'ObjectId':
      bytes.set((value as { id: Uint8Array }).id, length);
      length += 12;
      return 0x07;
    default:
      return writeRare(value);
  }
}

function writeEncoded({ bytes: document }: Encoded): number {
  reserve(document.length);
  bytes.set(document, length);
  length += document.length;
  return 0x03;
}

function writeDate(value: Date): number {
  const time = value.getTime() || 0;
  const high = Math.floor(time / 2 ** 32);
  putInt32(time - high * 2 ** 32, length);
  putInt32(high, length + 4);
  length += 8;
  return 0x09;
}

function writeString(text: string): number {
  reserve(text.length * 3 + 5);
  const start = length;
  length += 4;
  writeText(text);
  putInt32(length - start - 4, start);
  return 0x02;
}

// The caller has reserved the space. For short ASCII text, a loop is faster than Buffer.write.
function writeText(text: string): void {
  const target = bytes;
  const start = length;
  let at = 0;
  if (text.length <= 64) {
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) break;
      target[start + at] = unit;
    }
  }
  length = start + (at < text.length ? target.write(text, start) : at);
  target[length++] = 0;
}

function writeRare(value: Value): number {
  const field = serialize({ '': value }, SERIALIZE_OPTIONS);
  reserve(field.length);
  // Skips the document length, the type and the empty name before the value, and the terminator after it.
  bytes.set(field.subarray(6, -1), length);
  length += field.length - 7;
  return field[4]!;
}

function putInt32(value: number, at: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}
