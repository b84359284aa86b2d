import { Decimal128, type Document, Double, Long, MongoBulkWriteError, ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, type Item, numbered, type TestServer, testServer } from './server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

describe('insert', () => {
  test('keeps every type, also after an update of another field', async () => {
    const collection = await server.collectionWith<Item>();
    const document = {
      _id: 'types',
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('1.10'),
      double: new Double(1),
      date: new Date(5),
      id: new ObjectId('65f000000000000000000001'),
      bytes: Buffer.from('bytes'),
    };
    await collection.insertOne(document);
    await collection.updateOne({ _id: 'types' }, { $set: { touched: true } });
    const found = await collection.findOne({ _id: 'types' }, { promoteValues: false, promoteLongs: false });
    expect(found?.double).toBeInstanceOf(Double);
    expect(String(found?.long)).toBe('9007199254740993');
    expect(String(found?.decimal)).toBe('1.10');
    expect(await collection.findOne({ long: Long.fromString('9007199254740993') })).not.toBeNull();
    expect(await collection.findOne({ long: Long.fromString('9007199254740992') })).toBeNull();
  });

  test('moves the _id to the front and generates a missing one', async () => {
    const collection = await server.collectionWith<Item>();
    const { insertedId } = await collection.insertOne({ a: 1 } as unknown as Item);
    const found = await collection.findOne({ a: 1 });
    expect(Object.keys(found ?? {})).toEqual(['_id', 'a']);
    expect(found?._id).toEqual(insertedId);
  });

  test('stops at the first error if ordered, continues if unordered', async () => {
    const collection = await server.collectionWith<Item>([{ _id: 2 }]);
    const three = [{ _id: 1 }, { _id: 2 }, { _id: 3 }];
    const ordered: unknown = await collection.insertMany(three).catch((error: unknown) => error);
    expect(ordered).toBeInstanceOf(MongoBulkWriteError);
    expect((ordered as MongoBulkWriteError).insertedCount).toBe(1);
    await collection.deleteOne({ _id: 1 });
    const unordered: unknown = await collection.insertMany(three, { ordered: false }).catch((error: unknown) => error);
    expect((unordered as MongoBulkWriteError).insertedCount).toBe(2);
    expect((unordered as MongoBulkWriteError).writeErrors).toMatchObject([{ index: 1, code: 11000 }]);
  });

  test('reports key and value of a duplicate', async () => {
    const collection = await server.collectionWith<Item>([{ _id: 'a' }]);
    const error = await collection.insertOne({ _id: 'a' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 'a' } });
  });

  test('rejects an array as _id and a document that is too large', async () => {
    const collection = await server.collectionWith<Item>();
    expect([2, 53]).toContain(await codeOf(collection.insertOne({ _id: [1] } as unknown as Item)));
    expect(await codeOf(collection.insertOne({ _id: 1, text: 'x'.repeat(16 * 2 ** 20) }))).not.toBeUndefined();
  });
});

describe('update', () => {
  test('counts matched and modified documents', async () => {
    const collection = await server.collectionWith<Item>(numbered(6));
    expect(await collection.updateMany({ n: { $lt: 4 } }, { $set: { even: true } })).toMatchObject({
      matchedCount: 4,
      modifiedCount: 2,
    });
    expect(await collection.updateOne({ n: 99 }, { $set: { even: true } })).toMatchObject({
      matchedCount: 0,
      modifiedCount: 0,
    });
  });

  test('inserts a document for an upsert without a match', async () => {
    const collection = await server.collectionWith<Item>();
    const result = await collection.updateOne(
      { _id: 'new', a: 7 },
      { $set: { b: 1 }, $setOnInsert: { c: 2 } },
      { upsert: true },
    );
    expect(result).toMatchObject({ upsertedId: 'new', upsertedCount: 1, matchedCount: 0 });
    expect(await collection.findOne()).toEqual({ _id: 'new', a: 7, b: 1, c: 2 });
  });

  test('updates array elements by filter', async () => {
    const collection = await server.collectionWith<Item>([
      {
        _id: 1,
        parts: [
          { id: 'a', n: 1 },
          { id: 'b', n: 2 },
        ],
      },
    ]);
    await collection.updateOne({ _id: 1 }, { $inc: { 'parts.1.n': 10 } });
    await collection.updateOne(
      { _id: 1 },
      { $set: { 'parts.$[part].seen': true } },
      { arrayFilters: [{ 'part.n': { $gt: 5 } }] },
    );
    expect((await collection.findOne())?.parts).toEqual([
      { id: 'a', n: 1 },
      { id: 'b', n: 12, seen: true },
    ]);
  });

  test('accepts a pipeline', async () => {
    const collection = await server.collectionWith<Item>([{ _id: 1, a: 2, b: 3 }]);
    await collection.updateOne({ _id: 1 }, [{ $set: { sum: { $add: ['$a', '$b'] } } }, { $unset: 'a' }]);
    expect(await collection.findOne()).toEqual({ _id: 1, b: 3, sum: 5 });
  });

  test('updates each document once, even if that moves it in the index', async () => {
    const collection = await server.collectionWith<Item>(numbered(50));
    await collection.createIndex({ n: 1 });
    expect(await collection.updateMany({ n: { $gte: 0 } }, { $inc: { n: 100 } })).toMatchObject({ modifiedCount: 50 });
    expect(await collection.countDocuments({ n: { $gte: 200 } })).toBe(0);
  });

  test('rejects a change of _id', async () => {
    const collection = await server.collectionWith<Item>([{ _id: 1 }]);
    expect(await codeOf(collection.updateOne({ _id: 1 }, { $set: { _id: 2 } }))).toBe(66);
    expect(await codeOf(collection.replaceOne({ _id: 1 }, { _id: 2 } as Item))).toBe(66);
  });
});

