import { type Doc, decode } from './bson.ts';
import type { Collection, Index } from './catalog.ts';
import type { Engine } from './engine.ts';
import { storeError } from './errors.ts';
import { existingIndex } from './indexes.ts';
import { documentKey, type RecordId, recordOfDocumentKey } from './keys.ts';
import { checked, indexDocument } from './records.ts';
import { HeldKey } from './transactions.ts';
import type { WriteView } from './view.ts';
import type { Watch } from './watch.ts';

const FEW = 200;
const AT_ONCE = 32;
const SLICE_MS = 10;

export type Built = { before: number; after: number; created: boolean; made: number };

/**
 * Makes the wanted indexes of a collection, and the collection too. Of a few documents in one commit; a larger collection is read a little at a time while
 * every write already keeps the new indexes, which are used once they are complete. A value that stands twice in a unique one undoes all (11000).
 */
export async function createIndexes(engine: Engine, namespace: string, specs: Doc[], watch: Watch): Promise<Built> {
  const { storage, catalog } = engine;
  await othersBuilding(catalog.get(namespace), specs);
  const done = Promise.withResolvers<void>();
  // Only those that wait for the same index hear of it; a failure is told to who asked for the build.
  done.promise.catch(() => undefined);
  const { before, collection, fresh, last, created } = await storage.write((view) => {
    const known = catalog.get(namespace);
    const collection = known ?? catalog.create(view, namespace, {});
    const before = collection.indexes.length;
    const fresh = specs.filter((spec) => !existingIndex(collection, spec)).map((spec) => catalog.newIndex(spec));
    if (collection.count > FEW && fresh.length > 0) catalog.startBuilding(view, collection, fresh, done.promise);
    else {
      for (const index of fresh) fillWhole(view, collection, index);
      if (fresh.length > 0) catalog.setIndexes(view, collection, [...collection.indexes, ...fresh]);
    }
    return { before, collection, fresh, last: collection.nextRecord, created: !known };
  });
  if (collection.building.some(({ index }) => fresh.includes(index))) {
    try {
      await build(engine, collection, fresh, last, watch);
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

function fillWhole(view: WriteView, collection: Collection, index: Index): void {
  for (let from: RecordId | undefined = 0; from !== undefined; ) from = fillSome(view, collection, [index], from, collection.nextRecord);
}

async function build(engine: Engine, collection: Collection, indexes: Index[], last: RecordId, watch: Watch): Promise<void> {
  const { storage, catalog } = engine;
  for (let from: RecordId | undefined = 0; from !== undefined; ) {
    try {
      from = await storage.write((view) => {
        checkStands(engine, collection, indexes);
        watch.slice(SLICE_MS);
        let at: RecordId | undefined = from;
        do at = fillSome(view, collection, indexes, at ?? 0, last);
        while (at !== undefined && !watch.due());
        return at;
      });
    } catch (error) {
      if (!(error instanceof HeldKey)) throw error;
      await error.released;
    }
    await watch.pause();
  }
  await storage.write((view) => {
    checkStands(engine, collection, indexes);
    catalog.endBuilding(view, collection, indexes, true);
  });
}

// The next few documents; answers where to go on. They are read before anything is written: no iterator stays open over a write.
function fillSome(view: WriteView, collection: Collection, indexes: Index[], from: RecordId, last: RecordId): RecordId | undefined {
  const some: { record: RecordId; doc: Doc }[] = [];
  for (const { key, value } of view.range(documentKey(collection.id, from), documentKey(collection.id, last))) {
    const record = recordOfDocumentKey(key);
    some.push({ record, doc: decode(checked(value, collection, record)) });
    if (some.length === AT_ONCE) break;
  }
  for (const { record, doc } of some) for (const index of indexes) indexDocument(view, collection, index, record, doc);
  return some.length === AT_ONCE ? some.at(-1)!.record + 1 : undefined;
}

function checkStands({ catalog }: Engine, collection: Collection, indexes: Index[]): void {
  const stands = catalog.get(collection.namespace) === collection && indexes.every((one) => collection.building.some(({ index }) => index === one));
  if (!stands) throw storeError(276, `Index build failed: the collection ${collection.namespace} changed under it`);
}

async function giveUp(engine: Engine, collection: Collection, indexes: Index[]): Promise<void> {
  await engine.storage.write((view) => engine.catalog.endBuilding(view, collection, indexes, false), { shrinking: true });
  await engine.sweep();
}
