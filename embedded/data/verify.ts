// Verifies that documents and indexes are undamaged: on request, and slowly in the background.

import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from '../protocol/errors.ts';
import { startTimeSlice } from '../protocol/time-slice.ts';
import type { Snapshot, View } from '../storage/view.ts';
import { decode } from '../values/bson.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import { entriesOf } from './index-keys.ts';
import { documentKey, documentRange, type RecordId, recordOfDocumentKey, successor } from './keys.ts';
import { recordOfUnique, verifyChecksum } from './records.ts';

/** One damaged place. Without an index, it is a document. */
export type Damage = { message: string; index?: Index };

/** Verifies the checksum of a stored document and its entries in these indexes, and returns the number of entries. */
export function verifyDocument(
  view: View,
  collection: Collection,
  { record, stored }: { record: RecordId; stored: Buffer },
  indexes: readonly Index[],
  report: (damage: Damage) => void,
): Map<Index, number> {
  const counts = new Map<Index, number>();
  try {
    const doc = decode(verifyChecksum(stored, collection, record));
    for (const index of indexes) {
      const { keys } = entriesOf(index, doc, record);
      counts.set(index, keys.length);
      for (const key of keys) {
        const entry = view.get(key);
        if (!entry) report({ message: `record ${record} is missing from index ${index.name}`, index });
        else if (index.unique && recordOfUnique(entry) !== record)
          report({ message: `the entry of record ${record} in index ${index.name} refers to another record`, index });
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    report({ message: error.message });
  }
  return counts;
}

// Between two slices of 5 ms, the background check waits for so long.
const PAUSE_MS = 50;

/**
 * Verifies all documents and index entries in short slices, each in a snapshot of its own. A damaged index is not used
 * any more, so that queries read the documents instead. `isClosed` ends the check.
 */
export async function verifyAll(
  snapshot: () => Snapshot,
  catalog: Catalog,
  log: (line: string) => void,
  isClosed: () => boolean,
): Promise<void> {
  for (const { namespace } of catalog.all()) {
    const report = ({ message, index }: Damage) => {
      const isNew = index && Number.isFinite(index.readyAt);
      if (isNew) index.readyAt = Number.POSITIVE_INFINITY;
      if (isNew) log(`damaged: ${namespace}: ${message}. The index is no longer used; drop and create it again.`);
      else if (!index) log(`damaged: ${message}. Restore the document from a backup.`);
    };
    for (const verify of [verifyDocuments, verifyIdEntries]) {
      for (let from: Buffer | undefined = EMPTY; from && !isClosed(); await delay(PAUSE_MS, undefined, UNREF)) {
        const collection = catalog.get(namespace);
        if (!collection) break;
        const view = snapshot();
        try {
          from = verify(view, collection, from, report);
        } finally {
          view.close();
        }
      }
    }
  }
}

const EMPTY = Buffer.alloc(0);
const UNREF = { ref: false };

type Verify = (
  view: View,
  collection: Collection,
  from: Buffer,
  report: (damage: Damage) => void,
) => Buffer | undefined;

// Verifies the documents of one time slice. Returns the key to continue from; undefined at the end.
const verifyDocuments: Verify = (view, collection, from, report) => {
  const timeSlice = startTimeSlice();
  const indexes = collection.indexes.filter(({ readyAt }) => readyAt <= view.version);
  const [low, high] = documentRange(collection.id);
  for (const { key, value: stored } of view.range(from.length > 0 ? from : low, high)) {
    const record = recordOfDocumentKey(key);
    verifyDocument(view, collection, { record, stored }, indexes, report);
    if (timeSlice.shouldPause()) return documentKey(collection.id, record + 1);
  }
  return undefined;
};

// Verifies that the documents of the _id entries exist: a damaged page can hide documents from a scan.
const verifyIdEntries: Verify = (view, collection, from, report) => {
  const timeSlice = startTimeSlice();
  const index = collection.indexes.find(({ name }) => name === '_id_');
  if (!index || index.readyAt > view.version) return undefined;
  for (const { key, value } of view.range(from.length > 0 ? from : index.prefix, successor(index.prefix))) {
    const record = recordOfUnique(value);
    if (!view.get(documentKey(collection.id, record)))
      report({ message: `record ${record} of ${collection.namespace}, which index _id_ contains, is missing` });
    if (timeSlice.shouldPause() && !key.equals(from)) return key;
  }
  return undefined;
};
