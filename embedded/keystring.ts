import type { Code, ObjectId, Timestamp } from 'bson';
import { asNumber, bsonTag, type Doc, type Value } from './bson.ts';
import { binaryParts, RANK, rankOf, regexParts } from './compare.ts';
import { compareExact, type Exact, exactOf } from './decimal.ts';

/**
 * The index key of a list of values: comparing keys byte by byte gives the BSON order of the values, field by field in the given directions; equal keys mean equal values.
 * No key of as many values is the beginning of another. `undefined` sorts below null: an index holds null for a missing field and `undefined` for an empty array.
 */
export function encodeKey(values: Value[], directions: readonly (1 | -1)[]): Buffer {
  const out = new KeyBytes();
  for (let at = 0; at < values.length; at++) {
    const start = out.length;
    writeValue(out, values[at]);
    if (directions[at] === -1) out.invertFrom(start);
  }
  return out.finish();
}

// A growing buffer; one piece of memory per key instead of one per part.
class KeyBytes {
  length = 0;
  #bytes = Buffer.allocUnsafe(64);

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  double(value: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    const start = this.length;
    this.length += 8;
    // NaN is the smallest number; -0 equals 0.
    if (Number.isNaN(value)) bytes.fill(0, start, start + 8);
    else {
      bytes.writeDoubleBE(value === 0 ? 0 : value, start);
      if (bytes[start]! & 0x80) this.invertFrom(start);
      else bytes[start]! |= 0x80;
    }
  }

  // 00 ends the text; 00 and 01 inside it become 01 01 and 01 02, so that no text is the beginning of another.
  text(value: string): void {
    this.#reserve(value.length * 6 + 1);
    const start = this.length;
    const end = start + this.#bytes.write(value, start);
    this.length = end;
    for (let at = start; at < end; at++) {
      if (this.#bytes[at]! > 1) continue;
      const rest = Buffer.from(this.#bytes.subarray(at, end));
      this.length = at;
      for (const byte of rest) {
        if (byte < 2) this.byte(1);
        this.byte(byte < 2 ? byte + 1 : byte);
      }
      break;
    }
    this.byte(0);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  invertFrom(start: number): void {
    for (let at = start; at < this.length; at++) this.#bytes[at]! ^= 0xff;
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length));
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.length + more, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

// Type bytes leave 0 for the end of arrays and documents, and 255 free.
const typeByte = (rank: number): number => (rank === RANK.maxKey ? 250 : rank + 10);

function writeValue(out: KeyBytes, value: Value): void {
  const rank = rankOf(value);
  out.byte(typeByte(rank));
  writeBody(out, rank, value);
}

function writeBody(out: KeyBytes, rank: number, value: Value): void {
  switch (rank) {
    case RANK.number:
      writeNumber(out, value);
      break;
    case RANK.string:
      out.text(typeof value === 'string' ? value : String((value as { value: string }).value));
      break;
    case RANK.object:
      writeDocument(out, value as Doc);
      break;
    case RANK.array:
      for (const item of value as Value[]) writeValue(out, item);
      out.byte(0);
      break;
    case RANK.binary: {
      const { bytes, subtype } = binaryParts(value);
      const head = Buffer.allocUnsafe(5);
      head.writeUInt32BE(bytes.length);
      head[4] = subtype;
      out.raw(head);
      out.raw(bytes);
      break;
    }
    case RANK.objectId:
      out.raw((value as ObjectId).id);
      break;
    case RANK.boolean:
      out.byte(value ? 1 : 0);
      break;
    case RANK.date:
      out.double((value as Date).getTime());
      break;
    case RANK.timestamp: {
      const bytes = Buffer.allocUnsafe(8);
      bytes.writeUInt32BE((value as Timestamp).getHighBitsUnsigned());
      bytes.writeUInt32BE((value as Timestamp).getLowBitsUnsigned(), 4);
      out.raw(bytes);
      break;
    }
    case RANK.regex: {
      const [pattern, options] = regexParts(value);
      out.text(pattern);
      out.text(options);
      break;
    }
    case RANK.code:
      out.text((value as Code).code);
      break;
    case RANK.codeWithScope:
      out.text((value as Code).code);
      writeDocument(out, (value as Code).scope ?? {});
  }
}

// Documents compare field by field: type, then name, then value.
function writeDocument(out: KeyBytes, doc: Doc): void {
  for (const key of Object.keys(doc)) {
    const rank = rankOf(doc[key]);
    out.byte(typeByte(rank));
    out.text(key);
    writeBody(out, rank, doc[key]);
  }
  out.byte(0);
}

const BELOW = 1;
const EXACT = 2;
const ABOVE = 3;

// The nearest double orders nearly everything; what it cannot hold (a Long beyond 2^53, a Decimal128) follows as exact digits.
function writeNumber(out: KeyBytes, value: Value): void {
  const number = asNumber(value)!;
  out.double(number);
  const tag = bsonTag(value);
  const fits = (tag !== 'Long' && tag !== 'Decimal128') || (tag === 'Long' && Number.isSafeInteger(number));
  const exact = fits ? undefined : exactOf(value);
  if (!exact) {
    out.byte(EXACT);
    return;
  }
  const rounded = exactOf(number);
  const order = rounded ? compareExact(exact, rounded) : -Math.sign(number);
  out.byte(order === 0 ? EXACT : order < 0 ? BELOW : ABOVE);
  if (order !== 0) writeDigits(out, exact);
}

function writeDigits(out: KeyBytes, { coefficient, exponent }: Exact): void {
  const start = out.length;
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  // Biased beyond the range of Decimal128 (±6176), so that it is positive.
  const magnitude = exponent + digits.length + 16_384;
  out.byte(magnitude >> 8);
  out.byte(magnitude & 0xff);
  out.text(digits.replace(/0+$/, ''));
  if (coefficient < 0n) out.invertFrom(start);
}
