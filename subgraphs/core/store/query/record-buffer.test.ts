// Reads and writes of a command, whose writes stay in memory: they see what the store has after the commit.
import fc from 'fast-check';
import type { ClientSession, CommandStartedEvent, CommandSucceededEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStore, testStore } from '../../../../test/support/store.ts';
import type { Stored } from './deferred-writes.ts';
import { RecordBuffer, RunAgain } from './record-buffer.ts';
import { change, find, findAll, insert } from './records.ts';
import { collection } from './scope.ts';
import { TransactionRecords } from './transaction-records.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
});
afterAll(() => store.close());

const IDS = ['a', 'b', 'c'];
const stored = () => store.services.mongo.db.collection<Stored>('counters').find().sort({ _id: 1 }).toArray();

/** Runs `execute` in a transaction, sends what is left, and commits. */
async function inOneTransaction(
  execute: (records: TransactionRecords, session: ClientSession) => Promise<void>,
  { isShared = false } = {},
): Promise<void> {
  const { mongo } = store.services;
  await mongo.client.withSession((session) =>
    session.withTransaction(async () => {
      const records = new TransactionRecords(mongo, session, { isShared });
      await execute(records, session);
      await records.send();
    }),
  );
}

const scopeOf = (session: ClientSession, buffer: RecordBuffer) => ({ db: store.services.mongo.db, session, buffer });

async function resetTo(records: readonly object[]): Promise<void> {
  const counters = store.services.mongo.db.collection('counters');
  await counters.deleteMany({});
  if (records.length) await counters.insertMany(records.map((record) => ({ ...record })) as never[]);
}

const fields = fc.dictionary(
  fc.constantFrom('value', 'name', 'at', 'list', 'nested'),
  fc.oneof(
    fc.integer(),
    fc.string(),
    fc.constant(null),
    fc.constant(undefined),
    fc.date({ noInvalidDate: true }),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.record({ x: fc.integer(), y: fc.string() }),
  ),
  { maxKeys: 4, noNullPrototype: true },
);
const id = fc.constantFrom(...IDS);
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), id, fields, locks: fc.nat(2) }) },
  fc.record({ kind: fc.constant('remove' as const), id }),
  fc.record({ kind: fc.constant('find' as const), id }),
  fc.record({ kind: fc.constant('query' as const), id }),
  fc.record({ kind: fc.constant('queryWrite' as const), id, value: fc.integer() }),
  fc.record({ kind: fc.constant('many' as const), id, value: fc.option(fc.integer(), { nil: null }) }),
  fc.record({ kind: fc.constant('end' as const) }),
);

test('reads what the store has after the commit, whatever was written before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id), fc.array(operation, { maxLength: 14 }), async (existing, operations) => {
      await resetTo(existing.map((_id) => ({ _id, lock: 0 })));
      let read: (Stored | null)[] = [];
      let written: Stored[] = [];
      await inOneTransaction(async (records, session) => {
        let buffer = new RecordBuffer(records, 'alone');
        const counters = () => buffer.collection('counters', store.services.mongo.db.collection('counters') as never);
        for (const step of operations) {
          const before = 'id' in step ? await buffer.find('counters', step.id) : null;
          if (step.kind === 'write') {
            if (before) {
              const after = buffer.update('counters', before, step.fields, step.locks);
              expect(await buffer.find('counters', step.id)).toEqual(after);
            } else buffer.insert('counters', { _id: step.id, lock: 0, ...step.fields });
          } else if (step.kind === 'remove' && before) buffer.remove('counters', before);
          else if (step.kind === 'query')
            expect(await counters().findOne({ _id: step.id } as never, { session })).toEqual(before);
          else if (step.kind === 'queryWrite')
            await counters().updateOne({ _id: step.id } as never, { $set: { value: step.value } }, { session });
          else if (step.kind === 'many') {
            const filter = { _id: { $eq: step.id } };
            const { value } = step;
            if (value === null) buffer.add({ into: 'counters', filter, remove: true, many: true });
            else buffer.add({ into: 'counters', filter, update: { $set: { value } }, many: true });
          } else if (step.kind === 'end') {
            buffer.end();
            buffer = new RecordBuffer(records, 'alone'); // the next command of the transaction
          }
        }
        written = buffer.written().flatMap(({ record }) => record ?? []);
        read = await Promise.all(IDS.map((id) => buffer.find('counters', id)));
        buffer.end();
      });
      const after = await stored();
      // as text, because tags depend on the order of fields
      expect(read.flatMap((record) => (record ? [JSON.stringify(record)] : []))).toEqual(
        after.map((record) => JSON.stringify(record)),
      );
      expect(read).toEqual(IDS.map((id) => after.find(({ _id }) => _id === id) ?? null));
      for (const record of written) expect(after).toContainEqual(record);
    }),
    { numRuns: 60 },
  );
});

