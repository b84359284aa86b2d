// Indexes of a store that an earlier version created.
import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notRun } from '../../../../test/support/needs.ts';
import { type TestStore, testStore } from '../../../../test/support/store.ts';
import { listAbout } from '../audit/list-audit.ts';
import { countRunningJobs, countWaitingJobs } from '../jobs/job-counts.ts';
import { expiredJobs, oldestWaitingJobs } from '../jobs/job-queue.ts';
import { connectMongo } from '../mongo.ts';
import { INDEXES, OBSOLETE_INDEXES } from './indexes.ts';

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

test('replaces the indexes of earlier versions, even if several processes start at once', async () => {
  const { db } = store.services.mongo;
  for (const [collection, names] of Object.entries(OBSOLETE_INDEXES))
    for (const name of names) expect(await db.collection(collection).createIndex(keyOf(name))).toBe(name);

  const starting = await Promise.all(
    Array.from({ length: 4 }, () => connectMongo(store.uri, { name: db.databaseName })),
  );
  for (const mongo of starting) await mongo.close();

  for (const collection of Object.keys(OBSOLETE_INDEXES) as (keyof typeof OBSOLETE_INDEXES)[])
    expect(await namesIn(collection)).toHaveLength(INDEXES[collection].length + 1);
  for (const [collection, names] of Object.entries(OBSOLETE_INDEXES))
    for (const name of names) expect(await namesIn(collection)).not.toContain(name);
});

test('uses partial indexes for fields that few records have', async ({ skip }) => {
  // explain output differs between servers
  if (process.env.MONGODB_URL) skip(notRun('embedded store'));
  const { client, db } = store.services.mongo;
  const scope = { db };
  const sent: Document[] = [];
  const record = ({ command }: { command: Document }) => void sent.push(command);
  client.on('commandStarted', record);
  await oldestWaitingJobs(scope, { types: ['run'], environments: ['engine:occt'] }, { now: new Date(), limit: 5 });
  const light = { types: ['convert'], environments: ['engine:occt'], light: true } as const;
  await oldestWaitingJobs(scope, light, { now: new Date(), limit: 5 });
  await expiredJobs(scope, { now: new Date(), leaseSeconds: 60, maxLeaseSeconds: 60 }, 5);
  await countRunningJobs(scope);
  await countWaitingJobs(scope);
  await listAbout(scope, { revisionId: 'rev_1' }, { descending: true, limit: 5 });
  client.off('commandStarted', record);

  const used = new Set<string>();
  for (const { lsid, $db, $clusterTime, ...command } of sent) {
    const { queryPlanner, stages } = await db.command({ explain: command, verbosity: 'queryPlanner' });
    const plan = JSON.stringify([queryPlanner, stages]);
    expect(plan).not.toContain('"SORT"');
    used.add(/"indexName":"([^"]+)"/.exec(plan)?.[1] ?? 'none');
  }
  expect([...used].sort()).toEqual([
    'light_1_environmentKey_1_seq_1',
    'revisionId_1_at_1__id_1',
    'status_-1_leaseExpiresAt_1',
    'status_-1_type_1_environmentKey_1_seq_1',
    'status_1_seq_-1__id_-1',
  ]);
});
