import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, expect, test } from 'vitest';
import { startProcess } from './store-process.ts';

type Item = { _id: number; name: string; n: number };

const MANY = 4_000;
const folder = mkdtempSync(join(tmpdir(), 'store-build-'));
let store = await startProcess(folder);
let client = await MongoClient.connect(store.uri ?? '');
afterAll(async () => {
  await client.close();
  store.child.kill('SIGTERM');
  expect(await store.ended).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

async function filled(name: string): Promise<Collection<Item>> {
  const items = client.db('t').collection<Item>(name);
  await items.insertMany(Array.from({ length: MANY }, (_, _id) => ({ _id, name: `name ${_id}`, n: _id })));
  return items;
}

async function agrees(items: Collection<Item>, index: string): Promise<void> {
  const { valid, errors } = await client.db('t').command({ validate: items.collectionName });
  expect({ valid, errors }).toEqual({ valid: true, errors: [] });
  expect(await items.find({ name: { $gte: '' } }, { hint: index }).toArray()).toHaveLength(
    await items.countDocuments(),
  );
}

test('includes concurrent writes in a new index, and rejects their duplicates if it is unique', async () => {
  const items = await filled('busy');
  let building = true;
  const changed: Promise<unknown>[] = [];
  const writing = (async () => {
    for (let n = 0; building; n += 3) {
      changed.push(items.updateOne({ _id: n % MANY }, { $set: { name: `changed ${n}` } }));
      changed.push(items.deleteOne({ _id: (n * 7 + 1) % MANY }));
      await items.insertOne({ _id: MANY + n, name: `later ${n}`, n });
    }
  })();
  await Promise.all([
    items.createIndex({ name: 1, n: 1 }),
    items.createIndex({ name: -1 }, { unique: true, name: 'one of each' }),
  ]);
  building = false;
  await writing;
  await Promise.all(changed);
  await agrees(items, 'name_1_n_1');
  await agrees(items, 'one of each');
  const { name } = (await items.findOne()) ?? { name: 'none' };
  await expect(items.insertOne({ _id: -1, name, n: 0 })).rejects.toMatchObject({ code: 11000 });
});

test('a duplicate value ends the build of a unique index and leaves nothing behind', async () => {
  const items = await filled('twice');
  await items.updateOne({ _id: MANY - 1 }, { $set: { name: 'name 3' } });
  await expect(items.createIndex({ name: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
  expect(await items.indexes()).toHaveLength(1);
  await items.insertOne({ _id: MANY, name: 'name 4', n: 0 });
  await items.createIndex({ name: 1 });
  await agrees(items, 'name_1');
});

test('stops building an index when its collection is dropped', async () => {
  const items = await filled('dropped');
  const build = items.createIndex({ name: 1 });
  const [built] = await Promise.allSettled([build, items.drop()]);
  if (built?.status === 'rejected') expect(built.reason).toMatchObject({ code: 276 });
  expect(await client.db('t').listCollections({ name: 'dropped' }).toArray()).toEqual([]);
});

test('leaves no index after a killed build, and can build it again', async () => {
  const items = await filled('killed');
  const build = items.createIndex({ name: 1 }).catch(() => 'killed');
  await items.insertOne({ _id: MANY, name: 'beside the build', n: 0 });
  store.child.kill('SIGKILL');
  await store.ended;
  await client.close(true);
  expect(await build).toBe('killed');
  store = await startProcess(folder);
  client = await MongoClient.connect(store.uri ?? '');
  const again = client.db('t').collection<Item>('killed');
  expect(await again.indexes()).toHaveLength(1);
  await again.createIndex({ name: 1 });
  await agrees(again, 'name_1');
});