test('reads several records only after the write of many has ended', async () => {
  await resetTo(IDS.map((_id) => ({ _id, value: 0 })));
  const { client } = store.services.mongo;
  const commands: string[] = [];
  const started = ({ commandName }: CommandStartedEvent) => commands.push(`${commandName} started`);
  const succeeded = ({ commandName }: CommandSucceededEvent) => commands.push(`${commandName} succeeded`);
  await inOneTransaction(async (records) => {
    const buffer = new RecordBuffer(records, 'alone');
    buffer.add({ into: 'counters', filter: {}, update: { $set: { value: 1 } }, many: true });
    client.on('commandStarted', started).on('commandSucceeded', succeeded);
    const found = await Promise.all(IDS.map((id) => buffer.find('counters', id)));
    client.off('commandStarted', started).off('commandSucceeded', succeeded);
    expect(found.map((record) => record?.value)).toEqual([1, 1, 1]);
  });
  const [write, next] = commands;
  expect(next).toBe(write?.replace('started', 'succeeded'));
});

test('does not let a caller change what others read', async () => {
  await resetTo([{ _id: 'a', value: 1 }]);
  await inOneTransaction(async (records) => {
    const buffer = new RecordBuffer(records, 'alone');
    const found = await buffer.find('counters', 'a');
    found!.value = 2;
    expect(await buffer.find('counters', 'a')).toMatchObject({ value: 1 });
  });
});

test('reads the records of several commands with one query', async () => {
  await resetTo(IDS.map((_id, value) => ({ _id, value })));
  await inOneTransaction(
    async (records, session) => {
      let queries = 0;
      const exclusively = records.exclusively.bind(records);
      records.exclusively = (run) => {
        queries += 1;
        return exclusively(run);
      };
      const found = await Promise.all(
        IDS.map((id) => find(scopeOf(session, new RecordBuffer(records, 'at once')), 'counters', id)),
      );
      expect(found.map((record) => record?.value)).toEqual([0, 1, 2]);
      expect(queries).toBe(1);
    },
    { isShared: true },
  );
});

test('keeps what a finished command wrote when a command with a write of many records fails', async () => {
  await resetTo(IDS.map((_id) => ({ _id, value: 0 })));
  await inOneTransaction(
    async (records, session) => {
      const first = new RecordBuffer(records, 'in turn');
      await change(scopeOf(session, first), 'counters', 'a', { value: 1 });
      first.end();
      const failed = new RecordBuffer(records, 'in turn');
      failed.add({ into: 'counters', filter: {}, remove: true, many: true });
      failed.abandon();
      const next = scopeOf(session, new RecordBuffer(records, 'in turn'));
      expect(await find(next, 'counters', 'a')).toMatchObject({ value: 1 });
      expect((await findAll(next, 'counters', IDS)).map(({ value }) => value).sort()).toEqual([0, 0, 1]);
    },
    { isShared: true },
  );
  expect((await stored()).map(({ value }) => value)).toEqual([1, 0, 0]);
});

test('keeps what a finished command wrote when a read that started before it ends after it', async () => {
  await resetTo([{ _id: 'a', value: 0 }]);
  await inOneTransaction(
    async (records, session) => {
      const writer = new RecordBuffer(records, 'at once');
      const slow = new RecordBuffer(records, 'at once');
      const record = await writer.find('counters', 'b');
      expect(record).toBeNull();
      const finishedRead = slow.find('counters', 'c');
      await insert(scopeOf(session, writer), 'counters', { _id: 'c', value: 7 });
      writer.end();
      await finishedRead;
      const next = scopeOf(session, new RecordBuffer(records, 'in turn'));
      expect(await find(next, 'counters', 'c')).toMatchObject({ value: 7 });
    },
    { isShared: true },
  );
});

test('lets only one of two commands that run at once write a record', async () => {
  await resetTo([{ _id: 'a', value: 0 }]);
  await inOneTransaction(
    async (records, session) => {
      const owners = new Map<string, RecordBuffer>();
      const [one, other] = [new RecordBuffer(records, 'at once', owners), new RecordBuffer(records, 'at once', owners)];
      await change(scopeOf(session, one), 'counters', 'a', { value: 1 });
      const refused = change(scopeOf(session, other), 'counters', 'a', { value: 2 });
      await expect(refused).rejects.toBeInstanceOf(RunAgain);
      expect(one.runAgain).toBeNull();
      expect(other.runAgain).toMatchObject({ alone: false });
      await expect(other.find('counters', 'b')).rejects.toBeInstanceOf(RunAgain);
      one.end();
    },
    { isShared: true },
  );
  expect(await stored()).toEqual([{ _id: 'a', value: 1 }]);
});

test('refuses store commands after the transaction was closed', async () => {
  await inOneTransaction(
    async (records, session) => {
      const scope = scopeOf(session, new RecordBuffer(records, 'at once'));
      await records.close();
      await expect(findAll(scope, 'counters', ['x'])).rejects.toThrow('have ended');
      await expect(collection(scope, 'counters').findOne({}, { session })).rejects.toThrow('have ended');
    },
    { isShared: true },
  );
});
