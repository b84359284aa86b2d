// Claims: order, filters, waiting and the claim cache.
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDraft, queueExportJobs, queueTestJob } from '../../../test/support/job-fixture.ts';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import type { Context } from '../../core/graphql.ts';
import { localDispatch } from '../../core/platform/dispatch-local.ts';
import { listChain } from '../../core/store/audit/list-audit.ts';
import { listJobs } from '../../core/store/jobs/job-lists.ts';
import { get } from '../../core/store/query/records.ts';
import { collection, type Scope } from '../../core/store/query/scope.ts';
import { inTransaction, type RequestContext, type Services } from '../../core/work.ts';
import { cancelJob } from '../cancel-job.ts';
import { createClaimDispatcher } from './claim-dispatcher.ts';
import { type ClaimedJob, claimJob } from './claim-job.ts';
import { giveBackJob } from './give-back-job.ts';

let store: TestStore;
let services: Services;
let scope: Scope;
const editor = requestAs('editor');

beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  services = store.services;
  scope = { db: services.mongo.db };
});
beforeEach(async () => {
  await collection(scope, 'jobs').deleteMany({});
});
afterAll(() => store.close());

type Input = Parameters<typeof claimJob>[2];

function claimAs(
  worker: string,
  input: Partial<Input> = {},
  request: RequestContext = requestAs('worker', worker),
  dispatcher = createClaimDispatcher(scope, services.clock),
): Promise<ClaimedJob | null> {
  return claimJob(contextOf(request), dispatcher, { workerId: worker, ...input });
}

// A claim does not read the document, so none is created.
const manyPlaces = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ documentId: `doc_${n}`, versionId: `ver_${n}` }));

const contextOf = (request: RequestContext): Context => ({ services, request, scope, loaders: {} });

test('assigns each of 200 jobs to exactly one of 64 concurrent claims, oldest first', {
  timeout: 120_000,
}, async () => {
  const places = manyPlaces(100);
  const queued = await queueExportJobs(services, editor, places, 200);
  const dispatcher = createClaimDispatcher(scope, services.clock);
  const claimed: string[][] = [];

  for (let round = 0; round < 4; round++) {
    const workers = Array.from({ length: 64 }, (_, n) => requestAs('worker', `w${n}`));
    const results = await Promise.all(
      workers.map((request) => claimJob(contextOf(request), dispatcher, { workerId: request.actor.id })),
    );
    claimed.push(results.flatMap((result) => (result ? [result.job._id] : [])));
  }

  expect(claimed.map((ids) => ids.length)).toEqual([64, 64, 64, 8]);
  expect(claimed.flat().sort()).toEqual([...queued].sort());
  for (const [round, ids] of claimed.entries())
    expect(ids.sort()).toEqual(queued.slice(round * 64, round * 64 + 64).sort());
});

test('never assigns a job twice when two processes claim concurrently', async () => {
  const places = manyPlaces(12);
  await queueExportJobs(services, editor, places, 24);
  const dispatchers = [createClaimDispatcher(scope, services.clock), createClaimDispatcher(scope, services.clock)];

  const results = await Promise.all(
    Array.from({ length: 32 }, (_, n) =>
      claimJob(contextOf(requestAs('worker', `w${n}`)), dispatchers[n % 2]!, { workerId: `w${n}` }),
    ),
  );

  const ids = results.flatMap((result) => (result ? [result.job._id] : []));
  expect(ids).toHaveLength(24);
  expect(new Set(ids).size).toBe(24);
});

test('starts an attempt with a lease and audits the claim', async () => {
  const place = await createTestDraft(services, editor);
  const job = await queueTestJob(services, editor, place);

  const result = await claimAs('w1');

  expect(result).toMatchObject({
    leaseSeconds: 60,
    heartbeatSeconds: 20,
    job: { _id: job._id, status: 'running', attempt: 1, workerId: 'w1' },
  });
  expect(result?.job.leaseExpiresAt?.getTime()).toBe((result?.job.startedAt?.getTime() ?? 0) + 60_000);
  const [record] = await listChain(scope, place.documentId, { limit: 1 });
  expect(record).toMatchObject({
    action: 'job.claimed',
    jobId: job._id,
    versionId: place.versionId,
    by: { role: 'worker' },
  });
  expect(await claimAs('w2')).toBeNull();
});

