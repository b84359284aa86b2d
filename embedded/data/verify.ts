// Verifies that documents and indexes are undamaged: on request, and slowly in the background.

import { setTimeout as delay } from 'node:timers/promises';
import { startTimeSlice } from '../protocol/time-slice.ts';
import type { Entry, Snapshot, View } from '../storage/view.ts';
import { decode } from '../values/bson.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import { entriesOf } from './index-keys.ts';
import {
  documentKey,
  documentRange,
  entrySuffix,
  type RecordId,
  recordBytes,
  recordOfDocumentKey,
  recordOfPlainEntry,
  successor,
} from './keys.ts';
import { recordOfUnique, withoutChecksum } from './records.ts';

/** One damaged place. Without an index, it is a document. */
export type Damage = { message: string; index?: Index };
type Report = (damage: Damage) => void;

/**
 * Verifies the checksum of a stored document and its entries in these indexes, and returns the number of entries. Throws
 * only what the verification itself does wrong.
 */
export function verifyDocument(
  view: View,
  { record, stored }: { record: RecordId; stored: Buffer },
  indexes: readonly Index[],
  report: Report,
): Map<Index, number> {
  const counts = new Map<Index, number>();
  const bytes = withoutChecksum(stored);
  if (!bytes) {
    report({ message: `record ${record} has a wrong checksum` });
    return counts;
  }
  const doc = decode(bytes);
  for (const index of indexes) {
    const { keys, multikey, truncated } = entriesOf(index, doc, record);
    counts.set(index, keys.length);
    if ((multikey && !index.multikey) || (truncated && !index.truncated))
      report({ message: `a flag of index ${index.name} is missing`, index });
    for (const key of keys) {
      const value = readEntry(view, index, key, report);
      if (value === 'unreadable') continue;
      if (!value) report({ message: `record ${record} is missing from index ${index.name}`, index });
      else if (index.unique && recordOf(index, { key, value }) !== record)
        report({ message: `the entry of record ${record} in index ${index.name} refers to another record`, index });
    }
  }
  return counts;
}

function readEntry(view: View, index: Index, key: Buffer, report: Report): Buffer | undefined | 'unreadable' {
  try {
    return view.get(key);
  } catch (error) {
    report({ message: `index ${index.name}: ${messageOf(error)}`, index });
    return 'unreadable';
  }
}

// Between two slices of 5 ms, the background check waits for so long.
const PAUSE_MS = 50;

/** What a verification needs from the store. `isClosed` ends it; `pause` waits between two slices. */
export type Verification = {
  snapshot(): Snapshot;
  catalog: Catalog;
  log(line: string): void;
  isClosed(): boolean;
  pause?(): Promise<unknown>;
};

/**
 * Verifies all documents and index entries in short slices, each in a snapshot of its own. A damaged index is not used
 * any more, so that queries read the documents instead, and a damaged unique index accepts no new values. Logs errors of
 * the verification itself, which are no damage.
 */
export async function verifyAll({ snapshot, catalog, log, isClosed, pause = waitUnref }: Verification): Promise<void> {
  const verified = { documents: 0, entries: 0 };
  for (const { namespace } of catalog.all()) {
    const report = ({ message, index }: Damage) => {
      if (!index) log(`damaged: ${namespace}: ${message}. Restore the document from a backup.`);
      else if (!index.damaged) log(`damaged: ${namespace}: ${message}. ${adviceFor(index)}`);
      if (index) Object.assign(index, { damaged: true, readyAt: Number.POSITIVE_INFINITY });
    };
    // Verifies one slice after another. `next` returns the key to continue from; undefined at the end.
    const inSlices = async (
      what: string,
      next: (view: View, collection: Collection, from: Buffer) => Buffer | undefined,
    ) => {
      for (let from: Buffer | undefined = EMPTY; from && !isClosed(); ) {
        const collection = catalog.get(namespace);
        if (!collection) return;
        try {
          const view = snapshot();
          try {
            from = next(view, collection, from);
          } finally {
            view.close();
          }
        } catch (error) {
          log(`verifying ${what} of ${namespace} failed: ${messageOf(error)}`);
          return;
        }
        await pause();
      }
    };
    await inSlices('the documents', (view, collection, from) =>
      verifyDocuments(view, collection, from, report, verified),
    );
    for (const { name } of catalog.get(namespace)?.indexes ?? [])
      await inSlices(`index ${name}`, (view, collection, from) => {
        const index = collection.indexes.find((found) => found.name === name && found.readyAt <= view.version);
        return index && verifyEntries(view, collection, index, from, report, verified);
      });
  }
  if (!isClosed()) log(`verified ${verified.documents} documents and ${verified.entries} index entries`);
}

