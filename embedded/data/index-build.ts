import type { Engine } from '../process/engine.ts';
import { storeError } from '../protocol/errors.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import { HeldKey } from '../storage/transactions.ts';
import type { WriteView } from '../storage/view.ts';
import { type Doc, decode } from '../values/bson.ts';
import type { Collection, Index } from './catalog.ts';
import { existingIndex } from './indexes.ts';
import { documentKey, type RecordId, recordOfDocumentKey } from './keys.ts';
import { checked, indexDocument } from './records.ts';

const AT_ONCE = 32;
const AT_ONCE_BYTES = 64 * 1024;
const SLICE_MS = 5;

export type Built = { before: number; after: number; created: boolean; made: number };

/**
 * Makes the wanted indexes of a collection, and the collection too. Of as many documents as a slice holds in one commit; a larger collection is read a little at a time while
 * every write already keeps the new indexes, which are used once they are complete. A value that stands twice in a unique one undoes all (11000).
 */
export async function createIndexes(
  engine: Engine,
  namespace: string,
  specs: Doc[],
  timeSlice: TimeSlice,
): Promise<Built> {
  const { storage, catalog } = engine;
  await othersBuilding(catalog.get(namespace), specs);
  const done = Promise.withResolvers<void>();
  // Only those that wait for the same index hear of it; a failure is told to who asked for the build.
  done.promise.catch(() => undefined);
  const { before, collection, fresh, from, last, created } = await storage.write((view) => {
    const known = catalog.get(namespace);
    const collection = known ?? catalog.create(view, namespace, {});
    const before = collection.indexes.length;
    const fresh = specs.filter((spec) => !existingIndex(collection, spec)).map((spec) => catalog.newIndex(spec));
    const last = collection.nextRecord;
    const from = fresh.length > 0 ? fillSlice(view, collection, fresh, 0, last, timeSlice) : undefined;
    if (from !== undefined) catalog.startBuilding(view, collection, fresh, done.promise);
    else if (fresh.length > 0) catalog.setIndexes(view, collection, [...collection.indexes, ...fresh]);
    return { before, collection, fresh, from, last, created: !known };
  });
  if (from !== undefined) {
    try {
      await build(engine, collection, fresh, from, last, timeSlice);
      done.resolve();
    } catch (error) {
      done.reject(error);
      await giveUp(engine, collection, fresh);
      throw error;
    }
  }
  // From here on new views see the complete indexes.
  for (const index of fresh) index.readyAt = storage.version();
  return { before, after: collection.indexes.length, created, made: fresh.length };
}

async function othersBuilding(collection: Collection | undefined, specs: Doc[]): Promise<void> {
  const names = new Set(specs.map(({ name }) => name));
  for (const { index, done } of collection?.building ?? []) if (names.has(index.name)) await done;
}

async function build(
  engine: Engine,
  collection: Collection,
  indexes: Index[],
  first: RecordId,
  last: RecordId,
  timeSlice: TimeSlice,
): Promise<void> {
  const { storage, catalog } = engine;
  for (let from: RecordId | undefined = first; from !== undefined; ) {
    const begin: RecordId = from;
    await timeSlice.pause();
    try {
      from = await storage.write((view) => {
        checkStands(engine, collection, indexes);
        return fillSlice(view, collection, indexes, begin, last, timeSlice);
      });
    } catch (error) {
      if (!(error instanceof HeldKey)) throw error;
      await error.released;
    }
  }
  await storage.write((view) => {
    checkStands(engine, collection, indexes);
    catalog.endBuilding(view, collection, indexes, true);
  });
}

// As many documents as a slice holds; answers where to go on.
function fillSlice(
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
    const some = readSome(view, collection, next, last);
    if (some.length === 0) return undefined;
    for (const { record, doc } of some) {
      for (const index of indexes) indexDocument(view, collection, index, record, doc);
      next = record + 1;
      if (timeSlice.shouldPause()) return next;
    }
  }
}

// The next few documents, read before anything is written: no iterator stays open over a write.
function readSome(
  view: WriteView,
  collection: Collection,
  from: RecordId,
  last: RecordId,
): { record: RecordId; doc: Doc }[] {
  const some: { record: RecordId; doc: Doc }[] = [];
  let size = 0;
  for (const { key, value } of view.range(documentKey(collection.id, from), documentKey(collection.id, last))) {
    const record = recordOfDocumentKey(key);
    some.push({ record, doc: decode(checked(value, collection, record)) });
    size += value.length;
    if (some.length === AT_ONCE || size > AT_ONCE_BYTES) break;
  }
  return some;
}

function checkStands({ catalog }: Engine, collection: Collection, indexes: Index[]): void {
  const stands =
    catalog.get(collection.namespace) === collection &&
    indexes.every((one) => collection.building.some(({ index }) => index === one));
  if (!stands) throw storeError(276, `Index build failed: the collection ${collection.namespace} changed under it`);
}

async function giveUp(engine: Engine, collection: Collection, indexes: Index[]): Promise<void> {
  await engine.storage.write((view) => engine.catalog.endBuilding(view, collection, indexes, false), {
    allowWhenFull: true,
  });
  await engine.sweep();
}
