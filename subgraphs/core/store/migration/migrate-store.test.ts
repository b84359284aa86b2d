// Moves data between two databases, is interrupted at many points, and loses or invents nothing.
import { Binary, BSON, type Db, Double, Int32, Long, type MongoClient, ObjectId } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestStore, testStore } from '../../../../test/support/store.ts';
import { connectMongo, connectServer } from '../mongo.ts';
import { migrateStore } from './migrate-store.ts';

type Item = { _id: string | number; [field: string]: unknown };

let store: TestStore;
let client: MongoClient;
let source: Db;
let target: Db;
let n = 0;
beforeAll(async () => {
  store = await testStore();
  ({ client } = await connectServer(store.uri, { name: 'unused' }));
});
afterAll(async () => {
  await client.close();
  await store.close();
});
beforeEach(async () => {
  const name = `${store.services.mongo.db.databaseName}-${n++}`;
  const opened = await connectMongo(store.uri, { name });
  await opened.close();
  source = client.db(name);
  target = client.db(`${name}-target`);
  for (const chunk of [0, 1, 2, 3])
    await source
      .collection('files.chunks')
      .insertOne({ files_id: new ObjectId(), n: chunk, data: new Binary(Buffer.alloc(65_536, chunk)) });
  await source.collection<Item>('documents').insertMany(
    Array.from({ length: 1200 }, (_, i) => ({
      _id: `doc_${i}`,
      number: `PRT-${i}`,
      nameKey: 'part',
      values: [new Double(i), new Int32(i), Long.fromNumber(i), new Date(i), null, new Double(-0)],
    })),
  );
  await source
    .collection<Item>('auditSeals')
    .insertMany(Array.from({ length: 600 }, (_, _id) => ({ _id, auditId: `aud_${_id}` })));
  await source.collection('documents').createIndex({ description: 1 }, { name: 'own', sparse: true });
});

const stores = () =>
  [
    { db: source, name: 'the source' },
    { db: target, name: 'the target' },
  ] as const;
const migrate = (onProgress = () => {}) => migrateStore(...stores(), onProgress);

/** All records as bytes, and all indexes, by collection. */
async function content(db: Db): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const { name } of await db.listCollections().toArray()) {
    if (name === 'format') continue;
    const records = await db
      .collection(name)
      .find<Uint8Array>({}, { raw: true, sort: { _id: 1 } })
      .toArray();
    const indexes = (await db.collection(name).indexes()).map(({ ns: _, ...index }) => index);
    found.set(name, [
      records.map(
        (bytes) => BSON.calculateObjectSize(BSON.deserialize(bytes)) && Buffer.from(bytes).toString('base64'),
      ),
      indexes.sort((a, b) => a.name!.localeCompare(b.name!)),
    ]);
  }
  return new Map([...found].sort());
}

test('moves every record byte by byte with the indexes, whenever it is interrupted', { timeout: 60_000 }, async () => {
  const before = await content(source);
  // Six batches are copied and then compared: the last points are in the comparison.
  for (const interruption of [0, 1, 2, 3, 4, 5, 6, 8, 9, 11]) {
    if (interruption > 5) await target.dropDatabase();
    let batches = 0;
    const interrupt = () => {
      if (batches++ === interruption) throw new Error('interrupted');
    };
    await expect(migrate(interrupt)).rejects.toThrow('interrupted');
    await expect(connectMongo(store.uri, { name: target.databaseName })).rejects.toThrow(
      'migration to it has not ended',
    );
    const usable = await connectMongo(store.uri, { name: source.databaseName });
    await usable.close();
  }
  const result = await migrate();
  expect(result).toMatchObject({ records: 1804, changed: 0 });
  expect(await content(target)).toEqual(before);
  await expect(connectMongo(store.uri, { name: source.databaseName })).rejects.toThrow('was moved to the target');
  const usable = await connectMongo(store.uri, { name: target.databaseName });
  await usable.close();
});

test('takes over what changed in the source between two attempts', async () => {
  const stop = () => {
    throw new Error('interrupted');
  };
  await expect(migrate(stop)).rejects.toThrow('interrupted');
  const documents = source.collection<Item>('documents');
  // Exchanges two unique values, which must not conflict in the target.
  await documents.updateOne({ _id: 'doc_1' }, { $set: { number: 'X' } });
  await documents.updateOne({ _id: 'doc_2' }, { $set: { number: 'PRT-1' } });
  await documents.updateOne({ _id: 'doc_1' }, { $set: { number: 'PRT-2' } });
  await documents.deleteOne({ _id: 'doc_3' });
  await migrate();
  expect(await content(target)).toEqual(await content(source));
});

test('moves the data back to the store that it came from, and refuses every other order', async () => {
  await migrate();
  await expect(migrate()).rejects.toThrow('The data of the source was moved to the target on');
  await target.collection<Item>('documents').insertOne({ _id: 'doc_new', number: 'NEW' });
  const [former, current] = stores();
  await migrateStore(current, former, () => {});
  expect(await content(source)).toEqual(await content(target));
  expect(await source.collection<Item>('documents').findOne({ _id: 'doc_new' })).toMatchObject({
    number: 'NEW',
  });
  await expect(migrateStore(current, former, () => {})).rejects.toThrow('was moved to the source');
});

test('refuses a target with other data, and a source that a service uses', async () => {
  await target.collection<Item>('documents').insertOne({ _id: 'doc_other' });
  await expect(migrate()).rejects.toThrow('the target contains data');
  await target.dropDatabase();
  await source
    .collection<Item>('auditTree')
    .insertOne({ _id: 'tree', sealer: 'another', leaseUntil: new Date(Date.now() + 60_000) });
  await expect(migrate()).rejects.toThrow('A service uses the source.');
  expect(await target.listCollections().toArray()).toEqual([]);
});
