// The catalog: the collections and their indexes, in memory and in the storage.

import { randomUUID } from 'node:crypto';
import { Binary, Int32, UUID } from 'bson';
import { StoreError, storeError } from '../protocol/errors.ts';
import { compileFilter } from '../query/match.ts';
import type { Storage } from '../storage/storage.ts';
import { discard, highestIdToRemove, markForRemoval, unmarkForRemoval } from '../storage/sweep.ts';
import type { WriteView } from '../storage/view.ts';
import { asNumber, type Doc, decode, splitPath } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import { countInBackground, loadCounts } from './counts.ts';
import {
  catalogKey,
  catalogRange,
  documentPrefix,
  documentRange,
  indexPrefix,
  metaKey,
  namespaceOf,
  type RecordId,
  recordOfDocumentKey,
} from './keys.ts';

export type IndexField = { path: string; parts: readonly string[]; direction: 1 | -1 };

/** One index. `spec` is what listIndexes returns; the other properties are derived from it. */
export type Index = {
  id: number;
  name: string;
  spec: Doc;
  key: Doc;
  fields: IndexField[];
  directions: (1 | -1)[];
  prefix: Buffer;
  unique: boolean;
  sparse: boolean;
  partial?: { filter: Doc; test(doc: Doc): boolean };
  expireAfterSeconds?: number;
  /** Whether some document has an array on an indexed path, so that a document can have several entries. */
  multikey: boolean;
  /** Whether some key exceeded LMDB's limit and was truncated, so that the index is not in value order. */
  truncated: boolean;
  /** Which of the two flags are stored on disk. */
  storedFlags: { multikey: boolean; truncated: boolean };
  /** The storage version since which the index is complete on disk; older views do not use it. */
  readyAt: number;
  /** Set when damage is found. A damaged index is neither read nor able to keep values unique. */
  damaged?: boolean;
};

export type Collection = {
  id: number;
  uuid: UUID;
  namespace: string;
  database: string;
  name: string;
  options: Doc;
  indexes: Index[];
  /** Indexes that are being built. Writes maintain them, queries do not use them, and a restart discards them. */
  building: { index: Index; done: Promise<void> }[];
  count: number;
  /** Resolves when the documents are counted. Until then, `count` contains only the changes since the start. */
  counting: Promise<void> | undefined;
  nextRecord: RecordId;
  /** Incremented by every change of the indexes and when the collection is dropped. */
  schemaVersion: number;
};

export type Catalog = {
  get(namespace: string): Collection | undefined;
  all(database?: string): Collection[];
  create(view: WriteView, namespace: string, options: Doc): Collection;
  drop(view: WriteView, collection: Collection): void;
  /** Assigns an id to a validated index specification. Stores nothing. */
  newIndex(spec: Doc): Index;
  setIndexes(view: WriteView, collection: Collection, indexes: Index[]): void;
  startBuilding(view: WriteView, collection: Collection, indexes: Index[], done: Promise<void>): void;
  /** Moves complete indexes to `indexes`. Incomplete ones stay marked for removal by `sweep`. */
  endBuilding(view: WriteView, collection: Collection, indexes: Index[], complete: boolean): void;
  isBuilding(prefix: Buffer): boolean;
  /** Stops the background count that runs after a crash. */
  stopCounting(): void;
  /** Discards the state in memory and reads the storage again. */
  reload(): void;
};

