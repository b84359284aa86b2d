// Verifies that documents and indexes are undamaged: on request, and slowly in the background.

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { startTimeSlice } from '../protocol/time-slice.ts';
import type { Snapshot, View } from '../storage/view.ts';
import { decode } from '../values/bson.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import { entriesOf } from './index-keys.ts';
import {
  documentKey,
  documentRange,
  type RecordId,
  recordOfDocumentKey,
  recordOfPlainEntry,
  successor,
} from './keys.ts';
import { recordOfUnique, verifyChecksum, withoutChecksum } from './records.ts';

/** One damaged place. Without an index, it is a document. */
export type Damage = { message: string; index?: Index };
type Report = (damage: Damage) => void;

/** Verifies the checksum of a stored document and its entries in these indexes, and returns the number of entries. */
export function verifyDocument(
  view: View,
  collection: Collection,
  { record, stored }: { record: RecordId; stored: Buffer },
  indexes: readonly Index[],
  report: Report,
): Map<Index, number> {
  const counts = new Map<Index, number>();
  try {
    const doc = decode(verifyChecksum(stored, collection, record));
    for (const index of indexes) {
      const { keys, multikey, truncated } = entriesOf(index, doc, record);
      counts.set(index, keys.length);
      if ((multikey && !index.multikey) || (truncated && !index.truncated))
        report({ message: `a flag of index ${index.name} is missing`, index });
      for (const key of keys) {
        const entry = view.get(key);
        if (!entry) report({ message: `record ${record} is missing from index ${index.name}`, index });
        else if (index.unique && recordOfUnique(entry) !== record)
          report({ message: `the entry of record ${record} in index ${index.name} refers to another record`, index });
      }
    }
  } catch (error) {
    report({ message: error instanceof Error ? error.message : String(error) });
  }
  return counts;
}

// Between two slices of 5 ms, the background check waits for so long.
const PAUSE_MS = 50;

/**
 * Verifies all documents and index entries in short slices, each in a snapshot of its own. A damaged index is not used
 * any more, so that queries read the documents instead, and a damaged unique index accepts no new values. `isClosed`
 * ends the check.
 */
export async function verifyAll(
  snapshot: () => Snapshot,
  catalog: Catalog,
  log: (line: string) => void,
  isClosed: () => boolean,
): Promise<void> {
  const verified = { documents: 0, entries: 0 };
  for (const { namespace } of catalog.all()) {
    const report = ({ message, index }: Damage) => {
      if (!index) log(`damaged: ${message}. Restore the document from a backup.`);
      else if (!index.damaged)
        log(`damaged: ${namespace}: ${message}. The index is no longer used; drop and create it again.`);
      if (index) Object.assign(index, { damaged: true, readyAt: Number.POSITIVE_INFINITY });
    };
    // Verifies one slice after another. `next` returns the key to continue from; undefined at the end.
    const inSlices = async (next: (view: View, collection: Collection, from: Buffer) => Buffer | undefined) => {
      for (let from: Buffer | undefined = EMPTY; from && !isClosed(); ) {
        const collection = catalog.get(namespace);
        if (!collection) return;
        const view = snapshot();
        try {
          from = next(view, collection, from);
        } finally {
          view.close();
        }
        await (from ? delay(PAUSE_MS, undefined, UNREF) : nextTurn());
      }
    };
    await inSlices((view, collection, from) => verifyDocuments(view, collection, from, report, verified)).catch(
      (error) => report({ message: `${namespace}: ${error.message}` }),
    );
    for (const { name } of catalog.get(namespace)?.indexes ?? []) {
      const find = (collection: Collection, { version }: View) =>
        collection.indexes.find((index) => index.name === name && index.readyAt <= version);
      await inSlices((view, collection, from) => {
        const index = find(collection, view);
        if (!index) return undefined;
        try {
          return verifyEntries(view, collection, index, from, report, verified);
        } catch (error) {
          report({ message: `index ${name}: ${error instanceof Error ? error.message : error}`, index });
          return undefined;
        }
      });
    }
  }
  if (!isClosed()) log(`verified ${verified.documents} documents and ${verified.entries} index entries`);
}

const EMPTY = Buffer.alloc(0);
const UNREF = { ref: false };
type Verified = { documents: number; entries: number };

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
  for (const { key, value: stored } of view.range(from.length > 0 ? from : low, high)) {
    const record = recordOfDocumentKey(key);
    verified.documents++;
    verifyDocument(view, collection, { record, stored }, indexes, report);
    if (timeSlice.shouldPause()) return documentKey(collection.id, record + 1);
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
  let previous: Buffer = EMPTY;
  for (const { key, value } of view.range(from.length > 0 ? from : index.prefix, successor(index.prefix))) {
    const record = index.unique ? recordOfUnique(value) : recordOfPlainEntry(key);
    const stored = view.get(documentKey(collection.id, record));
    const bytes = stored && withoutChecksum(stored);
    if (Buffer.compare(previous, key) >= 0)
      report({ message: `the entries of index ${index.name} are not in order`, index });
    else if (!stored && index.name === '_id_')
      report({ message: `record ${record} of ${collection.namespace}, which index _id_ contains, is missing` });
    else if (!stored || (bytes && !entriesOf(index, decode(bytes), record).keys.some((own) => own.equals(key))))
      report({ message: `an entry of index ${index.name} does not belong to record ${record}`, index });
    if (index.damaged) return undefined;
    verified.entries++;
    previous = key;
    if (timeSlice.shouldPause() && !key.equals(from)) return key;
  }
  return undefined;
}
