// BSON values and documents, and functions to access them.

export { decode } from './bson-decode.ts';
export { Encoded, encode } from './bson-encode.ts';

/**
 * A BSON value. Numbers, dates, ids, binary data and regular expressions keep their BSON type; strings, booleans, null
 * and arrays are JavaScript values.
 */
export type Value = unknown;

/**
 * A document. JavaScript moves field names that look like array indexes to the front, here as in every JavaScript
 * client.
 */
export type Doc = { [key: string]: Value };

/**
 * Returns the document with `_id` as its first field, as MongoDB stores it. Drivers append a generated `_id` at the end.
 */
export function idFirst(doc: Doc): Doc {
  if (!hasField(doc, '_id') || firstField(doc) === '_id') return doc;
  const moved: Doc = { _id: doc._id };
  for (const key of Object.keys(doc)) if (key !== '_id') setField(moved, key, doc[key]);
  return moved;
}

/**
 * Returns all values at a dotted path in document order. Follows array indexes and documents in arrays. An array at the
 * end is one value.
 */
export function getPath(doc: Doc, path: string): Value[] {
  const found: Value[] = [];
  collect(doc, splitPath(path), 0, found);
  return found;
}

/**
 * Returns any BSON number as a JavaScript number (a Long or Decimal128 may lose digits); undefined for other values.
 */
export function asNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  switch (bsonTag(value)) {
    case 'Int32':
    case 'Double':
      return (value as { value: number }).value;
    case 'Long':
      return (value as { toNumber(): number }).toNumber();
    case 'Decimal128':
      return Number(String(value));
    default:
      return typeof value === 'bigint' ? Number(value) : undefined;
  }
}

/** The segments of a dotted path. */
export function splitPath(path: string): readonly string[] {
  const known = pathCache.get(path);
  if (known) return known;
  const parts = path.split('.');
  if (pathCache.size < 10_000) pathCache.set(path, parts);
  return parts;
}

/** Whether the value is an embedded document (not an array or a BSON scalar). */
export function isDocument(value: Value): value is Doc {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    bsonTag(value) === undefined &&
    !(value instanceof Date) &&
    !ArrayBuffer.isView(value)
  );
}

/** Whether the value has one of the four number types. */
export function isNumber(value: Value): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  const tag = bsonTag(value);
  return tag === 'Int32' || tag === 'Double' || tag === 'Long' || tag === 'Decimal128';
}

/** Whether a value counts as true: all values except false, zero, null and missing. */
export function isTruthy(value: Value): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || asNumber(value) !== 0;
}

/** The type name as in `$type`; 'missing' for undefined. */
export function typeName(value: Value): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'long';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 31 && !Object.is(value, -0) ? 'int' : 'double';
  }
  if (Array.isArray(value)) return 'array';
  const tag = bsonTag(value);
  if (tag === undefined) return value instanceof Date ? 'date' : ArrayBuffer.isView(value) ? 'binData' : 'object';
  if (tag === 'Code') return (value as { scope?: unknown }).scope ? 'javascriptWithScope' : 'javascript';
  return TYPE_OF_TAG[tag] ?? 'object';
}

/** The class name of a BSON scalar, such as 'Int32' or 'ObjectId'; undefined for JavaScript's own values. */
export function bsonTag(value: Value): string | undefined {
  return typeof value === 'object' && value !== null ? (value as { _bsontype?: string })._bsontype : undefined;
}

/** Sets a field of any name, including `__proto__`. */
export function setField(doc: Doc, key: string, value: Value): void {
  if (key === '__proto__')
    Object.defineProperty(doc, key, { value, enumerable: true, writable: true, configurable: true });
  else doc[key] = value;
}

/** Whether the document has the field as an own property. */
export function hasField(doc: Doc, key: string): boolean {
  return Object.hasOwn(doc, key);
}

/** Returns the own field of that name; undefined if it is missing. */
export function getField(doc: Doc, key: string): Value {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

/** The name of the first field; undefined if the document is empty. */
export function firstField(doc: Doc): string | undefined {
  for (const key in doc) return key;
  return undefined;
}

/** Copies documents and arrays deeply; BSON scalars are immutable and shared. */
export function cloneValue<T>(value: T): T;
export function cloneValue(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => cloneValue(item));
  if (!isDocument(value)) return value;
  const copy: Doc = {};
  for (const key of Object.keys(value)) setField(copy, key, cloneValue(value[key]));
  return copy;
}

/** Whether a path segment is an array index such as '0' or '12'. */
export function isIndex(segment: string): boolean {
  const first = segment.charCodeAt(0);
  return first >= 48 && first <= 57 && /^(?:0|[1-9]\d*)$/.test(segment);
}

function collect(value: Value, parts: readonly string[], from: number, found: Value[]): void {
  if (from === parts.length) {
    if (value !== undefined) found.push(value);
    return;
  }
  const part = parts[from]!;
  if (Array.isArray(value)) {
    if (isIndex(part) && Number(part) < value.length) collect(value[Number(part)], parts, from + 1, found);
    for (const item of value) if (isDocument(item)) collect(item, parts, from, found);
  } else if (isDocument(value)) collect(getField(value, part), parts, from + 1, found);
}

const pathCache = new Map<string, readonly string[]>();

const TYPE_OF_TAG: { [tag: string]: string } = {
  Int32: 'int',
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  Binary: 'binData',
  ObjectId: 'objectId',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};
