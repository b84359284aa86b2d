import { type Collection, Long, MongoClient, MongoServerError, UUID } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from './server.ts';
import { type WireClient, wireClient } from './wire-client.ts';

type Item = { _id: string; v?: number; code?: string };

let server: TestServer;
let items: Collection<Item>;

beforeAll(async () => {
  server = await testServer();
  items = server.db.collection<Item>('items');
  await items.createIndex({ code: 1 }, { unique: true, sparse: true });
});
afterAll(() => server.close());

const failureOf = async (promise: Promise<unknown>): Promise<MongoServerError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof MongoServerError) return error;
  throw new Error(`expected an error of the server, got ${error}`);
};

describe('a transaction', () => {
  test('shows its writes only to itself until it commits', async () => {
    await server.client.withSession((session) =>
      session.withTransaction(async () => {
        await items.insertOne({ _id: 'own' }, { session });
        await items.updateOne({ _id: 'own' }, { $set: { v: 1 } }, { session });
        expect(await items.findOne({ _id: 'own' }, { session })).toEqual({ _id: 'own', v: 1 });
        expect(await items.findOne({ _id: 'own' })).toBeNull();
        expect(await items.find({ _id: { $gte: 'o', $lt: 'p' } }, { session }).toArray()).toHaveLength(1);
      }),
    );
    expect(await items.findOne({ _id: 'own' })).toEqual({ _id: 'own', v: 1 });
  });

  test('leaves nothing after an abort', async () => {
    const session = server.client.startSession();
    session.startTransaction();
    await items.insertOne({ _id: 'gone', code: 'gone' }, { session });
    await session.abortTransaction();
    await session.endSession();
    expect(await items.findOne({ _id: 'gone' })).toBeNull();
    await items.insertOne({ _id: 'gone too', code: 'gone' });
  });

  test('reads the state of its start and conflicts with a later write', async () => {
    await items.insertOne({ _id: 'snapshot', v: 1 });
    const session = server.client.startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    expect((await items.findOne({ _id: 'snapshot' }, { session }))?.v).toBe(1);
    await items.updateOne({ _id: 'snapshot' }, { $set: { v: 2 } });
    await items.insertOne({ _id: 'snapshot later' });
    expect((await items.findOne({ _id: 'snapshot' }, { session }))?.v).toBe(1);
    expect(await items.findOne({ _id: 'snapshot later' }, { session })).toBeNull();
    const failure = await failureOf(items.updateOne({ _id: 'snapshot' }, { $set: { v: 3 } }, { session }));
    expect(failure.code).toBe(112);
    expect(failure.hasErrorLabel('TransientTransactionError')).toBe(true);
    await session.abortTransaction();
    await session.endSession();
  });

  test('conflicts immediately with another transaction that wrote the same document first', async () => {
    await items.insertOne({ _id: 'both', v: 0 });
    const first = server.client.startSession();
    const second = server.client.startSession();
    first.startTransaction();
    second.startTransaction();
    await items.updateOne({ _id: 'both' }, { $inc: { v: 1 } }, { session: first });
    expect((await failureOf(items.updateOne({ _id: 'both' }, { $inc: { v: 1 } }, { session: second }))).code).toBe(112);
    await first.commitTransaction();
    await second.abortTransaction();
    await Promise.all([first.endSession(), second.endSession()]);
    expect((await items.findOne({ _id: 'both' }))?.v).toBe(1);
  });

  test('conflicts with another transaction that inserts the same unique value', async () => {
    const first = server.client.startSession();
    const second = server.client.startSession();
    first.startTransaction();
    second.startTransaction();
    await items.insertOne({ _id: 'unique 1', code: 'same' }, { session: first });
    expect((await failureOf(items.insertOne({ _id: 'unique 2', code: 'same' }, { session: second }))).code).toBe(112);
    await first.commitTransaction();
    await second.abortTransaction();
    await Promise.all([first.endSession(), second.endSession()]);
    expect((await failureOf(items.insertOne({ _id: 'unique 3', code: 'same' }))).code).toBe(11000);
  });

  test('aborts after a duplicate key', async () => {
    await items.insertOne({ _id: 'taken' });
    const session = server.client.startSession();
    session.startTransaction();
    await items.insertOne({ _id: 'beside taken' }, { session });
    expect((await failureOf(items.insertOne({ _id: 'taken' }, { session }))).code).toBe(11000);
    expect((await failureOf(session.commitTransaction())).code).toBe(251);
    await session.endSession();
    expect(await items.findOne({ _id: 'beside taken' })).toBeNull();
  });

  test('blocks a write outside transactions until it ends', async () => {
    await items.insertOne({ _id: 'waits', v: 0 });
    const session = server.client.startSession();
    session.startTransaction();
    await items.updateOne({ _id: 'waits' }, { $set: { v: 10 } }, { session });
    let done = false;
    const waiting = items.updateOne({ _id: 'waits' }, { $inc: { v: 1 } }).then(() => {
      done = true;
    });
    await items.findOne({ _id: 'waits' });
    expect(done).toBe(false);
    await session.commitTransaction();
    await waiting;
    await session.endSession();
    expect((await items.findOne({ _id: 'waits' }))?.v).toBe(11);
  });

  test('blocks a write outside transactions until the maxTimeMS of that write', async () => {
    await items.insertOne({ _id: 'limited', v: 0 });
    const session = server.client.startSession();
    session.startTransaction();
    await items.updateOne({ _id: 'limited' }, { $set: { v: 10 } }, { session });
    const failure = await failureOf(
      server.db.command({
        update: 'items',
        updates: [{ q: { _id: 'limited' }, u: { $inc: { v: 1 } } }],
        maxTimeMS: 60,
      }),
    );
    expect(failure.code).toBe(50);
    await session.abortTransaction();
    await session.endSession();
  });

  test('counts to exactly twenty with twenty concurrent read-modify-write counters', async () => {
    await items.insertOne({ _id: 'counter', v: 0 });
    const count = () =>
      server.client.withSession((session) =>
        session.withTransaction(async () => {
          const read = await items.findOne({ _id: 'counter' }, { session });
          await items.updateOne({ _id: 'counter' }, { $set: { v: (read?.v ?? 0) + 1 } }, { session });
        }),
      );
    await Promise.all(Array.from({ length: 20 }, count));
    expect((await items.findOne({ _id: 'counter' }))?.v).toBe(20);
  });

  test('keeps index order across its snapshot and its own writes', async () => {
    const many = server.db.collection<{ _id: number; n: number }>('merged');
    await many.createIndex({ n: 1 });
    await many.insertMany([1, 3, 5, 7].map((n) => ({ _id: n, n })));
    await server.client.withSession((session) =>
      session.withTransaction(async () => {
        await many.insertMany(
          [2, 6].map((n) => ({ _id: n, n })),
          { session },
        );
        await many.updateOne({ _id: 1 }, { $set: { n: 9 } }, { session });
        await many.deleteOne({ _id: 5 }, { session });
        const order = async (direction: 1 | -1) =>
          (await many.find({}, { session }).sort({ n: direction }).toArray()).map(({ n }) => n);
        expect(await order(1)).toEqual([2, 3, 6, 7, 9]);
        expect(await order(-1)).toEqual([9, 7, 6, 3, 2]);
        const batches = many.find({ n: { $gt: 0 } }, { session, batchSize: 2 }).sort({ n: 1 });
        const seen: number[] = [];
        for await (const { n } of batches) seen.push(n);
        expect(seen).toEqual([2, 3, 6, 7, 9]);
      }),
    );
    expect(await many.countDocuments({ n: { $in: [1, 5] } })).toBe(0);
  });

  test('rejects the count command and schema changes', async () => {
    const session = server.client.startSession();
    session.startTransaction();
    expect((await failureOf(server.db.command({ count: 'items' }, { session }))).code).toBe(263);
    await session.abortTransaction();
    session.startTransaction();
    expect((await failureOf(server.db.command({ drop: 'items' }, { session }))).code).toBe(263);
    await session.abortTransaction();
    await session.endSession();
  });
});