test('assigns only jobs of the requested types whose requirements the environment covers', async () => {
  const place = await createTestDraft(services, editor);
  const classcad = await queueTestJob(services, editor, place, { environment: { engine: 'classcad' }, format: '1' });
  const gpu = await queueTestJob(services, editor, place, { environment: ['gpu', 'engine:occt'], format: '2' });
  const plain = await queueTestJob(services, editor, place, { type: 'export', format: '3' });

  expect(await claimAs('w', { environment: { engine: 'occt' }, types: ['convert'] })).toBeNull();
  expect((await claimAs('w', { environment: { engine: 'occt' } }))?.job._id).toBe(plain._id);
  expect((await claimAs('w', { environment: ['linux', 'gpu', 'engine:occt'] }))?.job._id).toBe(gpu._id);
  expect((await claimAs('w'))?.job._id).toBe(classcad._id);
});

test('rejects an empty list of types', async () => {
  const details = { errors: [{ path: '/types', message: 'must contain at least one type, or be omitted' }] };
  await expect(claimAs('w', { types: [] })).rejects.toMatchObject({ code: 'validation_failed', details });
  expect(await claimAs('w', { types: null })).toBeNull();
});

test('notifies a waiting claim of a job queued meanwhile', async () => {
  const place = await createTestDraft(services, editor);
  const result = claimAs('w', { waitSeconds: 20 });
  const job = await queueTestJob(services, editor, place);

  expect((await result)?.job._id).toBe(job._id);
});

test('sends one query for a claim after one that found no job, and finds the next job', async () => {
  const place = await createTestDraft(services, editor);
  const dispatcher = createClaimDispatcher(scope, services.clock);
  const claim = () => claimAs('w', { environment: {} }, requestAs('worker', 'w'), dispatcher);
  expect(await claim()).toBeNull();
  let queries = 0;
  const count = ({ commandName }: CommandStartedEvent) => {
    if (commandName === 'find') queries++;
  };
  services.mongo.client.on('commandStarted', count);
  expect([await claim(), await claim(), queries]).toEqual([null, null, 2]);
  services.mongo.client.off('commandStarted', count);
  const silent = { ...services, dispatch: { ...services.dispatch, notify: () => {} } };
  const job = await queueTestJob(silent, editor, place);
  expect((await claim())?.job._id).toBe(job._id);
});

test('finds a job without a notification while waiting', async () => {
  const place = await createTestDraft(services, editor);
  const silent = { ...services, dispatch: { ...services.dispatch, notify: () => {} } };
  const result = claimAs('w', { waitSeconds: 20 });
  const job = await queueTestJob(silent, editor, place);

  expect((await result)?.job._id).toBe(job._id);
});

test('assigns no job to a disconnected client', async () => {
  const place = await createTestDraft(services, editor);
  const client = new AbortController();
  const result = claimAs('w', { waitSeconds: 20 }, { ...requestAs('worker'), signal: client.signal });
  client.abort();
  expect(await result).toBeNull();

  const job = await queueTestJob(services, editor, place);
  const disconnecting = new AbortController();
  const abortAndReturnTime = () => {
    disconnecting.abort();
    return new Date();
  };
  const abortedDuringClaim = { ...services, clock: abortAndReturnTime };
  const context = {
    ...contextOf({ ...requestAs('worker'), signal: disconnecting.signal }),
    services: abortedDuringClaim,
  };
  expect(await claimJob(context, createClaimDispatcher(scope, services.clock), { workerId: 'w' })).toBeNull();

  const waiting = await get(scope, 'jobs', job._id);
  expect(waiting).toMatchObject({ status: 'waiting', lost: 0, attempt: 1, maxAttempts: 4 });
});

