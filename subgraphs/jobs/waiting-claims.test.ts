// Claims that wait for a job, and go on from the one they are woken for.

import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aDraft, aJob, exportJobs } from '../../test/support/job-fixture.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { ofChain } from '../core/store/audit/audit.ts';
import { rungJobs } from '../core/store/jobs/recent-jobs.ts';
import { collection, type Scope } from '../core/store/query/scope.ts';
import type { JobRecord, TokenRecord } from '../core/store/schema/collections.ts';
import type { Services } from '../core/work.ts';
import { claimDesk } from './worker/claim-desk.ts';
import { claimJob } from './worker/claim-job.ts';

let store: TestStore;
let services: Services;
let scope: Scope;
const editor = requestAs('editor');
let commands: string[] = [];
const note = ({ commandName, command }: CommandStartedEvent) =>
  void commands.push(commandName === 'find' ? `find ${command.find}` : commandName);

beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  services = store.services;
  scope = { db: services.mongo.db };
  services.mongo.client.on('commandStarted', note);
});
beforeEach(() =>
  collection(scope, 'jobs')
    .deleteMany({})
    .then(() => {}),
);
afterAll(() => store.close());

const waitingClaims = (ids: readonly string[], input = {}) => {
  const desk = claimDesk(scope, services.clock);
  return ids.map((workerId) =>
    claimJob({ services, request: requestAs('worker', workerId), scope, loaders: {} }, desk, {
      workerId,
      waitSeconds: 20,
      ...input,
    }),
  );
};
const looks = (count: number) => until(() => commands.filter((one) => one === 'find jobs').length >= count);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

test('a claim that is woken reads no job: it asks whether it may still claim while it writes, and commits', async () => {
  const place = await aDraft(services, editor);
  await aJob(services, editor, place, { type: 'export', format: 'warm' });
  await Promise.all(waitingClaims(['w']));
  commands = [];
  const [claim] = waitingClaims(['w'], { types: ['convert'] });
  await looks(1);
  // a look shows whether something waits; it must have been answered before the job comes
  await collection(scope, 'jobs').findOne({ _id: 'none' });
  const job = await aJob(services, editor, place);
  const queued = commands.lastIndexOf('commitTransaction');
  const answer = await claim!;

  expect(answer?.job).toEqual(await collection(scope, 'jobs').findOne({ _id: job._id }));
  const sent = commands.slice(queued + 1, commands.lastIndexOf('commitTransaction') + 1);
  expect(sent.toSorted()).toEqual(
    services.mongo.oneWord
      ? ['bulkWrite', 'commitTransaction', 'find tokens', 'find users']
      : expect.not.arrayContaining(['find jobs']),
  );
});

test('of those who were woken, one whose token was ended meanwhile is refused, and the job goes to the next', async () => {
  const place = await aDraft(services, editor);
  const [ended, next] = waitingClaims(['ended', 'next']);
  await looks(1);
  const token = { _id: 'tok_ended', prefix: 'ended', userId: 'ended', revokedAt: new Date(), expiresAt: null };
  await scope.db.collection<Partial<TokenRecord> & { _id: string }>('tokens').insertOne(token);
  const job = await aJob(services, editor, place);

  await expect(ended).rejects.toMatchObject({ code: 'unauthenticated' });
  expect((await next)?.job).toMatchObject({ _id: job._id, workerId: 'next', attempt: 1 });
  const records = await ofChain(scope, place.documentId, { limit: 10 });
  expect(records.filter(({ action }) => action === 'job.claimed')).toHaveLength(1);
});

test('a job that another process took in the moment in which this one heard of it is passed over', async () => {
  const place = await aDraft(services, editor);
  const deaf = { ...services, dispatch: { ...services.dispatch, ring: () => {} } };
  commands = [];
  const [claim] = waitingClaims(['w']);
  await looks(1);
  const known = await aJob(deaf, editor, place);
  await collection(scope, 'jobs').updateOne(
    { _id: known._id },
    { $set: { status: 'running', attempt: 1, tokenId: 'tok_faster' }, $inc: { lock: 1 } },
  );
  const next = await aJob(deaf, editor, place, { type: 'export', format: 'step' });
  const key = `${known._id}:0`;
  rungJobs.keep(scope.db, [[key, known]]);
  services.dispatch.ring('convert', key);

  expect((await claim)?.job._id).toBe(next._id);
  expect(await collection(scope, 'jobs').findOne({ _id: known._id })).toMatchObject({
    tokenId: 'tok_faster',
    attempt: 1,
  });
});

test('many who wait get the jobs that come, each one of its own, the oldest first; what does not fit wakes nobody in vain for good', async () => {
  const place = await aDraft(services, editor);
  const claims = waitingClaims(['a', 'b', 'c', 'd'], { types: ['export', 'convert'] });
  const got: JobRecord[] = [];
  for (const claim of claims) void claim.then((answer) => answer && got.push(answer.job));
  await aJob(services, editor, place, { type: 'assemble' });
  await aJob(services, editor, place, { type: 'run' });
  const first = await exportJobs(services, editor, [place], 3);
  await until(() => got.length === 3);
  const last = await aJob(services, editor, place);
  await Promise.all(claims);

  expect(got.map(({ _id }) => _id)).toEqual([...first, last._id]);
  expect(new Set(got.map(({ workerId }) => workerId)).size).toBe(4);
  expect(await collection(scope, 'jobs').countDocuments({ status: 'waiting' })).toBe(2);
});
