// Connects to the store and prepares its collections and indexes.
import { type Db, type IndexDescription, MongoClient, MongoError, MongoServerError } from 'mongodb';
import { DRIVER_CONNECTION } from './driver-connection.ts';
import type { CollectionName } from './schema/collections.ts';
import { INDEXES, OBSOLETE_INDEXES } from './schema/indexes.ts';
import type { GRIDFS } from './schema/internal-collections.ts';
import { assertUsable, recordFormat } from './store-format.ts';
import { createStoreWatch, type StoreWatch } from './store-watch.ts';

/**
 * A connection to the store, embedded or a MongoDB server. `supportsClientBulkWrite`: whether it accepts writes to
 * several collections in one command (MongoDB 8).
 */
export type Mongo = {
  client: MongoClient;
  db: Db;
  supportsClientBulkWrite: boolean;
  storeWatch: StoreWatch;
  close(): Promise<void>;
};

const WIRE_VERSION_OF_MONGODB_8 = 25;

/**
 * Connects to a replica set or a sharded cluster. Throws if the server has no transactions. The database is the one in the
 * URL, else `pdm`.
 */
export async function connectServer(
  url: string,
  { name = databaseOf(url), monitorCommands = false } = {},
): Promise<{ client: MongoClient; db: Db; wireVersion: number }> {
  const client = new MongoClient(url, {
    appName: 'pdm',
    monitorCommands,
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'local' },
    maxPoolSize: 64,
    ...DRIVER_CONNECTION,
  });
  await client.connect();
  try {
    const db = client.db(name);
    const hello = await db.command({ hello: 1 });
    if (!hello.setName && hello.msg !== 'isdbgrid')
      throw new Error(
        'The MongoDB server at MONGODB_URL is not a replica set, so it has no transactions. Start mongod with --replSet rs0, run rs.initiate() once, and start PDM again.',
      );
    return { client, db, wireVersion: hello.maxWireVersion };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Connects and creates missing collections and indexes, which a transaction could not create. Throws if the server has
 * no transactions, or if the data cannot be used: newer code wrote it, or it was moved.
 */
export async function connectMongo(url: string, options?: Parameters<typeof connectServer>[1]): Promise<Mongo> {
  const { client, db, wireVersion } = await connectServer(url, options);
  try {
    await assertUsable(db);
    await createCollections(db);
    await recordFormat(db);
    const storeWatch = createStoreWatch((timeoutMS) => db.command({ ping: 1 }, { timeoutMS }));
    client.on('connectionPoolCleared', storeWatch.connectionsLost);
    return {
      client,
      db,
      supportsClientBulkWrite: wireVersion >= WIRE_VERSION_OF_MONGODB_8,
      storeWatch,
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Returns whether the store or the driver reported the error. */
export function isStoreError(error: unknown): boolean {
  return error instanceof MongoError;
}

/** Returns whether a transaction may be stored although its commit failed with this error. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof MongoServerError) || error.hasErrorLabel('UnknownTransactionCommitResult');
}

// Creates missing collections and indexes, and drops obsolete indexes. If nothing is missing, it only reads, so that a
// user without the right to create collections can connect.
async function createCollections(db: Db): Promise<void> {
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const [name, indexes] of Object.entries({ ...INDEXES, ...GRIDFS_INDEXES })) {
    const isNew = !present.has(name);
    if (isNew) await db.createCollection(name);
    const existing = isNew ? [] : (await db.collection(name).indexes()).map((index) => index.name ?? '');
    const missing = indexes.filter(({ key }) => !existing.includes(indexName(key)));
    if (missing.length) await db.collection(name).createIndexes(missing);
    const obsolete: readonly string[] = OBSOLETE_INDEXES[name as CollectionName] ?? [];
    for (const index of existing) if (obsolete.includes(index)) await dropIndex(db, name, index);
  }
}

const GRIDFS_INDEXES: Record<(typeof GRIDFS)[number], IndexDescription[]> = {
  'files.files': [{ key: { filename: 1, uploadDate: 1 } }],
  'files.chunks': [{ key: { files_id: 1, n: 1 }, unique: true }],
};

// The name that the driver gives to an index.
function indexName(key: IndexDescription['key']): string {
  return Object.entries(key)
    .map(([path, direction]) => `${path}_${direction}`)
    .join('_');
}

// Several processes may start at once, so an index may already be gone.
async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  await db
    .collection(collection)
    .dropIndex(name)
    .catch((error) => {
      if (!(error instanceof MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
    });
}

const INDEX_NOT_FOUND = 27;

function databaseOf(url: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? 'pdm';
}