test('ends a waiting claim when the service stops', async () => {
  const dispatch = localDispatch();
  const result = claimJob(
    { ...contextOf(requestAs('worker')), services: { ...services, dispatch } },
    createClaimDispatcher(scope, services.clock),
    {
      workerId: 'w',
      waitSeconds: 50,
    },
  );
  dispatch.close();
  expect(await result).toBeNull();
});

test('rejects waits above 50 seconds and invalid environments', async () => {
  for (const waitSeconds of [51, -1])
    await expect(claimAs('w', { waitSeconds })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(claimAs('w', { environment: 'occt' })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(claimAs('w', { environment: [{ $ne: 1 }] })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(claimAs(' ')).rejects.toMatchObject({ code: 'validation_failed' });
});

test('queues one job per input and supersedes the waiting job of an older input unless a version awaits it', async () => {
  const place = await createTestDraft(services, editor);
  const first = await queueTestJob(services, editor, place);
  expect((await queueTestJob(services, editor, place))._id).toBe(first._id);

  const second = await queueTestJob(services, editor, place, { inputSha256: 'b'.repeat(64) });
  expect(await get(scope, 'jobs', first._id)).toMatchObject({ status: 'cancelled', error: { code: 'superseded' } });

  await collection(scope, 'versions').updateOne({ _id: place.versionId }, { $set: { awaitsJobs: [second._id] } });
  const third = await queueTestJob(services, editor, place, { inputSha256: 'c'.repeat(64) });
  expect(await get(scope, 'jobs', second._id)).toMatchObject({ status: 'waiting' });
  expect(
    (await listJobs(scope, { versionId: place.versionId, statuses: ['waiting'] }, { descending: true, limit: 9 })).map(
      ({ _id }) => _id,
    ),
  ).toEqual([third._id, second._id]);
});

test('queues a new job for the same input when the running one was requested to stop', async () => {
  const place = await createTestDraft(services, editor);
  const first = await queueTestJob(services, editor, place);
  await claimAs('w');
  expect((await queueTestJob(services, editor, place))._id).toBe(first._id);
  await inTransaction(services, editor, cancelJob, { id: first._id });

  expect((await queueTestJob(services, editor, place))._id).not.toBe(first._id);
});

describe('with prefetched jobs', () => {
  const claimNext = async (dispatcher: ReturnType<typeof createClaimDispatcher>) =>
    (await claimAs('w', {}, requestAs('worker', 'w'), dispatcher))?.job._id;

  test('assigns jobs in order, also while another process claims', async () => {
    const queued = await queueExportJobs(services, editor, manyPlaces(10), 60);
    const dispatchers = [createClaimDispatcher(scope, services.clock), createClaimDispatcher(scope, services.clock)];
    const claimed = [];
    for (let n = 0; n < 60; n++) claimed.push(await claimNext(dispatchers[n % 7 === 0 ? 1 : 0]!));
    expect([...claimed].sort()).toEqual([...queued].sort());
    expect(claimed).toEqual(queued);
  });

  test('assigns a job that was given back first', async () => {
    const [first] = await queueExportJobs(services, editor, manyPlaces(10), 30);
    const dispatcher = createClaimDispatcher(scope, services.clock);
    for (let n = 0; n < 4; n++) await claimNext(dispatcher);
    await inTransaction(services, requestAs('worker', 'w'), giveBackJob, { id: first!, attempt: 1 });
    expect(await claimNext(dispatcher)).toBe(first);
  });

  test('skips a job that another process has cancelled', async () => {
    const queued = await queueExportJobs(services, editor, manyPlaces(10), 30);
    const dispatcher = createClaimDispatcher(scope, services.clock);
    for (let n = 0; n < 4; n++) await claimNext(dispatcher);
    // Like a write of another process, which this process does not know of.
    await collection(scope, 'jobs').updateOne(
      { _id: queued[4]! },
      { $set: { status: 'cancelled' }, $inc: { lock: 1 } },
    );
    expect([await claimNext(dispatcher), await claimNext(dispatcher)]).toEqual([queued[5], queued[6]]);
  });
});
