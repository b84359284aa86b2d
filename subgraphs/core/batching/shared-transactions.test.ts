// Commands of concurrent requests in shared transactions: what they see, what is stored, and how often they run.
import fc from 'fast-check';
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { refuse } from '../domain/errors.ts';
import { connectMongo, type Mongo } from '../store/mongo.ts';
import { tagOf } from '../store/query/optimistic-lock.ts';
import { change, changeAll, find, insert, lock, remove } from '../store/query/records.ts';
import { collection, within } from '../store/query/scope.ts';
import { TransactionRecords } from '../store/query/transaction-records.ts';
import type { FolderRecord } from '../store/schema/collections.ts';
import { type Command, inTransaction, type Work, type WriteRequest } from '../work.ts';
import { inSharedTransaction } from './shared-transactions.ts';

let store: TestStore;
let other: Mongo;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  other = await connectMongo(store.uri, { name: store.services.mongo.db.databaseName });
});
afterEach(async () => {
  for (const name of ['counters', 'folders', 'idempotency', 'audit', 'auditPending', 'chains'])
    await other.db.collection(name).deleteMany({});
});
afterAll(async () => {
  await other.close();
  await store.close();
});

const editor = requestAs('editor');
const run = <I, R>(command: Command<I, R>, input: I, request: WriteRequest = editor) =>
  inSharedTransaction(store.services, request, command, input);
const scope = () => ({ db: store.services.mongo.db });
const counters = async () =>
  Object.fromEntries(
    (await collection(scope(), 'counters').find().sort({ _id: 1 }).toArray()).map(({ _id, value }) => [_id, value]),
  );
const outcome = <T>(command: Promise<T>) =>
  command.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
const times = <T>(count: number, run: (n: number) => T) => Array.from({ length: count }, (_, n) => run(n));

const record = (work: Work, chain: string) => work.audit({ action: 'document.updated', chain, summary: 'Updated.' });
const readValue = async (work: Work, id: string) => (await find(work, 'counters', id))?.value ?? null;
const readCounters = (work: Work) => collection(work, 'counters').find({}, within(work)).toArray();
const setValue = async (work: Work, id: string, value: number) =>
  (await readValue(work, id)) === null
    ? insert(work, 'counters', { _id: id, value })
    : change(work, 'counters', id, { value });

/** Adds to a counter, which has an audit chain of its own, and returns the sum. */
async function add(work: Work, { id, by = 1 }: { id: string; by?: number }): Promise<number> {
  const sum = ((await readValue(work, id)) ?? 0) + by;
  await setValue(work, id, sum);
  record(work, `chain_${id}`);
  return sum;
}

const folderRecord = (_id: string, name: string): FolderRecord => {
  const at = new Date(0);
  return { _id, name, nameKey: name, parentId: null, createdAt: at, updatedAt: at, lock: 0 };
};
async function addFolder(work: Work, { id, name }: { id: string; name: string }): Promise<string> {
  if (await collection(work, 'folders').findOne({ name }, within(work))) refuse('name_taken', 'Taken.');
  await insert(work, 'folders', folderRecord(id, name));
  record(work, 'folders');
  return id;
}

/** Returns for each chain the numbers of its records in the order of their hashes; throws if they are not linked. */
async function chains(): Promise<Record<string, number>> {
  const records = await collection(scope(), 'audit').find().sort({ chain: 1, chainSeq: 1 }).toArray();
  const lengths: Record<string, number> = {};
  const last = new Map<string, string>();
  for (const { chain, chainSeq, prevHash, hash } of records) {
    lengths[chain] = (lengths[chain] ?? 0) + 1;
    expect(chainSeq).toBe(lengths[chain]);
    if (chainSeq > 1) expect(prevHash).toBe(last.get(chain));
    last.set(chain, hash);
  }
  for (const { _id, chainSeq, hash } of await collection(scope(), 'chains').find().toArray())
    expect({ chainSeq, hash }).toEqual({ chainSeq: lengths[_id], hash: last.get(_id) });
  return lengths;
}

