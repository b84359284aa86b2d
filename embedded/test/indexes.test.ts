import type { Collection, Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { codeOf, type TestServer, testServer } from './server.ts';

const embedded = needs('embedded store');

type Item = Document & { _id?: number };

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Stage = {
  stage: string;
  indexName?: string;
  indexBounds?: Document;
  direction?: string;
  inputStage?: Stage;
  inputStages?: Stage[];
};

/** Returns the stages of the winning plan from top to bottom. */
async function plan(collection: Collection<Item>, filter: Document, sort: Document = {}): Promise<Stage[]> {
  const explained = await collection.find(filter).sort(sort).explain('queryPlanner');
  const stages: Stage[] = [];
  for (let stage: Stage | undefined = explained.queryPlanner.winningPlan; stage; stage = stage.inputStage)
    stages.push(stage);
  return stages;
}

const names = (stages: Stage[]): string[] => stages.map(({ stage }) => stage);

// Plans and the choice of index differ between servers.
describe.skipIf(embedded.isMissing)(embedded.title('an index'), () => {
  test('rejects a second document with the same value if unique, also when it is built', async () => {
    const collection = await server.collectionWith<Item>([
      { _id: 1, a: 1 },
      { _id: 2, a: 1 },
    ]);
    expect(await codeOf(collection.createIndex({ a: 1 }, { unique: true }))).toBe(11000);
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    await collection.deleteOne({ _id: 2 });
    await collection.createIndex({ a: 1 }, { unique: true });
    expect(await codeOf(collection.insertOne({ a: 1 }))).toBe(11000);
    expect(await codeOf(collection.updateOne({ _id: 3 }, { $set: { a: 1 } }, { upsert: true }))).toBe(11000);
    await collection.insertOne({ _id: 4 });
    expect(await codeOf(collection.insertOne({ _id: 5 }))).toBe(11000);
  });

  test('uses wider ranges and tests the documents if exact bounds would need too many ranges', async () => {
    const collection = await server.collectionWith<Item>(
      Array.from({ length: 400 }, (_, at) => ({ _id: at, a: at % 20, b: at })),
    );
    await collection.createIndex({ a: 1, b: 1 });
    const list = (size: number, step = 1) => Array.from({ length: size }, (_, at) => at * step);
    const filter = { a: { $in: list(230) }, b: { $in: list(230, 3) } };
    expect(names(await plan(collection, filter))).toEqual(['FETCH', 'IXSCAN']);
    expect(await collection.countDocuments(filter)).toBe(134);
    expect(names(await plan(collection, { a: { $in: list(9_000) } }))).toEqual(['FETCH', 'IXSCAN']);
  });

  test('contains only documents with the field if sparse', async () => {
    const collection = await server.collectionWith<Item>([{ _id: 1 }, { _id: 2 }, { _id: 3, a: 1 }]);
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    expect(await collection.find({ a: null }).toArray()).toHaveLength(2);
    expect(await collection.find().sort({ a: 1 }).toArray()).toHaveLength(3);
    expect(names(await plan(collection, { a: 1 }))).toContain('IXSCAN');
    expect(names(await plan(collection, { a: null }))).toEqual(['COLLSCAN']);
  });

  test('contains only documents that meet its filter if partial, and is used only if the query implies the filter', async () => {
    const collection = await server.collectionWith<Item>([
      { _id: 1, a: 1, open: true },
      { _id: 2, a: 1, open: false },
    ]);
    await collection.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { open: true } });
    expect(await codeOf(collection.insertOne({ a: 1, open: true }))).toBe(11000);
    await collection.insertOne({ a: 1, open: false });
    expect(names(await plan(collection, { a: 1, open: true }))).toContain('IXSCAN');
    expect(names(await plan(collection, { a: 1 }))).toEqual(['COLLSCAN']);
    expect(await collection.countDocuments({ a: 1 })).toBe(3);
  });

  test('finds each element of an array, and each document only once', async () => {
    const collection = await server.collectionWith<Item>([
      {
        _id: 1,
        words: ['gear', 'wheel'],
        rows: [
          { a: 1, b: 5 },
          { a: 7, b: 2 },
        ],
      },
    ]);
    await collection.createIndex({ words: 1 });
    await collection.createIndex({ 'rows.a': 1, 'rows.b': 1 });
    expect(await collection.find({ words: { $in: ['gear', 'wheel'] } }).toArray()).toHaveLength(1);
    expect(await collection.find({ 'rows.a': 1, 'rows.b': 2 }).toArray()).toHaveLength(1);
    expect(await collection.find({ rows: { $elemMatch: { a: 1, b: 2 } } }).toArray()).toHaveLength(0);
    expect(await collection.find({ rows: { $elemMatch: { a: 7, b: 2 } } }).toArray()).toHaveLength(1);
    expect(names(await plan(collection, { words: { $in: ['gear', 'wheel'] } }))).toContain('IXSCAN');
  });

  test('rejects two arrays in one document', async () => {
    const collection = await server.collectionWith<Item>();
    await collection.createIndex({ a: 1, b: 1 });
    expect(await codeOf(collection.insertOne({ a: [1], b: [2] }))).toBe(171);
  });

  test('serves equality, range and sort order without sorting', async () => {
    const collection = await server.collectionWith<Item>([{ a: 1, b: 2, c: 3 }]);
    await collection.createIndex({ a: 1, b: -1, c: 1 });
    expect(names(await plan(collection, { a: 1 }, { b: -1, c: 1 }))).toEqual(['FETCH', 'IXSCAN']);
    expect(names(await plan(collection, { a: 1 }, { b: 1, c: -1 }))).toEqual(['FETCH', 'IXSCAN']);
    expect(names(await plan(collection, { a: 1, b: { $gt: 1 } }, { b: -1 }))).toEqual(['FETCH', 'IXSCAN']);
    expect(names(await plan(collection, { a: { $in: [1, 2] } }, { b: -1 }))).toContain('SORT');
    expect(names(await plan(collection, { a: 1 }, { c: 1 }))).toContain('SORT');
    expect(names(await plan(collection, { b: 1 }))).toEqual(['COLLSCAN']);
  });

  test('reports its bounds and what was read in explain', async () => {
    const collection = await server.collectionWith<Item>(Array.from({ length: 50 }, (_, n) => ({ _id: n, n })));
    await collection.createIndex({ n: 1 });
    const { executionStats } = await collection.find({ n: { $gte: 10, $lt: 15 } }).explain('executionStats');
    expect(executionStats).toMatchObject({ nReturned: 5, totalKeysExamined: 5, totalDocsExamined: 5 });
    if (!server.embedded) return;
    expect((await plan(collection, { n: { $gte: 10, $lt: 15 } })).at(-1)).toMatchObject({
      indexName: 'n_1',
      indexBounds: { n: ['[10, 15)'] },
    });
    expect((await plan(collection, { n: { $in: [3, 1] } })).at(-1)).toMatchObject({
      indexBounds: { n: ['[1, 1]', '[3, 3]'] },
    });
  });

  test.skipIf(embedded.isMissing)(embedded.title('counts documents by its entries alone'), async () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, n));
    const collection = await server.collectionWith<Item>(
      Array.from({ length: 50 }, (_, n) => ({ _id: n, a: n % 2, at: day(n), s: String(n % 10) })),
    );
    await collection.createIndexes([{ key: { a: 1, at: -1 } }, { key: { s: 1 } }]);
    for (const filter of [
      { a: 1 },
      { a: { $in: [0, 1] } },
      { a: 1, at: { $gte: day(10), $lt: day(20) } },
      { s: { $gte: '2', $lt: '5' } },
    ]) {
      const found = (await collection.find(filter).toArray()).length;
      expect(await collection.countDocuments(filter)).toBe(found);
      expect(await collection.countDocuments(filter, { skip: 3, limit: 4 })).toBe(Math.min(4, found - 3));
      const pipeline = [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }];
      const { executionStats } = await collection.aggregate(pipeline).explain('executionStats');
      expect(executionStats).toMatchObject({ nReturned: found, totalKeysExamined: found, totalDocsExamined: 0 });
    }
    expect(await collection.countDocuments({ a: 7 })).toBe(0);
    await collection.insertOne({ _id: 50, a: [1, 1], s: 'x' });
    expect(await collection.countDocuments({ a: 1 })).toBe(26);
  });

  test('serves every branch of an $or', async () => {
    const collection = await server.collectionWith<Item>([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 2 },
      { _id: 3, b: 3 },
    ]);
    await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
    expect(await collection.find({ $or: [{ a: 1 }, { b: 1 }, { b: 3 }] }).toArray()).toHaveLength(2);
    if (server.embedded) expect(names(await plan(collection, { $or: [{ a: 1 }, { b: 3 }] }))).toEqual(['FETCH', 'OR']);
  });

  test('contains values longer than a storage key', async () => {
    const collection = await server.collectionWith<Item>();
    await collection.createIndex({ text: 1 }, { unique: true });
    const long = (end: string) => `${'x'.repeat(5000)}${end}`;
    await collection.insertMany([
      { _id: 1, text: long('a') },
      { _id: 2, text: long('b') },
      { _id: 3, text: 'x' },
    ]);
    expect(await codeOf(collection.insertOne({ text: long('a') }))).toBe(11000);
    expect(await collection.findOne({ text: long('b') })).toMatchObject({ _id: 2 });
    expect(
      (
        await collection
          .find({ text: { $gt: 'x' } })
          .sort({ text: -1 })
          .toArray()
      ).map(({ _id }) => _id),
    ).toEqual([2, 1]);
    await collection.deleteOne({ text: long('a') });
    await collection.insertOne({ _id: 4, text: long('a') });
  });

  test('is used by a hint with its name or key; an unknown hint is rejected', async () => {
    const collection = await server.collectionWith<Item>([{ _id: 1, a: 1 }]);
    await collection.createIndex({ a: 1 });
    expect(await collection.find({}, { hint: 'a_1' }).toArray()).toHaveLength(1);
    expect(await collection.find({}, { hint: { a: 1 } }).toArray()).toHaveLength(1);
    expect(await codeOf(collection.find({}, { hint: 'nothing' }).toArray())).toBe(2);
  });

  test('is not created again if it exists; a conflicting one is rejected', async () => {
    const collection = await server.collectionWith<Item>([{ a: 1 }]);
    expect(await collection.createIndex({ a: 1 })).toBe('a_1');
    expect(await collection.createIndex({ a: 1 })).toBe('a_1');
    expect(await codeOf(collection.createIndex({ a: 1 }, { name: 'other' }))).toBe(85);
    expect(await codeOf(collection.createIndex({ b: 1 }, { name: 'a_1' }))).toBe(86);
    expect(await codeOf(collection.createIndex({ a: 1 }, { unique: true }))).toBe(86);
    await collection.dropIndex('a_1');
    expect(await codeOf(collection.dropIndex('a_1'))).toBe(27);
    expect(await codeOf(collection.dropIndex('_id_'))).toBe(72);
  });
});
