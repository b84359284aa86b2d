export { decode } from './bson-decode.ts';
export { Encoded, encode } from './bson-encode.ts';

/** A BSON value: numbers, dates, ids, binary data and regular expressions keep their BSON type; strings, booleans, null and arrays are JavaScript's. */
export type Value = unknown;

/** A document. JavaScript puts field names that look like array indexes first, in the store as in the driver of every JavaScript client. */
export type Doc = { [key: string]: Value };

/** The same document with `_id` as its first field: the order a server stores (the driver puts a generated id last). */
export function idFirst(doc: Doc): Doc {
  if (!hasField(doc, '_id') || firstField(doc) === '_id') return doc;
  const moved: Doc = { _id: doc._id };
  for (const key of Object.keys(doc)) if (key !== '_id') setField(moved, key, doc[key]);
  return moved;
}

/** All values at a dotted path, in document order: documents inside arrays and array indexes are followed; an array at the end stays one value; missing adds none. */
export function getPath(doc: Doc, path: string): Value[] {
  const found: Value[] = [];
  collect(doc, splitPath(path), 0, found);
  return found;
}

/** Any BSON number as a JavaScript number (a Long or Decimal128 may lose digits); undefined for everything else. */
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

/** Is the value an embedded document (not an array, not a BSON scalar)? */
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

/** Is the value one of the four number types? */
export function isNumber(value: Value): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  const tag = bsonTag(value);
  return tag === 'Int32' || tag === 'Double' || tag === 'Long' || tag === 'Decimal128';
}

/** The name that `$type` gives to the value; 'missing' for undefined. */
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

/** The class a BSON scalar names itself by, such as 'Int32' or 'ObjectId'; undefined for JavaScript's own values. */
export function bsonTag(value: Value): string | undefined {
  return typeof value === 'object' && value !== null ? (value as { _bsontype?: string })._bsontype : undefined;
}

/** Sets a field under any name, `__proto__` included. */
export function setField(doc: Doc, key: string, value: Value): void {
  if (key === '__proto__')
    Object.defineProperty(doc, key, { value, enumerable: true, writable: true, configurable: true });
  else doc[key] = value;
}

/** Does the document itself have the field? */
export function hasField(doc: Doc, key: string): boolean {
  return Object.hasOwn(doc, key);
}

/** The field, never anything inherited; undefined if missing. */
export function getField(doc: Doc, key: string): Value {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

/** The name of the first field, undefined in an empty document. */
export function firstField(doc: Doc): string | undefined {
  for (const key in doc) return key;
  return undefined;
}

/** A copy whose documents and arrays are new; BSON scalars never change and are shared. */
export function cloneValue<T>(value: T): T;
export function cloneValue(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => cloneValue(item));
  if (!isDocument(value)) return value;
  const copy: Doc = {};
  for (const key of Object.keys(value)) setField(copy, key, cloneValue(value[key]));
  return copy;
}

/** Is a path segment an array index such as '0' or '12'? */
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