/** Counts the commits, without the time limit of commands. */
async function commitsOf(execute: () => Promise<unknown>): Promise<number> {
  let commits = 0;
  const note = ({ commandName }: CommandStartedEvent) => {
    if (commandName === 'commitTransaction') commits += 1;
  };
  const { client } = store.services.mongo;
  client.on('commandStarted', note);
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  await execute();
  vi.useRealTimers();
  client.off('commandStarted', note);
  return commits;
}

test('commits many commands that write different records once', async () => {
  expect(await commitsOf(() => Promise.all(times(20, (n) => run(add, { id: `c${n}` }))))).toBe(1);
  expect(Object.keys(await counters())).toHaveLength(20);
  expect(Object.keys(await chains())).toHaveLength(20);
});

test('runs commands that write the same record one after the other, in one transaction', async () => {
  let sums: number[] = [];
  const addAll = async () => {
    sums = await Promise.all(times(20, () => run(add, { id: 'same' })));
  };
  expect(await commitsOf(addAll)).toBe(1);
  expect(sums.sort((a, b) => a - b)).toEqual(times(20, (n) => n + 1));
  expect(await counters()).toEqual({ same: 20 });
  expect(await chains()).toEqual({ chain_same: 20 });
});

test('records commands that write the same record in the order of their writes', async () => {
  const second = Promise.withResolvers<void>();
  // the first request writes last: it waits until the second has written, and then has to run in turn
  const write = async (work: Work, { by, isFirst }: { by: number; isFirst: boolean }) => {
    if (isFirst) await second.promise;
    await setValue(work, 'shared', by);
    work.audit({ action: 'document.updated', chain: 'chain_shared', summary: `Set to ${by}.` });
    if (!isFirst) second.resolve();
  };
  await Promise.all([run(write, { by: 1, isFirst: true }), run(write, { by: 2, isFirst: false })]);
  expect(await counters()).toMatchObject({ shared: 1 });
  const records = await collection(scope(), 'audit').find({ chain: 'chain_shared' }).sort({ chainSeq: 1 }).toArray();
  expect(records.map(({ summary }) => summary)).toEqual(['Set to 2.', 'Set to 1.']);
});

test('stores nothing of a command that fails, and everything of the others', async () => {
  const failing: Command<{ id: string }, void> = async (work, input) => {
    await add(work, input);
    refuse('validation_failed', 'No.');
  };
  const outcomes = await Promise.all([
    outcome(run(add, { id: 'a' })),
    outcome(run(failing, { id: 'b' })), // at once
    outcome(run(failing, { id: 'a' })), // in turn
    outcome(run(add, { id: 'a' })),
    outcome(run(add, { id: 'b' })),
  ]);
  expect(outcomes).toEqual(['done', 'validation_failed', 'validation_failed', 'done', 'done']);
  expect(await counters()).toEqual({ a: 2, b: 1 });
  expect(await chains()).toEqual({ chain_a: 2, chain_b: 1 });
});

test('rejects a command that records nothing, and stores the others', async () => {
  const silent: Command<void, unknown> = (work) => insert(work, 'counters', { _id: 'silent', value: 1 });
  const outcomes = await Promise.all([outcome(run(add, { id: 'a' })), outcome(run(silent, undefined))]);
  expect(outcomes[0]).toBe('done');
  expect(outcomes[1]).toMatch(/WRITE_WITHOUT_AUDIT/);
  expect(await counters()).toEqual({ a: 1 });
});

test('lets commands that record in one chain see what the others wrote, although they write different records', async () => {
  await Promise.all([run(add, { id: 'a' }), run(add, { id: 'b' })]);
  // at least one counter must stay
  const removeOther: Command<{ id: string }, void> = async (work, { id }) => {
    if ((await readCounters(work)).length < 2) refuse('validation_failed', 'It is the last.');
    await remove(work, 'counters', id);
    record(work, 'access');
  };
  const outcomes = await Promise.all(['a', 'b'].map((id) => outcome(run(removeOther, { id }))));
  expect(outcomes.sort()).toEqual(['done', 'validation_failed']);
  expect(Object.keys(await counters())).toHaveLength(1);
});

