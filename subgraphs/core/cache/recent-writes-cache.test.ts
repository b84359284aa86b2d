// Cached chain heads of a process while other processes write to the same chains.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { listChain } from '../store/audit/list-audit.ts';
import { connectMongo } from '../store/mongo.ts';
import { collection } from '../store/query/scope.ts';
import { type Command, inTransaction, type Services } from '../work.ts';

let store: TestStore;
let here: Services;
// The cache belongs to a connection, so that a second connection acts as a second process.
let there: Services;
beforeAll(async () => {
  store = await testStore();
  here = store.services;
  there = { ...here, mongo: await connectMongo(store.uri, { name: here.mongo.db.databaseName }) };
});
afterAll(async () => {
  await there.mongo.close();
  await store.close();
});

const scope = () => ({ db: here.mongo.db });

const record: Command<{ summary: string; chains: readonly string[]; counter?: { lock: number } }, void> = async (
  work,
  { summary, chains, counter },
) => {
  if (counter)
    work.atEnd({
      into: 'counters',
      filter: { _id: 'c', value: counter.lock },
      update: { $inc: { value: 1 } },
      orElse: () => new Error('the counter has moved'),
    });
  for (const documentId of chains) work.audit({ action: 'document.updated', documentId, summary, changes: {} });
};

const run = (services: Services, summary: string, chains: readonly string[], counter?: { lock: number }) =>
  inTransaction(services, requestAs('editor'), record, counter ? { summary, chains, counter } : { summary, chains });

async function assertUnbroken(chain: string): Promise<string[]> {
  const records = await listChain(scope(), chain, { limit: 1_000, descending: false });
  expect(records.map(({ chainSeq }) => chainSeq)).toEqual(records.map((_, n) => n + 1));
  expect(records.slice(1).map(({ prevHash }) => prevHash)).toEqual(records.slice(0, -1).map(({ hash }) => hash));
  const head = await collection(scope(), 'chains').findOne({ _id: chain });
  expect(head).toEqual({ _id: chain, chainSeq: records.length, hash: records.at(-1)?.hash });
  return records.map(({ summary }) => summary);
}

test('continues a chain that two processes write to in turn', async () => {
  for (let n = 0; n < 6; n++) await run(n % 2 ? there : here, `${n}`, ['doc_turns']);
  expect(await assertUnbroken('doc_turns')).toEqual(['0', '1', '2', '3', '4', '5']);
});

test('keeps chains intact and complete when two processes write to them concurrently', async () => {
  const chains = ['doc_a', 'doc_b', 'doc_c'];
  const writes = Array.from({ length: 24 }, (_, n) => ({
    summary: `${n}`,
    chains: chains.filter((_chain, at) => (n % 7) & (1 << at)),
  })).filter((write) => write.chains.length);
  await Promise.all(writes.map(({ summary, chains }, n) => run(n % 2 ? here : there, summary, chains)));
  for (const chain of chains) {
    const expected = writes.filter((write) => write.chains.includes(chain)).map(({ summary }) => summary);
    expect((await assertUnbroken(chain)).sort()).toEqual(expected.sort());
  }
});

test('continues from the head in the store after a restore moved a chain back', async () => {
  await run(here, 'kept', ['doc_restored']);
  await run(here, 'lost', ['doc_restored']);
  const [lost, kept] = await listChain(scope(), 'doc_restored', { limit: 2 });
  for (const name of ['audit', 'auditPending'] as const) await collection(scope(), name).deleteOne({ _id: lost!._id });
  await collection(scope(), 'chains').updateOne({ _id: 'doc_restored' }, { $set: { chainSeq: 1, hash: kept!.hash } });
  await run(there, 'instead', ['doc_restored']);

  await run(here, 'after', ['doc_restored']);
  expect(await assertUnbroken('doc_restored')).toEqual(['kept', 'instead', 'after']);
});

test.each(['cached', 'read'])('rolls back when a deferred write matches nothing and the head was %s', async (how) => {
  const chain = `doc_${how}`;
  await collection(scope(), 'counters').updateOne({ _id: 'c' }, { $set: { value: 7 } }, { upsert: true });
  if (how === 'cached') await run(here, 'before', [chain]);

  await expect(run(here, 'in vain', [chain], { lock: 6 })).rejects.toThrow('the counter has moved');
  expect(await collection(scope(), 'audit').countDocuments({ chain })).toBe(how === 'cached' ? 1 : 0);
  await run(here, 'done', [chain], { lock: 7 });
  expect(await collection(scope(), 'counters').findOne({ _id: 'c' })).toEqual({ _id: 'c', value: 8 });
  expect(await assertUnbroken(chain)).toEqual([...(how === 'cached' ? ['before'] : []), 'done']);
});

test('fails a command that defers a write and records nothing', async () => {
  await expect(run(here, '', [], { lock: 8 })).rejects.toThrow('WRITE_WITHOUT_AUDIT');
});
