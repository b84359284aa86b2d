// The commands that create, list and drop collections, indexes and databases.

import { type Collection, dropIndexEntries, type Index } from '../data/catalog.ts';
import { createIndexes as buildIndexes } from '../data/index-build.ts';
import { normalizeSpec } from '../data/indexes.ts';
import type { Call } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { int, long } from '../protocol/reply.ts';
import { compileFilter } from '../query/match.ts';
import { type Doc, isDocument, isTruthy, type Value } from '../values/bson.ts';
import { equal } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { arrayField, type Commands, collectionOf, documentField, namespaceOf } from './command.ts';
import { openListCursor } from './read.ts';

export const administrationCommands: Commands = {
  create: { kind: 'plain', run: create },
  drop: { kind: 'plain', run: drop },
  dropDatabase: { kind: 'plain', run: dropDatabase },
  createIndexes: { kind: 'plain', run: createIndexes },
  dropIndexes: { kind: 'plain', run: dropIndexes },
  listCollections: { kind: 'plain', run: listCollections },
  listDatabases: { kind: 'plain', run: listDatabases },
  listIndexes: { kind: 'plain', run: listIndexes },
};

async function create(call: Call): Promise<Doc> {
  const namespace = namespaceOf(call);
  await call.store.storage.write((view) => {
    if (!call.store.catalog.get(namespace)) call.store.catalog.create(view, namespace, {});
  });
  return {};
}

async function drop(call: Call): Promise<Doc> {
  const namespace = namespaceOf(call);
  const reply = await call.store.storage.write(
    (view) => {
      const collection = call.store.catalog.get(namespace);
      if (!collection) return {};
      call.store.catalog.drop(view, collection);
      return { nIndexesWas: int(collection.indexes.length), ns: namespace };
    },
    { allowWhenFull: true },
  );
  await call.store.sweep();
  return reply;
}

async function dropDatabase({ store, database }: Call): Promise<Doc> {
  for (const { namespace } of store.catalog.all(database)) {
    await store.storage.write(
      (view) => {
        const collection = store.catalog.get(namespace);
        if (collection) store.catalog.drop(view, collection);
      },
      { allowWhenFull: true },
    );
  }
  await store.sweep();
  return { dropped: database };
}

async function createIndexes(call: Call): Promise<Doc> {
  const namespace = namespaceOf(call);
  const specs = (arrayField(call.body, 'indexes') as Doc[]).map(normalizeSpec);
  if (specs.length === 0) throw storeError(2, 'Must specify at least one index to create');
  const { before, after, created, built } = await buildIndexes(call.store, namespace, specs, call.timeSlice);
  return {
    numIndexesBefore: int(before),
    numIndexesAfter: int(after),
    createdCollectionAutomatically: created,
    ...(built === 0 && { note: 'all indexes already exist' }),
  };
}

async function dropIndexes(call: Call): Promise<Doc> {
  const { store, body } = call;
  const collection = requireCollection(call);
  const reply = await store.storage.write(
    (view) => {
      const before = collection.indexes.length;
      const dropped =
        body.index === '*'
          ? collection.indexes.filter(({ name }) => name !== '_id_')
          : findIndexesToDrop(collection, body.index);
      for (const index of dropped) dropIndexEntries(view, index);
      const remaining = collection.indexes.filter((index) => !dropped.includes(index));
      store.catalog.setIndexes(view, collection, remaining);
      return { nIndexesWas: int(before) };
    },
    { allowWhenFull: true },
  );
  await store.sweep();
  return reply;
}

function findIndexesToDrop(collection: Collection, requested: Value): Index[] {
  return (Array.isArray(requested) ? requested : [requested]).map((item: Value) => {
    const index = findIndex(collection, item);
    if (!index)
      throw storeError(27, `index not found with name [${typeof item === 'string' ? item : formatValue(item)}]`);
    if (index.name === '_id_') throw storeError(72, 'cannot drop _id index');
    return index;
  });
}

function listCollections(call: Call): Promise<Buffer> {
  const { store, database, body } = call;
  const filter = compileFilter(documentField(body, 'filter') ?? {});
  const collections = store.catalog.all(database).map(({ name, uuid, options }) => ({
    name,
    type: 'collection',
    options,
    info: { readOnly: false, uuid },
    idIndex: { v: int(2), key: { _id: int(1) }, name: '_id_' },
  }));
  const found = collections
    .filter((item) => filter.test(item))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const documents = isTruthy(body.nameOnly) ? found.map(({ name, type }) => ({ name, type })) : found;
  return openListCursor(call, `${database}.$cmd.listCollections`, documents);
}

function listDatabases({ store, body }: Call): Doc {
  const filter = compileFilter(documentField(body, 'filter') ?? {});
  const names = [...new Set(store.catalog.all().map(({ database }) => database))].sort();
  const databases = names
    .map((name) => ({ name, sizeOnDisk: long(0), empty: false }))
    .filter((item) => filter.test(item));
  return isTruthy(body.nameOnly)
    ? { databases: databases.map(({ name }) => ({ name })) }
    : { databases, totalSize: long(0), totalSizeMb: long(0) };
}

function listIndexes(call: Call): Promise<Buffer> {
  const { namespace, indexes } = requireCollection(call);
  const specs = indexes.map(({ spec }) => spec);
  return openListCursor(call, namespace, specs);
}

function requireCollection(call: Call): Collection {
  const collection = collectionOf(call);
  if (!collection) throw storeError(26, `ns does not exist: ${namespaceOf(call)}`);
  return collection;
}

const findIndex = ({ indexes }: Collection, requested: Value): Index | undefined =>
  indexes.find((index) => (isDocument(requested) ? equal(index.key, requested) : index.name === requested));
