// Indexes of a store that an earlier version of the service made.
import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStore, testStore } from '../../../../test/support/store.ts';
import { aboutRecord } from '../audit/audit.ts';
import { expiredJobs, oldestWaiting } from '../jobs/job-queue.ts';
import { runningJobs, waitingJobs } from '../jobs/waiting-jobs.ts';
import { connectMongo } from '../mongo.ts';
import { INDEXES, OUTDATED } from './indexes.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
});
afterAll(() => store.close());

const keyOf = (name: string): Record<string, 1 | -1> =>
  Object.fromEntries(
    [...name.matchAll(/(.+?)_(-?1)(?:_|$)/g)].map(([, path, direction]) => [path, Number(direction) as 1 | -1]),
  );
const namesIn = async (collection: string) =>
  (await store.services.mongo.db.collection(collection).indexes()).map(({ name }) => name);

test('what an earlier version looked things up by is replaced once, also by several processes that start at once', async () => {
  const { db } = store.services.mongo;
  for (const [collection, names] of Object.entries(OUTDATED))
    for (const name of names) expect(await db.collection(collection).createIndex(keyOf(name))).toBe(name);

  const starting = await Promise.all(
    Array.from({ length: 4 }, () => connectMongo(store.uri, { name: db.databaseName })),
  );
  for (const mongo of starting) await mongo.close();

  for (const collection of Object.keys(OUTDATED) as (keyof typeof OUTDATED)[])
    expect(await namesIn(collection)).toHaveLength(INDEXES[collection].length + 1);
  for (const [collection, names] of Object.entries(OUTDATED))
    for (const name of names) expect(await namesIn(collection)).not.toContain(name);
});

test('what only some records have is looked up in an index of those', async ({ skip }) => {
  // what other engines tell of their plans has other forms
  if (process.env.MONGODB_URL) skip('plans are compared on the embedded store');
  const { client, db } = store.services.mongo;
  const scope = { db };
  const sent: Document[] = [];
  const note = ({ command }: { command: Document }) => void sent.push(command);
  client.on('commandStarted', note);
  await oldestWaiting(scope, { types: ['run'], environments: ['engine:occt'] }, { now: new Date(), limit: 5 });
  await expiredJobs(scope, new Date(), 5);
  await runningJobs(scope);
  await waitingJobs(scope);
  await aboutRecord(scope, { revisionId: 'rev_1' }, { descending: true, limit: 5 });
  client.off('commandStarted', note);

  const used = new Set<string>();
  for (const { lsid, $db, $clusterTime, ...command } of sent) {
    const { queryPlanner, stages } = await db.command({ explain: command, verbosity: 'queryPlanner' });
    const plan = JSON.stringify([queryPlanner, stages]);
    expect(plan).not.toContain('"SORT"');
    used.add(/"indexName":"([^"]+)"/.exec(plan)?.[1] ?? 'none');
  }
  expect([...used].sort()).toEqual([
    'revisionId_1_at_1__id_1',
    'status_-1_leaseExpiresAt_1',
    'status_-1_type_1_environmentKey_1_seq_1',
  ]);
});
