// Heads of chains that a process remembers, beside other processes that write to the same chains.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { ofChain } from '../store/audit/audit.ts';
import { connectMongo } from '../store/mongo.ts';
import { collection } from '../store/query/scope.ts';
import { type Command, inTransaction, type Services } from '../work.ts';

let store: TestStore;
let here: Services;
// What a process remembers, it remembers of its own connection: two connections stand for two processes.
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

const saying: Command<{ summary: string; chains: readonly string[]; counter?: { lock: number } }, void> = async (
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

const say = (services: Services, summary: string, chains: readonly string[], counter?: { lock: number }) =>
  inTransaction(services, requestAs('editor'), saying, counter ? { summary, chains, counter } : { summary, chains });

async function unbroken(chain: string): Promise<string[]> {
  const records = await ofChain(scope(), chain, { limit: 1_000, descending: false });
  expect(records.map(({ chainSeq }) => chainSeq)).toEqual(records.map((_, n) => n + 1));
  expect(records.slice(1).map(({ prevHash }) => prevHash)).toEqual(records.slice(0, -1).map(({ hash }) => hash));
  const head = await collection(scope(), 'chains').findOne({ _id: chain });
  expect(head).toEqual({ _id: chain, chainSeq: records.length, hash: records.at(-1)?.hash });
  return records.map(({ summary }) => summary);
}

test('two processes that write to a chain in turn go on from each other’s records', async () => {
  for (let n = 0; n < 6; n++) await say(n % 2 ? there : here, `${n}`, ['doc_turns']);
  expect(await unbroken('doc_turns')).toEqual(['0', '1', '2', '3', '4', '5']);
});

test('two processes that write to the same chains at once break none and lose nothing', async () => {
  const chains = ['doc_a', 'doc_b', 'doc_c'];
  const said = Array.from({ length: 24 }, (_, n) => ({
    summary: `${n}`,
    chains: chains.filter((_chain, at) => (n % 7) & (1 << at)),
  })).filter((one) => one.chains.length);
  await Promise.all(said.map(({ summary, chains }, n) => say(n % 2 ? here : there, summary, chains)));
  for (const chain of chains) {
    const wanted = said.filter((one) => one.chains.includes(chain)).map(({ summary }) => summary);
    expect((await unbroken(chain)).sort()).toEqual(wanted.sort());
  }
});

test('a chain that lies further back after a restore goes on from the head in the store', async () => {
  await say(here, 'kept', ['doc_restored']);
  await say(here, 'lost', ['doc_restored']);
  const [lost, kept] = await ofChain(scope(), 'doc_restored', { limit: 2 });
  for (const name of ['audit', 'auditPending'] as const) await collection(scope(), name).deleteOne({ _id: lost!._id });
  await collection(scope(), 'chains').updateOne({ _id: 'doc_restored' }, { $set: { chainSeq: 1, hash: kept!.hash } });
  await say(there, 'instead', ['doc_restored']);

  await say(here, 'after', ['doc_restored']);
  expect(await unbroken('doc_restored')).toEqual(['kept', 'instead', 'after']);
});

test.each(['remembered', 'read'])(
  'a write put off to the end that finds nothing leaves nothing behind, the head being %s',
  async (how) => {
    const chain = `doc_${how}`;
    await collection(scope(), 'counters').updateOne({ _id: 'c' }, { $set: { value: 7 } }, { upsert: true });
    if (how === 'remembered') await say(here, 'before', [chain]);

    await expect(say(here, 'in vain', [chain], { lock: 6 })).rejects.toThrow('the counter has moved');
    expect(await collection(scope(), 'audit').countDocuments({ chain })).toBe(how === 'remembered' ? 1 : 0);
    await say(here, 'done', [chain], { lock: 7 });
    expect(await collection(scope(), 'counters').findOne({ _id: 'c' })).toEqual({ _id: 'c', value: 8 });
    expect(await unbroken(chain)).toEqual([...(how === 'remembered' ? ['before'] : []), 'done']);
  },
);

test('a command that puts a write off and records nothing fails', async () => {
  await expect(say(here, '', [], { lock: 8 })).rejects.toThrow('WRITE_WITHOUT_AUDIT');
});
