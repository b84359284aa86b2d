// The order and equality of BSON values.

import type { Binary, Code, Long, ObjectId, Timestamp } from 'bson';
import { notImplemented, storeError } from '../protocol/errors.ts';
import type { Collation } from '../query/collation.ts';
import { lowerBound } from '../storage/lower-bound.ts';
import { asNumber, bsonTag, type Doc, isDocument, splitPath, type Value } from './bson.ts';
import { compareExact, exactOf } from './decimal.ts';

export { type Collation, compileCollation } from '../query/collation.ts';

/**
 * The rank of each type in the BSON order. A missing value (`undefined`) sorts below null, as does an empty array in a
 * sort.
 */
export const RANK = {
  minKey: 0,
  missing: 1,
  null: 2,
  number: 3,
  string: 4,
  object: 5,
  array: 6,
  binary: 7,
  objectId: 8,
  boolean: 9,
  date: 10,
  timestamp: 11,
  regex: 12,
  code: 13,
  codeWithScope: 14,
  maxKey: 15,
} as const;

/**
 * Compares two values of any BSON types in MongoDB's sort order. Returns a negative number, zero or a positive number.
 */
export function compare(a: Value, b: Value, collation?: Collation): number {
  if (a === b) return 0;
  const rank = rankOf(a);
  const other = rankOf(b);
  return rank === other ? compareSameRank(rank, a, b, collation) : rank - other;
}

/**
 * Whether two values are equal in the BSON order: 1 equals 1.0; documents are equal only if their fields have the same
 * order.
 */
export function equal(a: Value, b: Value, collation?: Collation): boolean {
  return compare(a, b, collation) === 0;
}

/** Compares the values of two documents for the paths of a sort. */
export function compareSortKeys(a: Value[], b: Value[], directions: (1 | -1)[], collation?: Collation): number {
  for (let at = 0; at < a.length; at++) {
    const order = compare(a[at], b[at], collation);
    if (order !== 0) return order * directions[at]!;
  }
  return 0;
}

/** Whether a sorted list contains the value. */
export function contains(sorted: readonly Value[], wanted: Value, collation?: Collation): boolean {
  const at = lowerBound(sorted.length, (at) => compare(sorted[at], wanted, collation) >= 0);
  return at < sorted.length && equal(sorted[at], wanted, collation);
}

type SortPart = { path: string; parts: readonly string[]; direction: 1 | -1 };

/** Validates a sort specification and returns its parts. */
export function sortParts(spec: Doc): SortPart[] {
  return Object.entries(spec).map(([path, order]) => {
    const direction = asNumber(order);
    if (isDocument(order)) throw notImplemented(`a sort by ${Object.keys(order)[0]}`);
    if (direction === undefined) throw storeError(15974, `Illegal key in $sort specification: ${path}`);
    if (direction !== 1 && direction !== -1)
      throw storeError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    if (path === '') throw storeError(40352, 'FieldPath cannot be constructed with empty string');
    if (path.startsWith('$'))
      throw storeError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
    return { path, parts: splitPath(path), direction };
  });
}

/** The rank of a value's type in the BSON order. */
export function rankOf(value: Value): number {
  switch (typeof value) {
    case 'string':
      return RANK.string;
    case 'number':
    case 'bigint':
      return RANK.number;
    case 'boolean':
      return RANK.boolean;
    case 'undefined':
      return RANK.missing;
  }
  if (value === null) return RANK.null;
  const tag = bsonTag(value);
  if (tag !== undefined)
    return tag === 'Code' && (value as Code).scope ? RANK.codeWithScope : (RANK_OF_TAG[tag] ?? RANK.object);
  if (Array.isArray(value)) return RANK.array;
  if (value instanceof Date) return RANK.date;
  return ArrayBuffer.isView(value) ? RANK.binary : RANK.object;
}

/** Compares by the byte order of UTF-8, i.e. by code points. The order of UTF-16 units differs only for surrogates. */
function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    const surrogates = Number(isSurrogate(x)) - Number(isSurrogate(y));
    return surrogates === 0 ? x - y : surrogates;
  }
  return a.length - b.length;
}

/** The bytes and the subtype of binary data. */
export function binaryParts(value: Value): { bytes: Uint8Array; subtype: number } {
  if (ArrayBuffer.isView(value))
    return { bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength), subtype: 0 };
  const binary = value as Binary;
  return { bytes: binary.buffer.subarray(0, binary.position), subtype: binary.sub_type };
}

