import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { type TestServer, testServer } from './server.ts';

const embedded = needs('embedded store');

type Item = { _id: number; a?: unknown; b?: unknown };

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  await server.db
    .collection<Item>('parts')
    .insertMany([{ _id: 1, a: 'x', b: 1 }, { _id: 2, a: 'X', b: 2 }, { _id: 3, a: ['x', 'y'], b: null }, { _id: 4 }]);
  await server.db
    .collection<Item>('others')
    .insertMany([{ _id: 1, a: 'x', b: 1 }, { _id: 2, a: ['X', 'z'], b: 2 }, { _id: 3 }]);
  await server.db.collection<Item>('others').createIndex({ b: 1 });
});
afterAll(() => server.close());

const joined = async (field: 'a' | 'b', options = {}) => {
  const lookup = { $lookup: { from: 'others', localField: field, foreignField: field, as: 'found' } };
  const found = await server.db
    .collection<Item>('parts')
    .aggregate<{ _id: number; found: Item[] }>([{ $sort: { _id: 1 } }, lookup], options)
    .toArray();
  return found.map((doc) => doc.found.map(({ _id }) => _id));
};

describe('a join', () => {
  test('finds the same documents with and without an index, also for null and missing fields', async () => {
    expect(await joined('b')).toEqual([[1], [2], [3], [3]]);
    await server.db.collection<Item>('others').dropIndex('b_1');
    expect(await joined('b')).toEqual([[1], [2], [3], [3]]);
    await server.db.collection<Item>('others').createIndex({ b: 1 });
  });

  test('matches array elements on both sides', async () => {
    expect(await joined('a')).toEqual([[1], [2], [1], [3]]);
  });

  test('compares strings by the collation of the pipeline', async () => {
    expect(await joined('a', { collation: { locale: 'en', strength: 2 } })).toEqual([[1, 2], [1, 2], [1, 2], [3]]);
  });

  test('filters, sorts and limits the documents of each join, with and without an index', async () => {
    const newest = {
      from: 'many',
      localField: '_id',
      foreignField: 'a',
      pipeline: [{ $sort: { b: -1 } }, { $limit: 2 }],
      as: 'found',
    };
    const many = server.db.collection<Item>('many');
    await many.insertMany(Array.from({ length: 40 }, (_, n) => ({ _id: n, a: n % 3, b: n })));
    const read = async (options = {}) =>
      (
        await server.db
          .collection<Item>('parts')
          .aggregate([{ $sort: { _id: 1 } }, { $lookup: { ...newest, ...options } }])
          .toArray()
      ).map(({ found }) => found.map(({ _id }: Item) => _id));
    const found = [[37, 34], [38, 35], [], []];
    const filtered = { pipeline: [{ $match: { b: { $lt: 36 } } }, ...newest.pipeline] };
    const variable = {
      let: { bound: { $multiply: ['$_id', 10] } },
      pipeline: [{ $match: { $expr: { $lt: ['$b', '$$bound'] } } }, ...newest.pipeline],
    };
    const expectFound = async () => {
      expect(await read()).toEqual(found);
      expect(await read(filtered)).toEqual([[34, 31], [35, 32], [], []]);
      expect(await read(variable)).toEqual([[7, 4], [17, 14], [], []]);
    };
    await expectFound();
    await many.createIndex({ a: 1, b: -1 });
    await expectFound();
  });

  test.skipIf(embedded.isMissing)(embedded.title('reports in explain whether it uses an index'), async () => {
    const explained = async (foreignField: string, collation?: object) => {
      const pipeline = [{ $lookup: { from: 'others', localField: 'a', foreignField, as: 'found' } }];
      const { stages } = await server.db.command({
        explain: { aggregate: 'parts', pipeline, cursor: {}, ...(collation && { collation }) },
      });
      return stages;
    };
    expect(await explained('b')).toEqual([
      { stage: '$lookup', from: 'others', strategy: 'IndexedLoopJoin', indexName: 'b_1' },
    ]);
    expect(await explained('a')).toEqual([{ stage: '$lookup', from: 'others', strategy: 'HashJoin' }]);
    expect(await explained('b', { locale: 'en' })).toEqual([
      { stage: '$lookup', from: 'others', strategy: 'HashJoin' },
    ]);
  });
});

test('treats a field fixed to one value as sorted only if the index contains it', async () => {
  const items = server.db.collection<Item>('sorted');
  await items.insertMany([
    { _id: 1, a: 1, b: 1 },
    { _id: 2, a: [0, 1], b: 2 },
  ]);
  await items.createIndex({ b: 1 });
  const order = (await items.find({ a: 1 }).sort({ a: 1, b: 1 }).toArray()).map(({ _id }) => _id);
  expect(order).toEqual([2, 1]);
});