test('runs a command again in turn even if it catches the error that says so', async () => {
  const tolerant: Command<void, string> = async (work) => {
    let text = 'added';
    await add(work, { id: 'own' });
    try {
      await add(work, { id: 'same' });
    } catch {
      text = 'not added';
    }
    return text;
  };
  const [, text] = await Promise.all([run(add, { id: 'same' }), run(tolerant, undefined)]);
  expect(text).toBe('added');
  expect(await counters()).toEqual({ own: 1, same: 2 });
});

test('assigns a unique name once if several commands of a transaction take it', async () => {
  const outcomes = await Promise.all(times(5, (n) => outcome(run(addFolder, { id: `fld_${n}`, name: 'Same' }))));
  expect(outcomes.sort()).toEqual(['done', ...times(4, () => 'name_taken')]);
  expect(await collection(scope(), 'folders').countDocuments()).toBe(1);
  expect(Object.values(await chains())).toEqual([1]);
});

test('runs a command that queries a collection after it wrote to it in a transaction of its own', async () => {
  let runs = 0;
  const queryAfterWrite: Command<{ id: string }, number> = async (work, { id }) => {
    runs += 1;
    await add(work, { id });
    return collection(work, 'counters').countDocuments({ _id: id }, within(work));
  };
  await commitsOf(async () => {
    const [found] = await Promise.all([
      run(queryAfterWrite, { id: 'written' }),
      run(add, { id: 'other' }),
      run(add, { id: 'written' }),
    ]);
    expect(found).toBe(1);
  });
  // Chains of its own: the heads of chains of the tests before are cached for a second, and would cause another run.
  expect(runs).toBe(2);
  expect(await counters()).toEqual({ written: 2, other: 1 });
});

test('lets a query of a command that runs in turn find what commands before it wrote', async () => {
  const countAndAdd: Command<{ id: string }, number> = async (work, { id }) => {
    const count = await collection(work, 'counters').countDocuments({}, within(work));
    await setValue(work, 'last', count);
    record(work, 'chain_last');
    await insert(work, 'counters', { _id: id, value: 0 });
    return count;
  };
  const counts = await Promise.all(times(4, (n) => run(countAndAdd, { id: `q${n}` })));
  expect(counts.sort()).toEqual([0, 2, 3, 4]);
});

test('executes a write once if requests with the same idempotency key share a transaction', async () => {
  let effects = 0;
  const once: Command<{ id: string }, number> = async (work, input) => {
    work.afterCommit(() => {
      effects += 1;
    });
    return add(work, input);
  };
  const request = { ...editor, idempotency: { id: 'key', request: 'same' } };
  const sums = await Promise.all(times(8, () => run(once, { id: 'a' }, request)));
  expect(sums).toEqual(times(8, () => 1));
  expect(effects).toBe(1);
  expect(await counters()).toEqual({ a: 1 });
});

test('lets exactly one of several writes that expect the same tag succeed', async () => {
  await run(addFolder, { id: 'fld_a', name: 'A' });
  const [folder] = await collection(scope(), 'folders').find().toArray();
  const expected = { of: 'folders', id: 'fld_a', tag: tagOf(folder!) } as const;
  const rename: Command<{ name: string }, unknown> = async (work, fields) => {
    await change(work, 'folders', 'fld_a', fields);
    record(work, 'folders');
  };
  const outcomes = await Promise.all(times(6, (n) => outcome(run(rename, { name: `B${n}` }, { ...editor, expected }))));
  expect(outcomes.sort()).toEqual(['done', ...times(5, () => 'precondition_failed')]);
});