describe('findAndModify', () => {
  test('returns the document before or after the update', async () => {
    const collection = await server.collectionWith<Item>([{ _id: 1, n: 1 }]);
    expect(await collection.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } })).toEqual({ _id: 1, n: 1 });
    expect(
      await collection.findOneAndUpdate(
        { _id: 1 },
        { $inc: { n: 1 } },
        { returnDocument: 'after', projection: { _id: 0 } },
      ),
    ).toEqual({ n: 3 });
    expect(await collection.findOneAndUpdate({ _id: 2 }, { $inc: { n: 1 } })).toBeNull();
    expect(
      await collection.findOneAndUpdate({ _id: 2 }, { $inc: { n: 1 } }, { upsert: true, returnDocument: 'after' }),
    ).toEqual({ _id: 2, n: 1 });
  });

  test('modifies the first document in a sort order, also to delete it', async () => {
    const collection = await server.collectionWith<Item>(numbered(5));
    expect(await collection.findOneAndDelete({}, { sort: { n: -1 } })).toMatchObject({ n: 4 });
    expect(
      await collection.findOneAndReplace({ n: { $gt: 1 } }, { n: 77 } as Document as Item, {
        sort: { n: 1 },
        returnDocument: 'after',
      }),
    ).toEqual({
      _id: 2,
      n: 77,
    });
  });
});

describe('a search that takes several time slices', () => {
  const MANY = 6_000;
  const waiting = { waits: true, n: { $gte: MANY - 3 } };

  test('gives each of several concurrent commands a different document', async () => {
    const collection = await server.collectionWith<Item>(numbered(MANY).map((item) => ({ ...item, waits: true })));
    const take = () => collection.findOneAndUpdate(waiting, { $set: { waits: false } }, { returnDocument: 'after' });
    const taken = await Promise.all([take(), take(), take(), take()]);
    expect(taken.map((item) => item?._id ?? 'none').sort()).toEqual([MANY - 3, MANY - 2, MANY - 1, 'none']);
    expect(await collection.findOneAndDelete({ waits: false })).toMatchObject({ waits: false });
    expect(await collection.updateOne({ waits: false, n: MANY }, { $set: { n: 0 } })).toMatchObject({
      matchedCount: 0,
      modifiedCount: 0,
    });
    expect((await collection.updateOne({ n: MANY }, { $set: { made: true } }, { upsert: true })).upsertedCount).toBe(1);
    expect((await collection.deleteOne({ made: true })).deletedCount).toBe(1);
    expect(await collection.countDocuments()).toBe(MANY - 1);
  });

  test('deletes every document of a long list', async () => {
    const collection = await server.collectionWith<Item>(numbered(1_500));
    const list = Array.from({ length: 2_000 }, (_, n) => 2 * n);
    expect((await collection.deleteMany({ _id: { $in: list } })).deletedCount).toBe(750);
    expect(await collection.countDocuments({ even: true })).toBe(0);
  });
});

describe('several writes', () => {
  test('run as bulkWrite of one collection', async () => {
    const collection = await server.collectionWith<Item>();
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 1, n: 1 } } },
      { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
      { replaceOne: { filter: { _id: 2 }, replacement: { n: 5 } as Document as Item, upsert: true } },
      { deleteOne: { filter: { _id: 1 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 1,
      modifiedCount: 1,
      upsertedCount: 1,
      deletedCount: 1,
    });
    expect(await collection.find().toArray()).toEqual([{ _id: 2, n: 5 }]);
  });

  test('run as bulkWrite of several collections', async () => {
    if (!server.embedded && (await server.db.admin().command({ hello: 1 })).maxWireVersion < 25) return;
    const namespace = (name: string) => `${server.db.databaseName}.${name}`;
    const result = await server.client.bulkWrite([
      { name: 'insertOne', namespace: namespace('bulk1'), document: { _id: new ObjectId(), n: 1 } as Document },
      { name: 'updateOne', namespace: namespace('bulk2'), filter: { n: 5 }, update: { $set: { m: 1 } }, upsert: true },
      { name: 'deleteMany', namespace: namespace('bulk1'), filter: {} },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, upsertedCount: 1, deletedCount: 1 });
  });

  test('take effect without acknowledgement', async () => {
    const collection = await server.collectionWith<Item>();
    await collection.insertOne({ _id: 'quiet' }, { writeConcern: { w: 0 } });
    await expect.poll(() => collection.findOne({ _id: 'quiet' })).toEqual({ _id: 'quiet' });
  });
});