/** The length that MongoDB compares: the data of subtype 2 begins with its length. */
export const storedLength = ({ bytes, subtype }: { bytes: Uint8Array; subtype: number }): number =>
  bytes.length + (subtype === 2 ? 4 : 0);

export function regexParts(value: Value): [pattern: string, options: string] {
  const { pattern, options } = value as { pattern: string; options: string };
  return [pattern, options];
}

function compareSameRank(rank: number, a: Value, b: Value, collation?: Collation): number {
  switch (rank) {
    case RANK.number:
      return compareNumbers(a, b);
    case RANK.string:
      return collation ? collation.compare(textOf(a), textOf(b)) : compareStrings(textOf(a), textOf(b));
    case RANK.object:
      return compareDocuments(a as Doc, b as Doc, collation);
    case RANK.array:
      return compareArrays(a as Value[], b as Value[], collation);
    case RANK.binary:
      return compareBinary(a, b);
    case RANK.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case RANK.boolean:
      return Number(a) - Number(b);
    case RANK.date:
      return Math.sign((a as Date).getTime() - (b as Date).getTime());
    case RANK.timestamp:
      return (a as Timestamp).compare(b as Timestamp);
    case RANK.regex: {
      const [pattern, options] = regexParts(a);
      const [otherPattern, otherOptions] = regexParts(b);
      return compareStrings(pattern, otherPattern) || compareStrings(options, otherOptions);
    }
    case RANK.code:
      return compareStrings((a as Code).code, (b as Code).code);
    case RANK.codeWithScope:
      return (
        compareStrings((a as Code).code, (b as Code).code) ||
        compareDocuments((a as Code).scope ?? {}, (b as Code).scope ?? {}, collation)
      );
    default:
      return 0;
  }
}

function compareNumbers(a: Value, b: Value): number {
  const x = asNumber(a)!;
  const y = asNumber(b)!;
  if (x < y) return -1;
  if (x > y) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
  // Conversion to double preserves the order, but close values may become equal.
  if (!mayExceedDouble(a) && !mayExceedDouble(b)) return 0;
  if (bsonTag(a) === 'Long' && bsonTag(b) === 'Long') return (a as Long).compare(b as Long);
  const exact = exactOf(a);
  const other = exactOf(b);
  if (exact && other) return compareExact(exact, other);
  // One value is an infinity, the other a decimal that exceeds the range of doubles.
  return exact ? -Math.sign(y) : other ? Math.sign(x) : 0;
}

function mayExceedDouble(value: Value): boolean {
  const tag = bsonTag(value);
  return tag === 'Long' || tag === 'Decimal128' || typeof value === 'bigint';
}

function compareDocuments(a: Doc, b: Doc, collation?: Collation): number {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  const length = Math.min(keys.length, others.length);
  for (let at = 0; at < length; at++) {
    const key = keys[at]!;
    const other = others[at]!;
    const rank = rankOf(a[key]);
    const order =
      rank - rankOf(b[other]) ||
      (key === other ? 0 : compareStrings(key, other)) ||
      (a[key] === b[other] ? 0 : compareSameRank(rank, a[key], b[other], collation));
    if (order !== 0) return order;
  }
  return keys.length - others.length;
}

function compareArrays(a: Value[], b: Value[], collation?: Collation): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const order = compare(a[at], b[at], collation);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBinary(a: Value, b: Value): number {
  const x = binaryParts(a);
  const y = binaryParts(b);
  return storedLength(x) - storedLength(y) || x.subtype - y.subtype || Buffer.compare(x.bytes, y.bytes);
}

const textOf = (value: Value): string =>
  typeof value === 'string' ? value : String((value as { value: string }).value);
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;

const RANK_OF_TAG: { [tag: string]: number } = {
  Int32: RANK.number,
  Double: RANK.number,
  Long: RANK.number,
  Decimal128: RANK.number,
  BSONSymbol: RANK.string,
  Binary: RANK.binary,
  ObjectId: RANK.objectId,
  Timestamp: RANK.timestamp,
  BSONRegExp: RANK.regex,
  Code: RANK.code,
  MinKey: RANK.minKey,
  MaxKey: RANK.maxKey,
};