test('runs each command alone if one meets a duplicate key that the store reports', async () => {
  // unlike addFolder, it does not look for the name
  const insertFolder: Command<{ id: string }, void> = async (work, { id }) => {
    await insert(work, 'folders', folderRecord(id, 'Same'));
    record(work, 'folders');
  };
  const outcomes = await Promise.all([
    outcome(run(insertFolder, { id: 'fld_a' })),
    outcome(run(insertFolder, { id: 'fld_b' })),
    outcome(run(add, { id: 'a' })),
  ]);
  expect(outcomes.slice(0, 2).filter((text) => text === 'done')).toHaveLength(1);
  expect(outcomes[2]).toBe('done');
  expect(await counters()).toEqual({ a: 1 });
  expect(await collection(scope(), 'folders').countDocuments()).toBe(1);
});

test('runs again after a conflict with another process', async () => {
  const processes = { ...store.services, mongo: other };
  await run(add, { id: 'a' });
  let runs = 0;
  const interrupted: Command<{ id: string }, number> = async (work, input) => {
    runs += 1;
    const sum = await add(work, input);
    if (runs === 1) await inTransaction(processes, editor, add, { id: 'a', by: 10 });
    return sum;
  };
  const [sum] = await Promise.all([run(interrupted, { id: 'a' }), run(add, { id: 'b' })]);
  expect(sum).toBe(12);
  expect(runs).toBeGreaterThan(1);
  expect(await counters()).toEqual({ a: 12, b: 1 });
  expect(await chains()).toEqual({ chain_a: 3, chain_b: 1 });
});

test('commits the others while a command waits, which then runs alone', async () => {
  const released = Promise.withResolvers<void>();
  let runs = 0;
  const slow: Command<{ id: string }, number> = async (work, input) => {
    runs += 1;
    const sum = await add(work, input);
    await released.promise;
    // reads and writes nothing more in its first transaction, which has ended
    await add(work, { id: 'late' });
    return sum;
  };
  const slowRun = run(slow, { id: 'slow' });
  await Promise.all([run(add, { id: 'a' }), run(add, { id: 'slow' })]);
  await run(add, { id: 'a' });
  expect(await counters()).toEqual({ a: 2, slow: 1 });
  released.resolve();
  expect(await slowRun).toBe(2);
  expect(runs).toBeGreaterThan(1);
  expect(await counters()).toEqual({ a: 2, late: 1, slow: 2 });
  expect(await chains()).toEqual({ chain_a: 2, chain_late: 1, chain_slow: 2 });
});

test('runs a long command at most twice beside short ones that lock the same record', async () => {
  await run(addFolder, { id: 'fld_a', name: 'A' });
  let runs = 0;
  const long: Command<void, void> = async (work) => {
    if (++runs > 5) throw new Error('it starves');
    await lock(work, 'folders', 'fld_a');
    // waits until a short command that starts now has ended, or runs again because of this one
    const again = Promise.withResolvers<void>();
    let runsOfShort = 0;
    const short: Command<void, void> = async (work) => {
      if (++runsOfShort > 1) again.resolve();
      await lock(work, 'folders', 'fld_a');
      record(work, 'chain_short');
    };
    shorts.push(run(short, undefined));
    await Promise.race([shorts.at(-1), again.promise]);
    record(work, 'chain_long');
  };
  const shorts: Promise<void>[] = [];
  await inTransaction(store.services, editor, long, undefined);
  expect(runs).toBe(2);
  await Promise.all(shorts);
});

test('starts no shared transaction beside a command that has met three conflicts', async () => {
  await run(add, { id: 'a' });
  let runs = 0;
  let sum = 0;
  const short: Command<void, unknown> = (work) => add(work, { id: 'a', by: 10 });
  const long: Command<void, void> = async (work) => {
    if (++runs > 10) throw new Error('it starves');
    const before = (await readValue(work, 'a'))!;
    shorts.push(run(short, undefined));
    // a short command would end within the time of these reads
    if (runs <= 3) await shorts.at(-1);
    else for (let n = 0; n < 50; n++) await readCounters(work);
    sum = before + 1;
    await setValue(work, 'a', sum);
    record(work, 'chain_long');
  };
  const shorts: Promise<unknown>[] = [];
  await inTransaction(store.services, editor, long, undefined);
  expect([runs, sum]).toEqual([4, 32]);
  await Promise.all(shorts);
  expect(await counters()).toEqual({ a: 42 });
});

