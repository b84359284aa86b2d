// The records that a process has just sealed: the same as in the store, and none that another process may have added to.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../../test/support/store.ts';
import { signNote } from '../../domain/audit/signed-note.ts';
import { type Command, inTransaction } from '../../work.ts';
import { connectMongo, type Mongo } from '../mongo.ts';
import { ensureAuditTree, sealPending } from './audit-seals.ts';
import { recentAfter } from './recent-events.ts';
import { nextEvents, sealedRecordsAfter } from './sealed-events.ts';

let store: TestStore;
let other: Mongo;
beforeAll(async () => {
  store = await testStore();
  other = await connectMongo(store.uri, { name: store.services.mongo.db.databaseName });
  await ensureAuditTree(scope());
});
afterAll(async () => {
  await other.close();
  await store.close();
});

const scope = () => ({ db: store.services.mongo.db });
const update: Command<string, void> = async (work, chain) => {
  const changes = { name: { from: undefined, to: work.now }, list: { from: null, to: [{ a: undefined, b: 1 }] } };
  work.audit({ action: 'document.updated', documentId: chain, summary: 'Updated.', changes });
};
const record = (mongo: Mongo) =>
  inTransaction({ ...store.services, mongo }, requestAs('editor'), update, `doc_${Math.random()}`);
const sealOn = (mongo: Mongo) =>
  sealPending(mongo, {
    id: 'one',
    now: new Date(),
    leaseMs: 0,
    sign: (text, name) => signNote(text, name, store.services.sealing.signingKey()),
  });
const seqs = (found: { events: { seq: number }[] } | null) => found?.events.map(({ seq }) => seq) ?? null;

test('returns what the store has, without the records of another process', async () => {
  const { mongo } = store.services;
  for (let n = 0; n < 3; n++) await record(mongo);
  await sealOn(mongo);
  const recent = recentAfter(mongo.db, 1, 10);
  expect(seqs(recent)).toEqual([2, 3]);
  expect(JSON.stringify(recent?.events)).toBe(JSON.stringify(await sealedRecordsAfter(scope(), 1, 10)));
  expect(seqs(recentAfter(mongo.db, 0, 2))).toEqual([1, 2]);
  expect(seqs(recentAfter(mongo.db, 3, 10))).toEqual([]);
  expect(recentAfter(mongo.db, 4, 10)).toBeNull();

  await record(other);
  await record(mongo);
  await sealOn(mongo);
  expect(recentAfter(mongo.db, 3, 10)).toBeNull(); // the record of the other process is missing
  expect(seqs(recentAfter(mongo.db, 4, 10))).toEqual([5]);
  expect(seqs(await nextEvents(scope(), 3, 10))).toEqual([4, 5]);

  await record(other);
  await sealOn(other);
  await record(mongo);
  await sealOn(mongo);
  expect(recentAfter(mongo.db, 5, 10)).toBeNull();
  expect(seqs(await nextEvents(scope(), 0, 10))).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
