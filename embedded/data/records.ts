import { crc32 } from 'node:zlib';
import { type StoreError, storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { View, WriteView } from '../storage/view.ts';
import { type Doc, isDocument, type Value } from '../values/bson.ts';
import { formatValue } from '../values/format-value.ts';
import { type Collection, cutMark, type Index, multikeyMark } from './catalog.ts';
import { entriesOf, hasSameKeys } from './index-keys.ts';
import { documentKey, documentRange, type RecordId, readRecord, recordBytes, recordOfDocumentKey } from './keys.ts';

const NOTHING = Buffer.alloc(1);

/** The stored bytes of a document, checked; undefined when there is none. A damaged one is reported (code 1), never served. */
export function readDocument(view: View, collection: Collection, record: RecordId): Buffer | undefined {
  const stored = view.get(documentKey(collection.id, record));
  return stored && checked(stored, collection, record);
}

/** Splits the checksum from a stored value and compares it. */
export function checked(stored: Buffer, collection: Collection, record: RecordId): Buffer {
  const bytes = wholeOf(stored);
  if (!bytes) throw storeError(1, `embedded store: damaged record ${record} of ${collection.namespace}`);
  return bytes;
}

/** Counts the documents of a collection and names those whose checksum does not fit. */
export function damagedDocuments(
  collection: number,
  read: (range: { start: Buffer; end: Buffer }) => Iterable<{ key: Buffer; value: Buffer }>,
): { documents: number; damaged: RecordId[] } {
  const [start, end] = documentRange(collection);
  const damaged: RecordId[] = [];
  let documents = 0;
  for (const { key, value } of read({ start, end })) {
    documents++;
    if (!wholeOf(value)) damaged.push(recordOfDocumentKey(key));
  }
  return { documents, damaged };
}

// The bytes of a document without their checksum; undefined when it does not fit them.
function wholeOf(stored: Buffer): Buffer | undefined {
  if (stored.length <= 8) return undefined;
  const bytes = stored.subarray(0, -4);
  return crc32(bytes) === stored.readUInt32LE(bytes.length) ? bytes : undefined;
}

/** Adds a document and its index entries; 11000 when a unique value exists already. `bytes` has its `_id` first. */
export function insertDocument(view: WriteView, collection: Collection, bytes: Buffer, doc: Doc): RecordId {
  checkSize(bytes);
  checkId(doc._id);
  const record = collection.nextRecord++;
  view.touch(collection);
  const planned = kept(collection).map((index) => ({ index, keys: keysFor(view, index, doc, record) }));
  for (const { index, keys } of planned)
    if (index.unique) for (const entry of keys) claimUnique(view, collection, index, entry, doc);
  for (const { index, keys } of planned) for (const entry of keys) putEntry(view, index, entry, record);
  view.put(documentKey(collection.id, record), withChecksum(bytes));
  countBy(view, collection, 1);
  return record;
}

/** Writes the new form of a document and moves its index entries; 66 when the `_id` changed is the updater's to say. */
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
  const moves: { index: Index; gone: Buffer[]; come: Buffer[] }[] = [];
  for (const index of kept(collection)) {
    if (index.name === '_id_' || hasSameKeys(index, before, after)) continue;
    const old = entriesOf(index, before, record).keys;
    const fresh = keysFor(view, index, after, record);
    if (old.length !== 1 || fresh.length !== 1)
      moves.push({ index, gone: missingFrom(old, fresh), come: missingFrom(fresh, old) });
    else if (!old[0]!.equals(fresh[0]!)) moves.push({ index, gone: old, come: fresh });
  }
  for (const { index, gone } of moves) claimGone(view, index, gone);
  for (const { index, come } of moves)
    if (index.unique) for (const entry of come) claimUnique(view, collection, index, entry, after);
  for (const { index, gone, come } of moves) {
    for (const entry of gone) removeEntry(view, collection, index, entry, record);
    for (const entry of come) putEntry(view, index, entry, record);
  }
  view.put(key, withChecksum(bytes));
}