/** Runs commands of which the first runs of some take too long. Returns how often they ran, and the commits. */
async function runsAndCommits({ count, late }: { count: number; late: number }): Promise<[number, number]> {
  // after an overload, each transaction may have twice as many members as the one before
  for (let members = 1; members < count; members *= 2) await run(add, { id: 'before' });
  let runs = 0;
  let waiting = count;
  const othersEnded = Promise.withResolvers<void>();
  const slow: Command<{ id: string }, number> = async (work, input) => {
    runs += 1;
    const isLate = runs <= late;
    const sum = isLate ? 0 : await add(work, input);
    if (--waiting === 0) setImmediate(othersEnded.resolve);
    return isLate ? new Promise(() => {}) : sum;
  };
  const commits = await commitsOf(async () => {
    const running = Promise.all(times(count, (n) => run(slow, { id: `${late} of ${count}, ${n}` })));
    await othersEnded.promise;
    vi.advanceTimersByTime(200);
    await running;
  });
  return [runs, commits];
}

test('runs commands in smaller transactions if half of them exceed the time limit', async () => {
  expect(await runsAndCommits({ count: 4, late: 4 })).toEqual([8, 2]);
  expect(await runsAndCommits({ count: 4, late: 2 })).toEqual([6, 2]);
});

test('runs each late command alone if fewer than half of a transaction exceed the time limit', async () => {
  expect(await runsAndCommits({ count: 5, late: 2 })).toEqual([7, 3]);
});

test('commits the others if a query sends a write that matches no record', async () => {
  const written = Promise.withResolvers<void>();
  const failing: Command<void, void> = async (work) => {
    work.buffer.update('counters', { _id: 'same' }, { value: 1 });
    record(work, 'chain_failing');
    written.resolve();
  };
  const querying: Command<void, number> = async (work) => {
    await written.promise;
    await setValue(work, 'same', 2); // in turn, because both write it
    record(work, 'chain_querying');
    return (await readCounters(work)).length;
  };
  const queryingFirst: Command<void, void> = async (work) => {
    await readCounters(work);
    await querying(work, undefined);
  };
  const outcomes = await Promise.all([outcome(run(failing, undefined)), outcome(run(queryingFirst, undefined))]);
  expect(outcomes[0]).toMatch(/changed within a transaction/);
  expect(outcomes[1]).toBe('done');
  expect(await counters()).toEqual({ same: 2 });
});

test('continues with the next commands if publishing the outcome of a transaction fails', async () => {
  const failOnce = vi.spyOn(TransactionRecords.prototype, 'known').mockImplementationOnce(() => {
    throw new Error('not known');
  });
  const folder = (n: number) => run(addFolder, { id: `fld_${n}`, name: `F${n}` });
  const outcomes = await Promise.all(times(2, (n) => outcome(folder(n))));
  failOnce.mockRestore();
  expect(outcomes).toContain('not known');
  expect(await outcome(folder(3))).toBe('done');
});

test('fails each command with its error if the store cannot be reached', async () => {
  const mongo = await connectMongo(store.uri, { name: store.services.mongo.db.databaseName });
  await mongo.close();
  const services = { ...store.services, mongo };
  const outcomes = await Promise.all(
    times(3, (n) => outcome(inSharedTransaction(services, editor, add, { id: `c${n}` }))),
  );
  for (const text of outcomes) expect(text).not.toBe('done');
  expect(await counters()).toEqual({});
});

test('gives each command the services of its request', async () => {
  const readTime: Command<void, Date> = async (work) => {
    work.unchanged();
    return work.now;
  };
  const at = (ms: number) => ({ ...store.services, clock: () => new Date(ms) });
  const read = await Promise.all([1, 2].map((ms) => inSharedTransaction(at(ms), editor, readTime, undefined)));
  expect(read.map(Number)).toEqual([1, 2]);
});