export function loadCatalog(storage: Storage): Catalog {
  let collections = new Map<string, Collection>();
  let nextId = 1;
  let stopCounting = () => {};

  function reload(): void {
    stopCounting();
    const snapshot = storage.snapshot();
    const found = new Map<string, Collection>();
    const counts = loadCounts(snapshot, storage.version());
    try {
      for (const { key, value } of snapshot.range(...catalogRange())) {
        const namespace = namespaceOf(key);
        const collection = readCollection(
          namespace,
          decode(value),
          (name) => snapshot.get(metaKey(name)) !== undefined,
        );
        collection.count = counts?.get(collection.id) ?? 0;
        for (const last of snapshot.range(...documentRange(collection.id), { reverse: true, keysOnly: true })) {
          collection.nextRecord = recordOfDocumentKey(last.key) + 1;
          break;
        }
        // Reuses the existing object, because cursors and transactions refer to it.
        const known = collections.get(namespace);
        found.set(
          namespace,
          known?.id === collection.id
            ? Object.assign(known, collection, { schemaVersion: known.schemaVersion + 1 })
            : collection,
        );
        nextId = Math.max(nextId, collection.id + 1, ...collection.indexes.map((index) => index.id + 1));
      }
      nextId = Math.max(nextId, highestIdToRemove(snapshot) + 1);
    } finally {
      snapshot.close();
    }
    for (const [namespace, collection] of collections) if (!found.has(namespace)) collection.schemaVersion++;
    collections = found;
    if (!counts) stopCounting = countInBackground(storage, [...found.values()]);
  }
  reload();
  storage.onCommitFailed(reload);

  const save = (view: WriteView, collection: Collection) =>
    view.put(catalogKey(collection.namespace), encodeBytes(toRecord(collection)));

  function setIndexes(view: WriteView, collection: Collection, indexes: Index[]): void {
    const before = collection.indexes;
    view.effect(
      () => {
        collection.indexes = indexes;
        collection.schemaVersion++;
      },
      () => {
        collection.indexes = before;
      },
    );
    save(view, collection);
  }

  // Increments the schema version: an open transaction that wrote here did not maintain the new index, so it must not
  // commit.
  function setBuilding(view: WriteView, collection: Collection, building: Collection['building']): void {
    const before = collection.building;
    view.effect(
      () => {
        collection.building = building;
        collection.schemaVersion++;
      },
      () => {
        collection.building = before;
      },
    );
  }

  return {
    get: (namespace) => collections.get(namespace),
    all: (database) =>
      [...collections.values()].filter((collection) => database === undefined || collection.database === database),
    create(view, namespace, options) {
      const [database, name] = splitNamespace(namespace);
      if (name.startsWith('system.')) throw storeError(73, `Invalid system namespace: ${namespace}`);
      const id = nextId++;
      const idIndex = toIndex(nextId++, { v: new Int32(2), key: { _id: new Int32(1) }, name: '_id_' });
      idIndex.readyAt = 0;
      const collection: Collection = {
        id,
        uuid: new UUID(randomUUID()),
        namespace,
        database,
        name,
        options,
        indexes: [idIndex],
        building: [],
        count: 0,
        counting: undefined,
        nextRecord: 1,
        schemaVersion: 0,
      };
      view.effect(
        () => void collections.set(namespace, collection),
        () => void collections.delete(namespace),
      );
      save(view, collection);
      return collection;
    },
    drop(view, collection) {
      discard(view, documentPrefix(collection.id));
      for (const index of collection.indexes) dropIndexEntries(view, index);
      view.remove(catalogKey(collection.namespace));
      view.effect(
        () => {
          collections.delete(collection.namespace);
          collection.schemaVersion++;
        },
        () => void collections.set(collection.namespace, collection),
      );
    },
    newIndex: (spec) => toIndex(nextId++, spec),
    setIndexes,
    startBuilding(view, collection, indexes, done) {
      for (const { prefix } of indexes) markForRemoval(view, prefix);
      setBuilding(view, collection, [...collection.building, ...indexes.map((index) => ({ index, done }))]);
    },
    endBuilding(view, collection, indexes, complete) {
      const ended = collection.building.filter(({ index }) => indexes.includes(index));
      setBuilding(
        view,
        collection,
        collection.building.filter((entry) => !ended.includes(entry)),
      );
      if (!complete) return;
      for (const { prefix } of indexes) unmarkForRemoval(view, prefix);
      setIndexes(view, collection, [...collection.indexes, ...indexes]);
    },
    isBuilding: (prefix) =>
      [...collections.values()].some(({ building }) => building.some(({ index }) => index.prefix.equals(prefix))),
    stopCounting: () => stopCounting(),
    reload,
  };
}

/** Removes every entry of an index and its stored flags. */
export function dropIndexEntries(view: WriteView, index: Index): void {
  discard(view, index.prefix);
  view.remove(multikeyFlagKey(index));
  view.remove(truncatedFlagKey(index));
}

export const multikeyFlagKey = (index: Index): Buffer => metaKey(`multikey ${index.id}`);
export const truncatedFlagKey = (index: Index): Buffer => metaKey(`cut ${index.id}`);

/** Splits `db.collection`. Throws InvalidNamespace (73) if a part is not a valid name. */
export function splitNamespace(namespace: string): [string, string] {
  const dot = namespace.indexOf('.');
  const database = namespace.slice(0, dot);
  const name = namespace.slice(dot + 1);
  if (
    dot < 1 ||
    !name ||
    name.startsWith('.') ||
    name.endsWith('.') ||
    /[\0$]/.test(name) ||
    /[\0 "$./\\]/.test(database) ||
    namespace.length > 255
  )
    throw storeError(73, `Invalid namespace specified '${namespace}'`);
  return [database, name];
}

function readCollection(namespace: string, record: Doc, hasFlag: (name: string) => boolean): Collection {
  const [database, name] = splitNamespace(namespace);
  const { id, uuid, options, indexes } = record;
  if (!(uuid instanceof Binary) || !Array.isArray(indexes))
    throw new StoreError(1, `embedded store: damaged catalog record of ${namespace}`);
  return {
    id: asNumber(id) ?? 0,
    uuid: uuid.toUUID(),
    namespace,
    database,
    name,
    options: options as Doc,
    indexes: indexes.map((entry: Doc) => {
      const index = toIndex(asNumber(entry.id) ?? 0, entry.spec as Doc);
      const flags = { multikey: hasFlag(`multikey ${index.id}`), truncated: hasFlag(`cut ${index.id}`) };
      return { ...index, ...flags, storedFlags: flags, readyAt: 0 };
    }),
    building: [],
    count: 0,
    counting: undefined,
    nextRecord: 1,
    schemaVersion: 0,
  };
}

const toRecord = ({ id, uuid, options, indexes }: Collection): Doc => ({
  id: new Int32(id),
  uuid,
  options,
  indexes: indexes.map((index) => ({ id: new Int32(index.id), spec: index.spec })),
});

function toIndex(id: number, spec: Doc): Index {
  const key = spec.key as Doc;
  const filter = spec.partialFilterExpression as Doc | undefined;
  const expireAfterSeconds = spec.expireAfterSeconds === undefined ? undefined : asNumber(spec.expireAfterSeconds);
  const fields = Object.entries(key).map(
    ([path, direction]): IndexField => ({
      path,
      parts: splitPath(path),
      direction: (asNumber(direction) ?? 1) < 0 ? -1 : 1,
    }),
  );
  return {
    id,
    name: String(spec.name),
    spec,
    key,
    fields,
    directions: fields.map(({ direction }) => direction),
    prefix: indexPrefix(id),
    unique: spec.unique === true || spec.name === '_id_',
    sparse: spec.sparse === true,
    ...(filter && { partial: { filter, test: compileFilter(filter).test } }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    multikey: false,
    truncated: false,
    storedFlags: { multikey: false, truncated: false },
    readyAt: Number.POSITIVE_INFINITY,
  };
}
