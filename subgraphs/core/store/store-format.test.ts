import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import { connectMongo } from './mongo.ts';
import { STORE_FORMAT } from './store-format.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());

const format = () => store.services.mongo.db.collection<{ _id: string; format: number }>('format');
const connect = () => connectMongo(store.uri, { name: store.services.mongo.db.databaseName });

test('records the format of new data', async () => {
  expect(await format().find().toArray()).toEqual([{ _id: 'store', format: STORE_FORMAT }]);
});

test('records the format of data without a number', async () => {
  await format().deleteMany({});
  await (await connect()).close();
  expect(await format().find().toArray()).toEqual([{ _id: 'store', format: STORE_FORMAT }]);
});

test('rejects data of a newer format in one sentence and leaves it unchanged', async () => {
  const newer = STORE_FORMAT + 1;
  await format().updateOne({ _id: 'store' }, { $set: { format: newer } });
  await expect(connect()).rejects.toThrow(
    new RegExp(`has format ${newer}, written by a newer version of PDM; this version supports format ${STORE_FORMAT}`),
  );
  expect(await format().find().toArray()).toEqual([{ _id: 'store', format: newer }]);
});