/** Removes a document and all its index entries. */
export function removeDocument(view: WriteView, collection: Collection, record: RecordId, doc: Doc): void {
  const key = documentKey(collection.id, record);
  view.touch(collection);
  view.claim(key);
  const entries = kept(collection).map((index) => ({ index, keys: entriesOf(index, doc, record).keys }));
  for (const { index, keys } of entries) claimGone(view, index, keys);
  for (const { index, keys } of entries) for (const entry of keys) removeEntry(view, collection, index, entry, record);
  view.remove(key);
  countBy(view, collection, -1);
}

/** Writes the entries of one document into one index; used by a build. */
export function indexDocument(view: WriteView, collection: Collection, index: Index, record: RecordId, doc: Doc): void {
  for (const entry of keysFor(view, index, doc, record)) {
    if (index.unique) claimUnique(view, collection, index, entry, doc, record);
    putEntry(view, index, entry, record);
  }
}

/** The record a unique index entry leads to. */
export const recordOfUnique = (value: Buffer): RecordId => readRecord(value);

function keysFor(view: WriteView, index: Index, doc: Doc, record: RecordId): Buffer[] {
  const found = entriesOf(index, doc, record);
  if (found.multikey && !index.marked.multikey) {
    index.multikey = true;
    mark(view, index, 'multikey', multikeyMark(index));
  }
  if (found.cut && !index.marked.cut) {
    index.cut = true;
    mark(view, index, 'cut', cutMark(index));
  }
  return found.keys;
}

// What is true in memory at once is stored with the first write that really commits.
function mark(view: WriteView, index: Index, which: 'multikey' | 'cut', key: Buffer): void {
  view.mark(key, NOTHING);
  view.effect(
    () => {
      index.marked[which] = true;
    },
    () => {
      index.marked[which] = false;
    },
  );
}

function claimUnique(
  view: WriteView,
  collection: Collection,
  index: Index,
  entry: Buffer,
  doc: Doc,
  own?: RecordId,
): void {
  view.claim(entry);
  const taken = view.get(entry);
  if (taken && readRecord(taken) !== own) throw duplicateKey(collection, index, doc);
}

const putEntry = (view: WriteView, index: Index, entry: Buffer, record: RecordId): void =>
  view.put(entry, index.unique ? recordBytes(record) : NOTHING);

function removeEntry(view: WriteView, collection: Collection, index: Index, entry: Buffer, record: RecordId): void {
  // While a unique index is built the value may stand there for another document, until the double is found.
  const found = index.unique && collection.building.length > 0 ? view.get(entry) : undefined;
  if (!found || readRecord(found) === record) view.remove(entry);
}

// All indexes that a write keeps, those included that are still being filled.
const kept = ({ indexes, building }: Collection): Index[] =>
  building.length > 0 ? indexes.concat(building.map(({ index }) => index)) : indexes;

// A value that is given up stays this writer's until the commit: nobody else may take it before.
function claimGone(view: WriteView, index: Index, entries: readonly Buffer[]): void {
  if (index.unique) for (const entry of entries) view.claim(entry);
}

function duplicateKey(collection: Collection, index: Index, doc: Doc): StoreError {
  const keyValue = Object.fromEntries(index.fields.map(({ path }) => [path, firstAt(doc, path.split('.'))]));
  const message = `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: ${formatValue(keyValue)}`;
  return storeError(11000, message, { keyPattern: index.key, keyValue });
}

function firstAt(from: Value, path: string[]): Value {
  const [name, ...rest] = path;
  if (Array.isArray(from)) return firstAt(from[0], path);
  if (name === undefined) return from ?? null;
  return from !== null && typeof from === 'object' && Object.hasOwn(from, name)
    ? firstAt((from as Doc)[name], rest)
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

function missingFrom(some: Buffer[], others: Buffer[]): Buffer[] {
  if (others.length === 0) return some;
  const names = new Set(others.map((key) => key.toString('latin1')));
  return some.filter((key) => !names.has(key.toString('latin1')));
}
