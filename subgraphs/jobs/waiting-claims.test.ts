// Claims that wait until they are notified of a job.
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDraft, queueExportJobs, queueTestJob } from '../../test/support/job-fixture.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { listChain } from '../core/store/audit/list-audit.ts';
import { notifiedJobsCache } from '../core/store/jobs/recent-jobs.ts';
import { collection, type Scope } from '../core/store/query/scope.ts';
import type { JobRecord, TokenRecord } from '../core/store/schema/collections.ts';
import type { Services } from '../core/work.ts';
import { createClaimDispatcher } from './worker/claim-dispatcher.ts';
import { claimJob } from './worker/claim-job.ts';

let store: TestStore;
let services: Services;
let scope: Scope;
const editor = requestAs('editor');
let commands: string[] = [];
const recordCommand = ({ commandName, command }: CommandStartedEvent) =>
  void commands.push(commandName === 'find' ? `find ${command.find}` : commandName);

beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  services = store.services;
  scope = { db: services.mongo.db };
  services.mongo.client.on('commandStarted', recordCommand);
});
beforeEach(() =>
  collection(scope, 'jobs')
    .deleteMany({})
    .then(() => {}),
);
afterAll(() => store.close());

const waitingClaims = (ids: readonly string[], input = {}) => {
  const dispatcher = createClaimDispatcher(scope, services.clock);
  return ids.map((workerId) =>
    claimJob({ services, request: requestAs('worker', workerId), scope, loaders: {} }, dispatcher, {
      workerId,
      waitSeconds: 20,
      ...input,
    }),
  );
};
const queries = (count: number) => until(() => commands.filter((command) => command === 'find jobs').length >= count);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

test('reads no job for a notified claim, and checks its permission during the write', async () => {
  const place = await createTestDraft(services, editor);
  await queueTestJob(services, editor, place, { type: 'export', format: 'warm' });
  await Promise.all(waitingClaims(['w']));
  commands = [];
  const [claim] = waitingClaims(['w'], { types: ['convert'] });
  await queries(1);
  // Lets the query of the claim finish before the job is queued.
  await collection(scope, 'jobs').findOne({ _id: 'none' });
  const job = await queueTestJob(services, editor, place);
  const queued = commands.lastIndexOf('commitTransaction');
  const result = await claim!;

  expect(result?.job).toEqual(await collection(scope, 'jobs').findOne({ _id: job._id }));
  const sent = commands.slice(queued + 1, commands.lastIndexOf('commitTransaction') + 1);
  expect(sent.toSorted()).toEqual(
    services.mongo.supportsClientBulkWrite
      ? ['bulkWrite', 'commitTransaction', 'find tokens', 'find users']
      : expect.not.arrayContaining(['find jobs']),
  );
});

test('rejects a notified claim whose token was revoked meanwhile and assigns the job to the next one', async () => {
  const place = await createTestDraft(services, editor);
  const [ended, next] = waitingClaims(['ended', 'next']);
  await queries(1);
  const token = { _id: 'tok_ended', prefix: 'ended', userId: 'ended', revokedAt: new Date(), expiresAt: null };
  await scope.db.collection<Partial<TokenRecord> & { _id: string }>('tokens').insertOne(token);
  const job = await queueTestJob(services, editor, place);

  await expect(ended).rejects.toMatchObject({ code: 'unauthenticated' });
  expect((await next)?.job).toMatchObject({ _id: job._id, workerId: 'next', attempt: 1 });
  const records = await listChain(scope, place.documentId, { limit: 10 });
  expect(records.filter(({ action }) => action === 'job.claimed')).toHaveLength(1);
});

test('skips a job that another process claimed first', async () => {
  const place = await createTestDraft(services, editor);
  const silent = { ...services, dispatch: { ...services.dispatch, notify: () => {} } };
  commands = [];
  const [claim] = waitingClaims(['w']);
  await queries(1);
  const claimedElsewhere = await queueTestJob(silent, editor, place);
  await collection(scope, 'jobs').updateOne(
    { _id: claimedElsewhere._id },
    { $set: { status: 'running', attempt: 1, tokenId: 'tok_faster' }, $inc: { lock: 1 } },
  );
  const next = await queueTestJob(silent, editor, place, { type: 'export', format: 'step' });
  const key = `${claimedElsewhere._id}:0`;
  notifiedJobsCache.set(scope.db, [[key, claimedElsewhere]]);
  services.dispatch.notify('convert', key);

  expect((await claim)?.job._id).toBe(next._id);
  expect(await collection(scope, 'jobs').findOne({ _id: claimedElsewhere._id })).toMatchObject({
    tokenId: 'tok_faster',
    attempt: 1,
  });
});

test('assigns one matching job to each waiting claim, oldest first', async () => {
  const place = await createTestDraft(services, editor);
  const claims = waitingClaims(['a', 'b', 'c', 'd'], { types: ['export', 'convert'] });
  const got: JobRecord[] = [];
  for (const claim of claims) void claim.then((result) => result && got.push(result.job));
  await queueTestJob(services, editor, place, { type: 'assemble' });
  await queueTestJob(services, editor, place, { type: 'run' });
  const first = await queueExportJobs(services, editor, [place], 3);
  await until(() => got.length === 3);
  const last = await queueTestJob(services, editor, place);
  await Promise.all(claims);

  expect(got.map(({ _id }) => _id)).toEqual([...first, last._id]);
  expect(new Set(got.map(({ workerId }) => workerId)).size).toBe(4);
  expect(await collection(scope, 'jobs').countDocuments({ status: 'waiting' })).toBe(2);
});
