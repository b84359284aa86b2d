// Encodes values as index keys.

import type { Code, ObjectId, Timestamp } from 'bson';
import { asNumber, bsonTag, type Doc, type Value } from '../values/bson.ts';
import { binaryParts, RANK, rankOf, regexParts, storedLength } from '../values/compare.ts';
import { compareExact, type Exact, exactOf } from '../values/decimal.ts';

/**
 * Returns the index key of a list of values. The byte order of keys is the BSON order of the values, field by field in
 * the given directions; equal keys mean equal values. No key is a prefix of another key with as many values.
 * `undefined` sorts below null: an index uses null for a missing field and `undefined` for an empty array. `before` and
 * `after` are added to the key unchanged.
 */
export function encodeKey(
  values: readonly Value[],
  directions: readonly (1 | -1)[],
  before: Buffer = EMPTY,
  after: Buffer = EMPTY,
): Buffer {
  length = 0;
  writeBytes(before);
  for (let at = 0; at < values.length; at++) {
    const start = length;
    writeValue(values[at]);
    if (directions[at] === -1) invertFrom(start);
  }
  writeBytes(after);
  const key = Buffer.allocUnsafe(length);
  bytes.copy(key, 0, 0, length);
  return key;
}

const EMPTY = Buffer.alloc(0);

// One growing buffer for all keys: a key is written without interruption and copied at its end.
let bytes = Buffer.allocUnsafe(4096);
let length = 0;

function reserve(more: number): void {
  if (length + more <= bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(length + more, bytes.length * 2));
  bytes.copy(larger, 0, 0, length);
  bytes = larger;
}

function writeByte(value: number): void {
  reserve(1);
  bytes[length++] = value;
}

function writeBytes(source: Uint8Array): void {
  reserve(source.length);
  bytes.set(source, length);
  length += source.length;
}

function writeUInt32(value: number): void {
  reserve(4);
  length = bytes.writeUInt32BE(value, length);
}

function writeDouble(value: number): void {
  reserve(8);
  const start = length;
  length += 8;
  // NaN is the smallest number; -0 equals 0.
  if (Number.isNaN(value)) bytes.fill(0, start, length);
  else {
    bytes.writeDoubleBE(value === 0 ? 0 : value, start);
    if (bytes[start]! & 0x80) invertFrom(start);
    else bytes[start]! |= 0x80;
  }
}

// 00 ends the text. The bytes 00 and 01 of the text become 01 01 and 01 02, so that no text is a prefix of another.
function writeText(text: string): void {
  // A UTF-16 unit takes up to three bytes, an escaped byte two.
  reserve(text.length * 3 + 1);
  const start = length;
  let at = 0;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127 || unit < 2) break;
    bytes[length++] = unit;
  }
  if (at < text.length) {
    length = start;
    for (const byte of Buffer.from(text)) {
      if (byte < 2) bytes[length++] = 1;
      bytes[length++] = byte < 2 ? byte + 1 : byte;
    }
  }
  bytes[length++] = 0;
}

function invertFrom(start: number): void {
  for (let at = start; at < length; at++) bytes[at]! ^= 0xff;
}

// Type bytes: 0 is reserved for the end of arrays and documents, 255 is unused.
const typeByte = (rank: number): number => (rank === RANK.maxKey ? 250 : rank + 10);

function writeValue(value: Value): void {
  const rank = rankOf(value);
  writeByte(typeByte(rank));
  writeBody(rank, value);
}

function writeBody(rank: number, value: Value): void {
  switch (rank) {
    case RANK.number:
      writeNumber(value);
      break;
    case RANK.string:
      writeText(typeof value === 'string' ? value : String((value as { value: string }).value));
      break;
    case RANK.object:
      writeDocument(value as Doc);
      break;
    case RANK.array:
      for (const item of value as Value[]) writeValue(item);
      writeByte(0);
      break;
    case RANK.binary: {
      const data = binaryParts(value);
      writeUInt32(storedLength(data));
      writeByte(data.subtype);
      writeBytes(data.bytes);
      break;
    }
    case RANK.objectId:
      writeBytes((value as ObjectId).id);
      break;
    case RANK.boolean:
      writeByte(value ? 1 : 0);
      break;
    case RANK.date:
      writeDouble((value as Date).getTime());
      break;
    case RANK.timestamp:
      writeUInt32((value as Timestamp).getHighBitsUnsigned());
      writeUInt32((value as Timestamp).getLowBitsUnsigned());
      break;
    case RANK.regex: {
      const [pattern, options] = regexParts(value);
      writeText(pattern);
      writeText(options);
      break;
    }
    case RANK.code:
      writeText((value as Code).code);
      break;
    case RANK.codeWithScope:
      writeText((value as Code).code);
      writeDocument((value as Code).scope ?? {});
  }
}

// Documents compare field by field: type, then name, then value.
function writeDocument(doc: Doc): void {
  for (const key of Object.keys(doc)) {
    const rank = rankOf(doc[key]);
    writeByte(typeByte(rank));
    writeText(key);
    writeBody(rank, doc[key]);
  }
  writeByte(0);
}

const BELOW = 1;
const EXACT = 2;
const ABOVE = 3;

// The nearest double orders almost all numbers. If it is not exact (a Long above 2^53, a Decimal128), the exact digits
// follow.
function writeNumber(value: Value): void {
  const number = asNumber(value)!;
  writeDouble(number);
  const tag = bsonTag(value);
  const fits = (tag !== 'Long' && tag !== 'Decimal128') || (tag === 'Long' && Number.isSafeInteger(number));
  const exact = fits ? undefined : exactOf(value);
  if (!exact) {
    writeByte(EXACT);
    return;
  }
  const rounded = exactOf(number);
  const order = rounded ? compareExact(exact, rounded) : -Math.sign(number);
  writeByte(order === 0 ? EXACT : order < 0 ? BELOW : ABOVE);
  if (order !== 0) writeDigits(exact);
}

function writeDigits({ coefficient, exponent }: Exact): void {
  const start = length;
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  // The bias exceeds the exponents of Decimal128 (±6176), so that the result is positive.
  const magnitude = exponent + digits.length + 16_384;
  writeByte(magnitude >> 8);
  writeByte(magnitude & 0xff);
  writeText(digits.replace(/0+$/, ''));
  if (coefficient < 0n) invertFrom(start);
}