type Step = {
  kind: 'transfer' | 'sweep' | 'total' | 'fail' | 'query';
  from: string;
  to: string;
  amount: number;
  key: number | null;
};

// With one chain for all, every two commands conflict. With a chain for each account, only those of one account do, and
// nothing then prevents that two accounts are empty.
test.each([
  ['all of which conflict', true],
  ['some of which conflict', false],
])('stores what some serial order of the commands stores, %s', async (_, isOneChain) => {
  const accounts = ['a', 'b', 'c', 'd'];
  const START = 5;
  // No account is overdrawn, money neither appears nor disappears, and no two accounts are empty.
  const execute: Command<Step, number> = async (work, { kind, from, to, amount }) => {
    if (kind === 'total') {
      work.unchanged();
      return (await readCounters(work)).reduce((sum, { value }) => sum + value, 0);
    }
    const source = (await readValue(work, from))!;
    if (source < amount) refuse('validation_failed', 'Too little.');
    if (source === amount) {
      const all = await readCounters(work);
      if (isOneChain && all.some(({ _id, value }) => _id !== from && value === 0))
        refuse('validation_failed', 'Two are empty.');
    }
    if (from !== to) {
      await setValue(work, from, source - amount);
      await setValue(work, to, (await readValue(work, to))! + amount);
    }
    if (isOneChain) record(work, 'accounts');
    record(work, `chain_${from}`);
    if (kind === 'fail') refuse('validation_failed', 'No.');
    if (kind === 'sweep') await changeAll(work, 'counters', { value: { $lt: 0 } }, { value: 0 });
    if (kind === 'query') return collection(work, 'counters').countDocuments({}, within(work));
    return source;
  };
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('transfer', 'transfer', 'transfer', 'sweep', 'total', 'fail', 'query'),
    from: fc.constantFrom(...accounts),
    to: fc.constantFrom(...accounts),
    amount: fc.integer({ min: 0, max: 6 }),
    key: fc.option(fc.nat(2), { freq: 4, nil: null }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      for (const name of ['counters', 'audit', 'auditPending', 'chains', 'idempotency'])
        await other.db.collection(name).deleteMany({});
      await collection({ db: other.db }, 'counters').insertMany(accounts.map((_id) => ({ _id, value: START })));
      const results = await Promise.allSettled(
        steps.map((input) =>
          run(execute, input, {
            ...editor,
            ...(input.key === null ? {} : { idempotency: { id: `key_${input.key}`, request: JSON.stringify(input) } }),
          }),
        ),
      );
      for (const result of results)
        if (result.status === 'rejected')
          expect(['validation_failed', 'idempotency_mismatch']).toContain(result.reason.code);
      const stored = await counters();
      const values = Object.values(stored);
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(accounts.length * START);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
      if (isOneChain) expect(values.filter((value) => value === 0).length).toBeLessThan(2);

      // the transfers that succeeded, each once for a repeated key, explain the balances
      const moved: Record<string, number> = Object.fromEntries(accounts.map((id) => [id, START]));
      const keys = new Set<number>();
      let recorded = 0;
      for (const [n, { kind, from, to, amount, key }] of steps.entries()) {
        const result = results[n]!;
        if (result.status === 'rejected' || (key !== null && kind !== 'total' && keys.has(key))) continue;
        if (kind === 'total') {
          expect(result.value).toBe(accounts.length * START);
          continue;
        }
        if (key !== null) keys.add(key);
        recorded += 1;
        moved[from]! -= amount;
        moved[to]! += amount;
      }
      expect(stored).toEqual(moved);
      const lengths = await chains();
      expect(lengths.accounts ?? 0).toBe(isOneChain ? recorded : 0);
      expect(Object.values(lengths).reduce((sum, length) => sum + length, 0)).toBe((isOneChain ? 2 : 1) * recorded);
    }),
    { numRuns: 20 },
  );
});
