// Creates indexes and fills them from existing documents.

import type { Store } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import { LockConflict } from '../storage/transactions.ts';
import type { WriteView } from '../storage/view.ts';
import { type Doc, decode } from '../values/bson.ts';
import type { Collection, Index } from './catalog.ts';
import { existingIndex } from './indexes.ts';
import { documentKey, type RecordId, recordOfDocumentKey } from './keys.ts';
import { indexDocument, verifyChecksum } from './records.ts';

const BATCH_DOCUMENTS = 32;
const BATCH_BYTES = 64 * 1024;
const SLICE_MS = 5;

export type CreatedIndexes = { before: number; after: number; created: boolean; built: number };

/**
 * Creates indexes, and their collection if it does not exist. If the documents do not fit in one time slice, the rest
 * is indexed in several commits while every write already maintains the new indexes, which queries use only when they
 * are complete. A duplicate value in a unique index removes all new indexes and throws DuplicateKey (11000).
 * `before` and `after` count the indexes of the collection.
 */
export async function createIndexes(
  store: Store,
  namespace: string,
  specs: Doc[],
  timeSlice: TimeSlice,
): Promise<CreatedIndexes> {
  const { storage, catalog } = store;
  await waitForSameBuilds(catalog.get(namespace), specs);
  const done = Promise.withResolvers<void>();
  // Only requests for the same index wait for this promise. The caller receives the error of its own build directly.
  done.promise.catch(() => undefined);
  const present = catalog.get(namespace);
  // A service that starts on a full disk creates the indexes that it has.
  const allowWhenFull = present !== undefined && specs.every((spec) => existingIndex(present, spec));
  const { before, collection, newIndexes, from, last, created } = await storage.write(
    (view) => {
      const known = catalog.get(namespace);
      const collection = known ?? catalog.create(view, namespace, {});
      const before = collection.indexes.length;
      const newIndexes = specs.filter((spec) => !existingIndex(collection, spec)).map((spec) => catalog.newIndex(spec));
      const last = collection.nextRecord;
      const from =
        newIndexes.length > 0 ? indexForTimeSlice(view, collection, newIndexes, 0, last, timeSlice) : undefined;
      if (from !== undefined) catalog.startBuilding(view, collection, newIndexes, done.promise);
      else if (newIndexes.length > 0) catalog.setIndexes(view, collection, [...collection.indexes, ...newIndexes]);
      return { before, collection, newIndexes, from, last, created: !known };
    },
    { allowWhenFull },
  );
  if (from !== undefined) {
    try {
      await build(store, collection, newIndexes, from, last, timeSlice);
      done.resolve();
    } catch (error) {
      done.reject(error);
      await discardBuild(store, collection, newIndexes);
      throw error;
    }
  }
  // New views contain the complete indexes.
  for (const index of newIndexes) index.readyAt = storage.version();
  return { before, after: collection.indexes.length, created, built: newIndexes.length };
}

async function waitForSameBuilds(collection: Collection | undefined, specs: Doc[]): Promise<void> {
  const names = new Set(specs.map(({ name }) => name));
  for (const { index, done } of collection?.building ?? []) if (names.has(index.name)) await done;
}

async function build(
  store: Store,
  collection: Collection,
  indexes: Index[],
  first: RecordId,
  last: RecordId,
  timeSlice: TimeSlice,
): Promise<void> {
  const { storage, catalog } = store;
  for (let from: RecordId | undefined = first; from !== undefined; ) {
    const start: RecordId = from;
    await timeSlice.pause();
    try {
      from = await storage.write((view) => {
        assertStillBuilding(store, collection, indexes);
        return indexForTimeSlice(view, collection, indexes, start, last, timeSlice);
      });
    } catch (error) {
      if (!(error instanceof LockConflict)) throw error;
      await error.released;
    }
  }
  await storage.write((view) => {
    assertStillBuilding(store, collection, indexes);
    catalog.endBuilding(view, collection, indexes, true);
  });
}

// Indexes documents for one time slice. Returns the record to continue with, or undefined at the end.
function indexForTimeSlice(
  view: WriteView,
  collection: Collection,
  indexes: Index[],
  from: RecordId,
  last: RecordId,
  timeSlice: TimeSlice,
): RecordId | undefined {
  timeSlice.restart(SLICE_MS);
  let next = from;
  for (;;) {
    const batch = readBatch(view, collection, next, last);
    if (batch.length === 0) return undefined;
    for (const { record, doc } of batch) {
      for (const index of indexes) indexDocument(view, collection, index, record, doc);
      next = record + 1;
      if (timeSlice.shouldPause()) return next;
    }
  }
}

// Reads documents before any entry is written, so that no iterator is open during a write.
function readBatch(
  view: WriteView,
  collection: Collection,
  from: RecordId,
  last: RecordId,
): { record: RecordId; doc: Doc }[] {
  const batch: { record: RecordId; doc: Doc }[] = [];
  let size = 0;
  for (const { key, value } of view.range(documentKey(collection.id, from), documentKey(collection.id, last))) {
    const record = recordOfDocumentKey(key);
    batch.push({ record, doc: decode(verifyChecksum(value, collection, record)) });
    size += value.length;
    if (batch.length === BATCH_DOCUMENTS || size > BATCH_BYTES) break;
  }
  return batch;
}

function assertStillBuilding({ catalog }: Store, collection: Collection, indexes: Index[]): void {
  const isBuilding =
    catalog.get(collection.namespace) === collection &&
    indexes.every((index) => collection.building.some((entry) => entry.index === index));
  if (!isBuilding)
    throw storeError(
      276,
      `Index build failed: collection ${collection.namespace} or its indexes changed during the build`,
    );
}

async function discardBuild(store: Store, collection: Collection, indexes: Index[]): Promise<void> {
  await store.storage.write((view) => store.catalog.endBuilding(view, collection, indexes, false), {
    allowWhenFull: true,
  });
  await store.sweep();
}
