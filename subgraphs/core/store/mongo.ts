import { type Db, MongoClient, MongoServerError } from 'mongodb';
import type { CollectionName } from './schema/collections.ts';
import { INDEXES, OUTDATED } from './schema/indexes.ts';

/**
 * A connection to the store: the embedded one and a MongoDB server alike. `oneWord`: it takes writes to several collections
 * in one command (MongoDB 8).
 */
export type Mongo = { client: MongoClient; db: Db; oneWord: boolean; close(): Promise<void> };

const WIRE_VERSION_OF_8 = 25;

/**
 * Connects, refuses a server without transactions, and makes collections and indexes (inside a transaction neither could be made).
 * The database is the one the address names, else `pdm`.
 */
export async function connectMongo(
  url: string,
  { name = databaseOf(url), monitorCommands = false } = {},
): Promise<Mongo> {
  const client = new MongoClient(url, {
    appName: 'pdm',
    monitorCommands,
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'local' },
    maxPoolSize: 64,
  });
  await client.connect();
  const db = client.db(name);
  const hello = await db.command({ hello: 1 });
  if (!hello.setName && hello.msg !== 'isdbgrid') {
    await client.close();
    throw new Error(
      'The MongoDB server at MONGODB_URL is not a replica set, so it has no transactions. Start mongod with --replSet rs0, run rs.initiate() once, and start again.',
    );
  }
  await prepare(db);
  return { client, db, oneWord: hello.maxWireVersion >= WIRE_VERSION_OF_8, close: () => client.close() };
}

async function prepare(db: Db): Promise<void> {
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const name of [...(Object.keys(INDEXES) as CollectionName[]), ...GRIDFS])
    if (!present.has(name)) await db.createCollection(name);
  for (const [name, indexes] of Object.entries(INDEXES))
    if (indexes.length) await db.collection(name).createIndexes(indexes);
  for (const [name, outdated] of Object.entries(OUTDATED)) await dropped(db, name, outdated);
  await db.collection('files.chunks').createIndex({ files_id: 1, n: 1 }, { unique: true });
  await db.collection('files.files').createIndex({ filename: 1, uploadDate: 1 });
}

// Of several processes that start at once, each finds it there or gone.
async function dropped(db: Db, collection: string, outdated: readonly string[]): Promise<void> {
  const present = await db.collection(collection).indexes();
  for (const { name } of present)
    if (name && outdated.includes(name))
      await db
        .collection(collection)
        .dropIndex(name)
        .catch((error) => {
          if (!(error instanceof MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
        });
}

const INDEX_NOT_FOUND = 27;
const GRIDFS = ['files.files', 'files.chunks'];

function databaseOf(url: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? 'pdm';
}