const waitUnref = (): Promise<void> => delay(PAUSE_MS, undefined, { ref: false });
const EMPTY = Buffer.alloc(0);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
type Verified = { documents: number; entries: number };

function adviceFor({ name }: Index): string {
  if (name !== '_id_') return 'The index is no longer used; drop and create it again.';
  return 'The index is no longer used, and new documents are rejected; copy the documents to a new collection.';
}

// Verifies the documents of one time slice.
function verifyDocuments(
  view: View,
  collection: Collection,
  from: Buffer,
  report: Report,
  verified: Verified,
): Buffer | undefined {
  const timeSlice = startTimeSlice();
  const indexes = collection.indexes.filter(({ readyAt }) => readyAt <= view.version);
  const [low, high] = documentRange(collection.id);
  const unreadable = (message: string) => report({ message });
  for (const { key, value: stored } of readable(view.range(laterOf(from, low), high), unreadable)) {
    verified.documents++;
    const record = key.length === DOCUMENT_KEY_BYTES ? recordOfDocumentKey(key) : Number.NaN;
    if (Number.isSafeInteger(record)) verifyDocument(view, { record, stored }, indexes, report);
    else report({ message: `a document has the invalid key ${key.toString('hex')}` });
    if (timeSlice.shouldPause()) return keyAfter(key);
  }
  return undefined;
}

// Verifies that the entries of one time slice are in order, and that their documents have them. A damaged page can also
// hide documents from a scan: each has an entry in `_id_`.
function verifyEntries(
  view: View,
  collection: Collection,
  index: Index,
  from: Buffer,
  report: Report,
  verified: Verified,
): Buffer | undefined {
  const timeSlice = startTimeSlice();
  const unreadable = (message: string) => report({ message: `index ${index.name}: ${message}`, index });
  let previous: Buffer = EMPTY;
  const entries = view.range(laterOf(from, index.prefix), successor(index.prefix));
  for (const { key, value } of readable(entries, unreadable)) {
    const record = recordOf(index, { key, value });
    const stored = record === undefined ? undefined : readDocument(view, collection, record, unreadable);
    const bytes = stored && withoutChecksum(stored);
    if (Buffer.compare(previous, key) >= 0)
      report({ message: `the entries of index ${index.name} are not in order`, index });
    else if (record === undefined) report({ message: `an entry of index ${index.name} has no record`, index });
    else if (!stored && !index.damaged && index.name === '_id_')
      report({ message: `record ${record}, which index _id_ contains, is missing` });
    else if (!stored || (bytes && !entriesOf(index, decode(bytes), record).keys.some((own) => own.equals(key))))
      report({ message: `an entry of index ${index.name} does not belong to record ${record}`, index });
    if (index.damaged) return undefined;
    verified.entries++;
    previous = key;
    if (timeSlice.shouldPause()) return keyAfter(key);
  }
  return undefined;
}

function readDocument(
  view: View,
  collection: Collection,
  record: RecordId,
  unreadable: (message: string) => void,
): Buffer | undefined {
  try {
    return view.get(documentKey(collection.id, record));
  } catch (error) {
    unreadable(messageOf(error));
    return undefined;
  }
}

// The entries, up to the first that the storage cannot read.
function* readable(entries: Iterable<Entry>, unreadable: (message: string) => void): Iterable<Entry> {
  const iterator = entries[Symbol.iterator]();
  try {
    for (;;) {
      let next: IteratorResult<Entry>;
      try {
        next = iterator.next();
      } catch (error) {
        unreadable(messageOf(error));
        return;
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    iterator.return?.();
  }
}

const DOCUMENT_KEY_BYTES = documentKey(0, 0).length;
const RECORD_BYTES = recordBytes(0).length;
const SUFFIX_BYTES = entrySuffix(0).length;

// The record of an entry; undefined if the entry contains none.
function recordOf({ unique, prefix }: Index, { key, value }: Entry): RecordId | undefined {
  const isWhole = unique ? value.length === RECORD_BYTES : key.length >= prefix.length + SUFFIX_BYTES;
  const record = isWhole ? (unique ? recordOfUnique(value) : recordOfPlainEntry(key)) : undefined;
  return Number.isSafeInteger(record) ? record : undefined;
}

// An index or collection that was created again between two slices has another, later prefix.
const laterOf = (from: Buffer, prefix: Buffer): Buffer => (Buffer.compare(from, prefix) > 0 ? from : prefix);

// The smallest key after this one.
const keyAfter = (key: Buffer): Buffer => Buffer.concat([key, Buffer.of(0)]);
