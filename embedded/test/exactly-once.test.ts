import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type Document, Long, UUID } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StoreHandle, startStore } from '../process/supervisor.ts';
import { type WireClient, wireClient } from './wire-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-once-'));
let store: StoreHandle;
let wire: WireClient;

beforeAll(async () => {
  store = await startStore({ dataDir: folder, log: () => undefined, onFatal: (reason) => expect.fail(reason) });
  wire = await wireClient(store.uri);
});
afterAll(async () => {
  wire.close();
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

const numbered = (command: Document, session: UUID, number: number): Document => ({
  ...command,
  lsid: { id: session },
  txnNumber: Long.fromNumber(number),
  $db: 'once',
});
const stored = async () => (await wire.command({ find: 'items', sort: { _id: 1 }, $db: 'once' })).cursor.firstBatch;

// Kills the process before the client receives a reply, and reconnects after its restart.
async function dieAndReturn(): Promise<void> {
  const dead = store.pid();
  process.kill(dead, 'SIGKILL');
  wire.close();
  while (store.pid() === dead) await after(20);
  wire = await wireClient(store.uri);
}

describe('after a crash and restart', () => {
  test('a repeated retryable write returns the first reply and takes effect once', async () => {
    const writes = [
      { insert: 'items', documents: [{ _id: 1, v: 1 }] },
      { update: 'items', updates: [{ q: { _id: 1 }, u: { $inc: { v: 1 } } }] },
      { update: 'items', updates: [{ q: { _id: 2 }, u: { $inc: { v: 5 } }, upsert: true }] },
      { findAndModify: 'items', query: { _id: 1 }, update: { $inc: { v: 10 } }, new: true },
      { insert: 'items', documents: [{ _id: 3 }, { _id: 3 }, { _id: 4 }], ordered: false },
      { delete: 'items', deletes: [{ q: { _id: 4 }, limit: 1 }] },
      {
        bulkWrite: 1,
        ops: [{ update: 0, filter: { _id: 2 }, updateMods: { $inc: { v: 1 } } }],
        nsInfo: [{ ns: 'once.items' }],
      },
    ];
    const sent = writes.map((command) => numbered(command, new UUID(), 1));
    const withoutTime = ({ $clusterTime: _, operationTime: __, ...answer }: Document) => answer;
    const answers: Document[] = [];
    for (const command of sent)
      answers.push(withoutTime(await wire.command(command.bulkWrite ? { ...command, $db: 'admin' } : command)));
    const before = await stored();
    expect(before).toEqual([{ _id: 1, v: 12 }, { _id: 2, v: 6 }, { _id: 3 }]);
    await dieAndReturn();
    for (const [at, command] of sent.entries())
      expect(withoutTime(await wire.command(command.bulkWrite ? { ...command, $db: 'admin' } : command))).toEqual(
        answers[at],
      );
    expect(await stored()).toEqual(before);
  });

  test('a repeated write of many statements resumes where the crash interrupted it', async () => {
    const many = Array.from({ length: 6_000 }, (_, n) => ({ _id: n, v: 0 }));
    const insert = numbered({ insert: 'many', documents: many }, new UUID(), 1);
    const updates = many.map(({ _id }) => ({ q: { _id }, u: { $inc: { v: 1 } } }));
    const update = numbered({ update: 'many', updates }, new UUID(), 1);
    for (const [command, started] of [
      [insert, {}],
      [update, { v: 1 }],
    ] as const) {
      const cutOff = expect(wire.command(command)).rejects.toThrow('closed the connection');
      const watcher = await wireClient(store.uri);
      let n = 0;
      while (n === 0) ({ n } = await watcher.command({ count: 'many', query: started, $db: 'once' }));
      expect(n).toBeLessThan(many.length);
      watcher.close();
      await dieAndReturn();
      await cutOff;
      const left = (await wire.command({ count: 'many', query: started, $db: 'once' })).n;
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(many.length);
      expect(await wire.command(command)).toMatchObject({ ok: 1, n: many.length });
    }
    expect((await wire.command({ count: 'many', query: { v: 1 }, $db: 'once' })).n).toBe(many.length);
  });

  test('a repeated commit succeeds without effect, and an open transaction is lost', async () => {
    const [done, open] = [new UUID(), new UUID()];
    const begin = { autocommit: false, startTransaction: true };
    await wire.command(
      numbered({ update: 'items', updates: [{ q: { _id: 1 }, u: { $set: { v: 50 } } }], ...begin }, done, 1),
    );
    const commit = numbered({ commitTransaction: 1, autocommit: false }, done, 1);
    expect(await wire.command({ ...commit, $db: 'admin' })).toMatchObject({ ok: 1 });
    await wire.command(
      numbered({ update: 'items', updates: [{ q: { _id: 2 }, u: { $set: { v: 99 } } }], ...begin }, open, 1),
    );
    await dieAndReturn();
    expect(await wire.command({ ...commit, $db: 'admin' })).toMatchObject({ ok: 1 });
    const lost = { ok: 0, code: 251, errorLabels: ['TransientTransactionError'] };
    expect(await wire.command(numbered({ find: 'items', autocommit: false }, open, 1))).toMatchObject(lost);
    expect(
      await wire.command({ ...numbered({ commitTransaction: 1, autocommit: false }, open, 1), $db: 'admin' }),
    ).toMatchObject({
      ok: 0,
      code: 251,
    });
    expect(await stored()).toEqual([{ _id: 1, v: 50 }, { _id: 2, v: 6 }, { _id: 3 }]);
  });
});

test('a retryable write repeated while the first is running waits for its reply', async () => {
  const other = await wireClient(store.uri);
  const session = new UUID();
  await wire.command({
    insert: 'twice',
    documents: Array.from({ length: 2_000 }, (_, _id) => ({ _id, v: 0 })),
    $db: 'once',
  });
  const updates = Array.from({ length: 2_000 }, (_, _id) => ({ q: { _id }, u: { $inc: { v: 1 } } }));
  const command = numbered({ update: 'twice', updates }, session, 1);
  const answers = await Promise.all([wire.command(command), other.command(command)]);
  expect(answers).toMatchObject([
    { n: 2_000, nModified: 2_000 },
    { n: 2_000, nModified: 2_000 },
  ]);
  expect((await wire.command({ count: 'twice', query: { v: 1 }, $db: 'once' })).n).toBe(2_000);
  other.close();
});

test('rejects a retryable write of several documents like a MongoDB server', async () => {
  const error = { code: 72 };
  const update = { update: 'twice', updates: [{ q: {}, u: { $set: { v: 2 } }, multi: true }] };
  expect(await wire.command(numbered(update, new UUID(), 1))).toMatchObject({ n: 0, writeErrors: [error] });
  const remove = { delete: 'twice', deletes: [{ q: {}, limit: 0 }] };
  expect(await wire.command(numbered(remove, new UUID(), 1))).toMatchObject({ n: 0, writeErrors: [error] });
});

test('rejects a transaction that writes more than 64 MiB, and stores none of it', async () => {
  const session = new UUID();
  const text = 'x'.repeat(15 * 2 ** 20);
  const answers: Document[] = [];
  for (let i = 0; i < 5; i++) {
    const begin = { autocommit: false, ...(i === 0 && { startTransaction: true }) };
    answers.push(
      await wire.command(numbered({ insert: 'items', documents: [{ _id: `big ${i}`, text }], ...begin }, session, 1)),
    );
  }
  expect(answers.map(({ code }) => code)).toEqual([undefined, undefined, undefined, undefined, 257]);
  expect(
    await wire.command({ ...numbered({ commitTransaction: 1, autocommit: false }, session, 1), $db: 'admin' }),
  ).toMatchObject({ code: 251 });
  expect((await stored()).length).toBe(3);
});