describe('a retryable write', () => {
  const command = (lsid: { id: UUID }, txnNumber: number) => ({
    update: 'items',
    updates: [{ q: { _id: 'retried' }, u: { $inc: { v: 1 } }, upsert: true }],
    lsid,
    txnNumber: Long.fromNumber(txnNumber),
    $db: server.db.databaseName,
  });
  let wire: WireClient;
  beforeAll(async () => {
    wire = await wireClient(server.uri);
  });
  afterAll(() => wire.close());

  test('takes effect once if it is repeated with the same number', async () => {
    const lsid = { id: new UUID() };
    const first = await wire.command(command(lsid, 7));
    const again = await wire.command(command(lsid, 7));
    expect((await items.findOne({ _id: 'retried' }))?.v).toBe(1);
    expect(again.upserted).toEqual(first.upserted);
  });

  test('is rejected if its number is older than the last one', async () => {
    const lsid = { id: new UUID() };
    await wire.command(command(lsid, 7));
    expect((await wire.command(command(lsid, 6))).code).toBe(225);
  });
});

test('rejects a command of a transaction that was never started', async () => {
  const wire = await wireClient(server.uri);
  const lsid = { id: new UUID() };
  const answer = await wire.command({
    find: 'items',
    lsid,
    txnNumber: Long.fromNumber(1),
    autocommit: false,
    $db: server.db.databaseName,
  });
  expect(answer).toMatchObject({ ok: 0, code: 251, errorLabels: ['TransientTransactionError'] });
  wire.close();
});

test('aborts a transaction when its connection closes', { timeout: 20_000 }, async () => {
  const other = await MongoClient.connect(server.uri, { serverSelectionTimeoutMS: 5_000 });
  const session = other.startSession();
  session.startTransaction();
  await items.insertOne({ _id: 'lost', v: 0 });
  await other
    .db(server.db.databaseName)
    .collection<Item>('items')
    .updateOne({ _id: 'lost' }, { $set: { v: 1 } }, { session });
  await other.close(true);
  await items.updateOne({ _id: 'lost' }, { $set: { v: 2 } });
  expect((await items.findOne({ _id: 'lost' }))?.v).toBe(2);
});
