// Makes the collections of a database equal to those of another one, byte by byte.
import { BSON, type Collection, type Db, type Document } from 'mongodb';
import { FORMAT_COLLECTION } from '../schema/internal-collections.ts';

/** `records` and `bytes`: the size of the source. `changed`: the records that were written or deleted in the target. */
export type Synchronization = { collections: number; records: number; bytes: number; changed: number };

const BATCH_RECORDS = 500;
const BATCH_BYTES = 8 * 2 ** 20;
// Keeps the types of all values, so that they are encoded to the same bytes.
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true } as const;

/**
 * Compares all records of the source with those of the target, and writes or deletes what differs in the target. It can be
 * interrupted at any time and repeated. The target is equal when a run changes nothing. Leaves the store format and
 * the state of migrations to the caller. `onBatch` is called after each batch.
 */
export async function synchronize(
  source: Db,
  target: Db,
  onBatch: (progress: Synchronization) => void,
): Promise<Synchronization> {
  const names = await collectionNames(source);
  const progress: Synchronization = { collections: names.length, records: 0, bytes: 0, changed: 0 };
  const present = await collectionNames(target);
  for (const name of present.filter((name) => !names.includes(name))) {
    progress.changed += await target.collection(name).countDocuments();
    await target.dropCollection(name);
  }
  for (const name of names) {
    if (!present.includes(name)) await target.createCollection(name);
    await synchronizeCollection(source.collection(name), target.collection(name), progress, onBatch);
  }
  return progress;
}

/** Gives each collection of the target the indexes of the source. */
export async function copyIndexes(source: Db, target: Db): Promise<void> {
  for (const name of await collectionNames(source)) {
    const indexes = (await source.collection(name).indexes()).filter((index) => index.name !== '_id_');
    const definitions = indexes.map(({ v: _version, ns: _namespace, ...definition }) => definition);
    if (definitions.length) await target.collection(name).createIndexes(definitions);
  }
}

/** Drops the indexes of all collections, which could reject a record before another one has changed. */
export async function dropIndexes(db: Db): Promise<void> {
  for (const name of await collectionNames(db)) await db.collection(name).dropIndexes();
}

/** Returns whether a database contains records of the product. */
export async function hasRecords(db: Db): Promise<boolean> {
  for (const name of await collectionNames(db)) if (await db.collection(name).findOne({})) return true;
  return false;
}

async function collectionNames(db: Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => name !== FORMAT_COLLECTION && !name.startsWith('system.'))
    .sort();
}

async function synchronizeCollection(
  source: Collection,
  target: Collection,
  progress: Synchronization,
  onBatch: (progress: Synchronization) => void,
): Promise<void> {
  let found = 0;
  for await (const batch of batches(source)) {
    progress.changed += await synchronizeBatch(target, batch);
    found += batch.size;
    progress.records += batch.size;
    for (const bytes of batch.values()) progress.bytes += bytes.length;
    onBatch(progress);
  }
  if ((await target.countDocuments()) > found) progress.changed += await deleteOthers(source, target);
}

/** Records as stored, by their encoded id. */
type Batch = Map<string, Uint8Array>;

async function* batches(source: Collection): AsyncGenerator<Batch> {
  let batch: Batch = new Map();
  let size = 0;
  for await (const record of source.find<Uint8Array>({}, { sort: { _id: 1 }, raw: true })) {
    const bytes = Buffer.from(record);
    batch.set(encodedId(bytes), bytes);
    size += bytes.length;
    if (batch.size < BATCH_RECORDS && size < BATCH_BYTES) continue;
    yield batch;
    batch = new Map();
    size = 0;
  }
  if (batch.size) yield batch;
}

// Returns how many records of the batch were written.
async function synchronizeBatch(target: Collection, batch: Batch): Promise<number> {
  const stored = await readBatch(target, [...batch.keys()]);
  const isEqual = (id: string, bytes: Uint8Array) => stored.get(id)?.equals(bytes) === true;
  const missing = [...batch].filter(([id, bytes]) => !isEqual(id, bytes));
  if (!missing.length) return 0;
  const different = missing.map(([id]) => id).filter((id) => stored.has(id));
  if (different.length) await target.deleteMany({ _id: { $in: different.map(decodedId) } } as Document);
  await target.insertMany(missing.map(([, bytes]) => BSON.deserialize(bytes, EXACT)));
  return missing.length;
}

async function readBatch(collection: Collection, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const filter: Document = { _id: { $in: ids.map(decodedId) } };
  const found = await collection.find<Uint8Array>(filter, { raw: true }).toArray();
  return new Map(found.map((bytes) => [encodedId(bytes), Buffer.from(bytes)]));
}

// Returns how many records of the target were deleted because the source does not contain them.
async function deleteOthers(source: Collection, target: Collection): Promise<number> {
  let deleted = 0;
  for await (const batch of batches(target)) {
    const known = await readBatch(source, [...batch.keys()]);
    const others = [...batch.keys()].filter((id) => !known.has(id));
    if (others.length) await target.deleteMany({ _id: { $in: others.map(decodedId) } } as Document);
    deleted += others.length;
  }
  return deleted;
}

const encodedId = (bytes: Uint8Array): string =>
  Buffer.from(BSON.serialize({ _id: BSON.deserialize(bytes, EXACT)._id })).toString('base64');

const decodedId = (id: string): unknown => BSON.deserialize(Buffer.from(id, 'base64'), EXACT)._id;
