// Stores documents with checksums, and maintains their index entries.

import { crc32 } from 'node:zlib';
import { type StoreError, storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { View, WriteView } from '../storage/view.ts';
import { type Doc, isDocument, type Value } from '../values/bson.ts';
import { formatValue } from '../values/format-value.ts';
import { type Collection, type Index, multikeyFlagKey, truncatedFlagKey } from './catalog.ts';
import { entriesOf, hasSameKeys } from './index-keys.ts';
import { documentKey, documentRange, type RecordId, readRecord, recordBytes, recordOfDocumentKey } from './keys.ts';

// The value of keys that need none.
const PLACEHOLDER = Buffer.alloc(1);

/**
 * Returns the stored bytes of a document without the checksum; undefined if there is none. Throws InternalError (1) if
 * the checksum does not match.
 */
export function readDocument(view: View, collection: Collection, record: RecordId): Buffer | undefined {
  const stored = view.get(documentKey(collection.id, record));
  return stored && verifyChecksum(stored, collection, record);
}

/** Returns a stored value without its checksum. Throws InternalError (1) if the checksum does not match. */
export function verifyChecksum(stored: Buffer, collection: Collection, record: RecordId): Buffer {
  const bytes = withoutChecksum(stored);
  if (!bytes) throw storeError(1, `embedded store: damaged record ${record} of ${collection.namespace}`);
  return bytes;
}

/** Counts the documents of a collection and returns the records with a wrong checksum. */
export function damagedDocuments(
  collection: number,
  read: (range: { start: Buffer; end: Buffer }) => Iterable<{ key: Buffer; value: Buffer }>,
): { documents: number; damaged: RecordId[] } {
  const [start, end] = documentRange(collection);
  const damaged: RecordId[] = [];
  let documents = 0;
  for (const { key, value } of read({ start, end })) {
    documents++;
    if (!withoutChecksum(value)) damaged.push(recordOfDocumentKey(key));
  }
  return { documents, damaged };
}

/** Returns a stored document without its checksum; undefined if the checksum does not match. */
export function withoutChecksum(stored: Buffer): Buffer | undefined {
  if (stored.length <= 8) return undefined;
  const bytes = stored.subarray(0, -4);
  return crc32(bytes) === stored.readUInt32LE(bytes.length) ? bytes : undefined;
}

/**
 * Adds a document and its index entries. Throws DuplicateKey (11000) on a duplicate value in a unique index. `_id` must
 * be the first field of `bytes`.
 */
export function insertDocument(view: WriteView, collection: Collection, bytes: Buffer, doc: Doc): RecordId {
  checkSize(bytes);
  checkId(doc._id);
  const record = collection.nextRecord++;
  view.touch(collection);
  const planned = writtenIndexes(collection).map((index) => ({ index, keys: keysFor(view, index, doc, record) }));
  for (const { index, keys } of planned)
    if (index.unique) for (const entry of keys) claimUnique(view, collection, index, entry, doc);
  for (const { index, keys } of planned) for (const entry of keys) putEntry(view, index, entry, record);
  view.put(documentKey(collection.id, record), withChecksum(bytes));
  countBy(view, collection, 1);
  return record;
}

/** Replaces a document and updates its index entries. The caller must have rejected a change of `_id`. */
export function replaceDocument(
  view: WriteView,
  collection: Collection,
  record: RecordId,
  before: Doc,
  bytes: Buffer,
  after: Doc,
): void {
  if (bytes.length > LIMITS.documentBytes)
    throw storeError(10334, `Resulting document after update is larger than ${LIMITS.documentBytes}`);
  const key = documentKey(collection.id, record);
  view.touch(collection);
  view.claim(key);
  const changes: { index: Index; removed: Buffer[]; added: Buffer[] }[] = [];
  for (const index of writtenIndexes(collection)) {
    if (index.name === '_id_' || hasSameKeys(index, before, after)) continue;
    const old = entriesOf(index, before, record).keys;
    const current = keysFor(view, index, after, record);
    if (old.length !== 1 || current.length !== 1)
      changes.push({ index, removed: keysNotIn(old, current), added: keysNotIn(current, old) });
    else if (!old[0]!.equals(current[0]!)) changes.push({ index, removed: old, added: current });
  }
  for (const { index, removed } of changes) claimRemoved(view, index, removed);
  for (const { index, added } of changes)
    if (index.unique) for (const entry of added) claimUnique(view, collection, index, entry, after);
  for (const { index, removed, added } of changes) {
    for (const entry of removed) removeEntry(view, collection, index, entry, record);
    for (const entry of added) putEntry(view, index, entry, record);
  }
  view.put(key, withChecksum(bytes));
}

/** Removes a document and all its index entries. */
export function removeDocument(view: WriteView, collection: Collection, record: RecordId, doc: Doc): void {
  const key = documentKey(collection.id, record);
  view.touch(collection);
  view.claim(key);
  const entries = writtenIndexes(collection).map((index) => ({ index, keys: entriesOf(index, doc, record).keys }));
  for (const { index, keys } of entries) claimRemoved(view, index, keys);
  for (const { index, keys } of entries) for (const entry of keys) removeEntry(view, collection, index, entry, record);
  view.remove(key);
  countBy(view, collection, -1);
}

/** Adds the entries of one document to one index. Used by index builds. */
export function indexDocument(view: WriteView, collection: Collection, index: Index, record: RecordId, doc: Doc): void {
  for (const entry of keysFor(view, index, doc, record)) {
    if (index.unique) claimUnique(view, collection, index, entry, doc, record);
    putEntry(view, index, entry, record);
  }
}

/** The record that the value of a unique index entry contains. */
export const recordOfUnique = (value: Buffer): RecordId => readRecord(value);

function keysFor(view: WriteView, index: Index, doc: Doc, record: RecordId): Buffer[] {
  const found = entriesOf(index, doc, record);
  if (found.multikey && !index.storedFlags.multikey) {
    index.multikey = true;
    mark(view, index, 'multikey', multikeyFlagKey(index));
  }
  if (found.truncated && !index.storedFlags.truncated) {
    index.truncated = true;
    mark(view, index, 'truncated', truncatedFlagKey(index));
  }
  return found.keys;
}

// The flag is set in memory immediately and stored with the first write that commits.
function mark(view: WriteView, index: Index, flag: 'multikey' | 'truncated', key: Buffer): void {
  view.mark(key, PLACEHOLDER);
  view.effect(
    () => {
      index.storedFlags[flag] = true;
    },
    () => {
      index.storedFlags[flag] = false;
    },
  );
}

function claimUnique(
  view: WriteView,
  collection: Collection,
  index: Index,
  entry: Buffer,
  doc: Doc,
  ownRecord?: RecordId,
): void {
  if (index.damaged) {
    const advice = index.name === '_id_' ? 'copy the documents to a new collection' : 'drop and create it again';
    throw storeError(
      1,
      `embedded store: the unique index ${index.name} of ${collection.namespace} is damaged; ${advice}`,
    );
  }
  view.claim(entry);
  const taken = view.get(entry);
  if (taken && readRecord(taken) !== ownRecord) throw duplicateKey(collection, index, doc);
}

const putEntry = (view: WriteView, index: Index, entry: Buffer, record: RecordId): void =>
  view.put(entry, index.unique ? recordBytes(record) : PLACEHOLDER);

function removeEntry(view: WriteView, collection: Collection, index: Index, entry: Buffer, record: RecordId): void {
  // During the build of a unique index, the entry may belong to another document until the duplicate is found.
  const found = index.unique && collection.building.length > 0 ? view.get(entry) : undefined;
  if (!found || readRecord(found) === record) view.remove(entry);
}

// All indexes that a write maintains, including those that are being built.
const writtenIndexes = ({ indexes, building }: Collection): Index[] =>
  building.length > 0 ? indexes.concat(building.map(({ index }) => index)) : indexes;

// A removed unique value stays locked until the commit, so that no other writer can use it earlier.
function claimRemoved(view: WriteView, index: Index, entries: readonly Buffer[]): void {
  if (index.unique) for (const entry of entries) view.claim(entry);
}

function duplicateKey(collection: Collection, index: Index, doc: Doc): StoreError {
  const keyValue = Object.fromEntries(index.fields.map(({ path }) => [path, firstValueAt(doc, path.split('.'))]));
  const message = `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: ${formatValue(keyValue)}`;
  return storeError(11000, message, { keyPattern: index.key, keyValue });
}

function firstValueAt(from: Value, path: string[]): Value {
  const [name, ...rest] = path;
  if (Array.isArray(from)) return firstValueAt(from[0], path);
  if (name === undefined) return from ?? null;
  return from !== null && typeof from === 'object' && Object.hasOwn(from, name)
    ? firstValueAt((from as Doc)[name], rest)
    : null;
}

function checkSize(bytes: Buffer): void {
  if (bytes.length > LIMITS.documentBytes)
    throw storeError(
      10334,
      `object to insert too large. size in bytes: ${bytes.length}, max size: ${LIMITS.documentBytes}`,
    );
}

function checkId(id: Value): void {
  const dollar = isDocument(id) && Object.keys(id).find((name) => name.startsWith('$'));
  if (dollar)
    throw storeError(52, `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`);
  if (Array.isArray(id)) throw storeError(53, "The '_id' value cannot be of type array");
  if (id !== null && typeof id === 'object' && '_bsontype' in id && id._bsontype === 'BSONRegExp')
    throw storeError(53, "The '_id' value cannot be of type regex");
}

function withChecksum(bytes: Buffer): Buffer {
  const stored = Buffer.allocUnsafe(bytes.length + 4);
  bytes.copy(stored);
  stored.writeUInt32LE(crc32(bytes), bytes.length);
  return stored;
}

function countBy(view: WriteView, collection: Collection, change: 1 | -1): void {
  view.effect(
    () => {
      collection.count += change;
    },
    () => {
      collection.count -= change;
    },
  );
}

function keysNotIn(some: Buffer[], others: Buffer[]): Buffer[] {
  if (others.length === 0) return some;
  const names = new Set(others.map((key) => key.toString('latin1')));
  return some.filter((key) => !names.has(key.toString('latin1')));
}
