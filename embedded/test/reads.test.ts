import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UUID } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs, notRun } from '../../test/support/needs.ts';
import { codeOf, type Item, numbered, type TestServer, testServer } from './server.ts';

const embedded = needs('embedded store');

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

describe('a failed read', () => {
  test('leaves no snapshot open, which would keep overwritten data', async ({ skip }) => {
    if (!server.embedded) skip(notRun('embedded store'));
    const collection = await server.collectionWith<Item>([{ _id: 1 }]);
    const folder = dirname(decodeURIComponent(new URL(server.uri).hostname));
    // The reserve for a full disk is written three seconds after the start.
    const size = () =>
      readdirSync(folder).reduce(
        (sum, name) => sum + (name.startsWith('reserve') ? 0 : statSync(join(folder, name)).size),
        0,
      );
    const before = size();
    for (let n = 0; n < 60; n++) {
      await collection.updateOne({ _id: 1 }, { $set: { n, text: 'x'.repeat(2 ** 18) } });
      expect(await codeOf(collection.find({ n }, { hint: 'no such index' }).toArray())).toBe(2);
    }
    expect(size() - before).toBeLessThan(2 ** 23);
  });
});

describe('find', () => {
  test('filters, sorts, skips, limits and projects', async () => {
    const collection = await server.collectionWith<Item>(numbered(20));
    const found = await collection
      .find({ even: true, n: { $gte: 4 } })
      .sort({ n: -1 })
      .skip(1)
      .limit(3)
      .project({ _id: 0, n: 1 })
      .toArray();
    expect(found).toEqual([{ n: 16 }, { n: 14 }, { n: 12 }]);
  });

  test('returns all documents in batches', async () => {
    const collection = await server.collectionWith<Item>(numbered(500));
    const seen: unknown[] = [];
    for await (const { n } of collection.find().batchSize(33)) seen.push(n);
    expect(seen).toEqual(numbered(500).map(({ n }) => n));
  });

  test('reads from the snapshot of its start while other commands write', async () => {
    const collection = await server.collectionWith<Item>(numbered(300));
    const cursor = collection.find().batchSize(10);
    await cursor.next();
    await collection.deleteMany({ n: { $gte: 200 } });
    expect((await cursor.toArray()).length).toBeGreaterThan(0);
    expect(await collection.countDocuments()).toBe(200);
  });

  test('reports a closed cursor as not found', async () => {
    const collection = await server.collectionWith<Item>(numbered(10));
    const { cursor } = await server.db.command({ find: collection.collectionName, batchSize: 2 });
    await server.db.command({ killCursors: collection.collectionName, cursors: [cursor.id] });
    expect(await codeOf(server.db.command({ getMore: cursor.id, collection: collection.collectionName }))).toBe(43);
  });

  test('returns nothing for a collection that does not exist', async () => {
    expect(await server.db.collection('nowhere').find().toArray()).toEqual([]);
    expect(await server.db.collection('nowhere').countDocuments()).toBe(0);
    expect(await server.db.collection('nowhere').distinct('a')).toEqual([]);
  });

  test('stops at maxTimeMS', async () => {
    const collection = await server.collectionWith<Item>(numbered(2000));
    const everyWithEvery = {
      $lookup: {
        from: collection.collectionName,
        let: { n: '$n' },
        pipeline: [{ $match: { $expr: { $eq: ['$n', '$$n'] } } }],
        as: 'same',
      },
    };
    expect(await codeOf(collection.aggregate([everyWithEvery], { maxTimeMS: 30 }).toArray())).toBe(50);
  });
});

describe('aggregate', () => {
  test('groups, sorts and joins', async () => {
    const collection = await server.collectionWith<Item>(numbered(10));
    const groups = await collection
      .aggregate([
        { $match: { n: { $lt: 7 } } },
        { $group: { _id: '$even', sum: { $sum: '$n' } } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    expect(groups).toEqual([
      { _id: false, sum: 9 },
      { _id: true, sum: 12 },
    ]);
    const joined = await collection
      .aggregate([
        { $match: { _id: 3 } },
        { $lookup: { from: collection.collectionName, localField: 'even', foreignField: 'even', as: 'same' } },
      ])
      .toArray();
    expect(joined[0]?.same).toHaveLength(5);
  });

  test('returns documents in batches', async () => {
    const collection = await server.collectionWith<Item>(numbered(300));
    const seen = await collection
      .aggregate([{ $sort: { n: -1 } }, { $set: { twice: { $multiply: ['$n', 2] } } }], { batchSize: 7 })
      .toArray();
    expect(seen).toHaveLength(300);
    expect(seen[0]).toMatchObject({ n: 299, twice: 598 });
  });
});

test('returns distinct values and counts', async () => {
  const collection = await server.collectionWith<Item>([
    { _id: 1, tags: ['b', 'a'] },
    { _id: 2, tags: ['a', 'c'] },
    { _id: 3 },
  ]);
  expect(await collection.distinct('tags')).toEqual(['a', 'b', 'c']);
  expect(await collection.countDocuments({ tags: 'a' })).toBe(2);
  expect(await collection.estimatedDocumentCount()).toBe(3);
});

test('creates, lists and drops collections and databases', async () => {
  await server.db.createCollection('made');
  expect((await server.db.listCollections({ name: 'made' }).toArray())[0]).toMatchObject({
    name: 'made',
    type: 'collection',
  });
  expect(await server.db.dropCollection('made')).toBe(true);
  expect(await server.db.listCollections({ name: 'made' }).toArray()).toEqual([]);
  const other = server.client.db(`${server.db.databaseName}_other`);
  await other.collection('x').insertOne({});
  expect((await server.client.db().admin().listDatabases({ nameOnly: true })).databases).toContainEqual(
    expect.objectContaining({ name: other.databaseName }),
  );
  await other.dropDatabase();
  expect(await other.listCollections().toArray()).toEqual([]);
});

test.skipIf(embedded.isMissing)(embedded.title('the commands that shells send at their start succeed'), async () => {
  const commands = [
    { hello: 1 },
    { buildInfo: 1 },
    { connectionStatus: 1, showPrivileges: true },
    { getParameter: 1, featureCompatibilityVersion: 1 },
    { getLog: 'startupWarnings' },
    { listDatabases: 1, nameOnly: false },
    { listCollections: 1, filter: {}, cursor: {}, nameOnly: true, authorizedCollections: true },
    { find: 'none', filter: {}, sort: {}, projection: {}, lsid: { id: new UUID() } },
  ];
  for (const command of commands)
    expect(await server.db.admin().command(command), JSON.stringify(command)).toMatchObject({ ok: 1 });
});
