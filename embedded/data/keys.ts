// The key space of the store: a tag byte, then binary parts whose byte order is the sort order.

const CATALOG = 1;
const DOCUMENT = 2;
const INDEX = 3;
const SESSION = 4;
const META = 5;
const SEPARATOR = 4;

/**
 * The insertion number of a document in its collection, stored in 8 big-endian bytes so that keys sort in insertion
 * order.
 */
export type RecordId = number;

/** LMDB limits keys to 1,978 bytes. Tag, id, separator and record of an index entry take 14. */
export const MAX_INDEX_KEY = 1900;

export const catalogKey = (namespace: string): Buffer => Buffer.concat([Buffer.of(CATALOG), Buffer.from(namespace)]);
export const catalogRange = (): [Buffer, Buffer] => [Buffer.of(CATALOG), Buffer.of(CATALOG + 1)];
export const namespaceOf = (key: Buffer): string => key.toString('utf8', 1);
export const sessionRange = (): [Buffer, Buffer] => [Buffer.of(SESSION), Buffer.of(SESSION + 1)];
export const metaKey = (name: string): Buffer => Buffer.concat([Buffer.of(META), Buffer.from(name)]);

export function sessionKey(session: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(1 + session.length);
  key[0] = SESSION;
  key.set(session, 1);
  return key;
}

/** All documents of a collection. */
export function documentRange(collection: number): [Buffer, Buffer] {
  const prefix = documentPrefix(collection);
  return [prefix, successor(prefix)];
}

/** The collection of a document's key; undefined for other keys. */
export const collectionOfKey = (key: Buffer): number | undefined =>
  key[0] === DOCUMENT ? key.readUInt32BE(1) : undefined;

export const isCatalogKey = (key: Buffer): boolean => key[0] === CATALOG;

export const documentPrefix = (collection: number): Buffer => idPrefix(DOCUMENT, collection);

/** The id of the collection or index that a prefix belongs to. */
export const idOfPrefix = (prefix: Buffer): number => prefix.readUInt32BE(1);

const LEFTOVER = metaKey('leftover ');
export const leftoverKey = (prefix: Buffer): Buffer => Buffer.concat([LEFTOVER, prefix]);
export const leftoverRange = (): [Buffer, Buffer] => [LEFTOVER, successor(LEFTOVER)];
export const prefixOfLeftover = (key: Buffer): Buffer => key.subarray(LEFTOVER.length);

export function documentKey(collection: number, record: RecordId): Buffer {
  const key = Buffer.allocUnsafe(13);
  key[0] = DOCUMENT;
  key.writeUInt32BE(collection, 1);
  writeRecord(key, record, 5);
  return key;
}

export const recordOfDocumentKey = (key: Buffer): RecordId => readRecord(key, 5);

/** The prefix of every entry of an index. */
export const indexPrefix = (index: number): Buffer => idPrefix(INDEX, index);

/** The end of an entry's key in a non-unique index: the record, so that equal values have distinct keys. */
export function entrySuffix(record: RecordId): Buffer {
  const suffix = Buffer.allocUnsafe(9);
  suffix[0] = SEPARATOR;
  writeRecord(suffix, record, 1);
  return suffix;
}

export const recordOfPlainEntry = (key: Buffer): RecordId => readRecord(key, key.length - 8);

export function recordBytes(record: RecordId): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeRecord(bytes, record, 0);
  return bytes;
}

export const readRecord = (bytes: Buffer, offset = 0): RecordId =>
  bytes.readUInt32BE(offset) * 2 ** 32 + bytes.readUInt32BE(offset + 4);

/** The first key after all keys with the prefix. */
export function successor(prefix: Buffer): Buffer {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 255) end--;
  if (end === 0) return Buffer.alloc(8, 255);
  const next = Buffer.from(prefix.subarray(0, end));
  next[end - 1]! += 1;
  return next;
}

function idPrefix(tag: number, id: number): Buffer {
  const prefix = Buffer.allocUnsafe(5);
  prefix[0] = tag;
  prefix.writeUInt32BE(id, 1);
  return prefix;
}

function writeRecord(target: Buffer, record: RecordId, offset: number): void {
  target.writeUInt32BE(Math.floor(record / 2 ** 32), offset);
  target.writeUInt32BE(record % 2 ** 32, offset + 4);
}
