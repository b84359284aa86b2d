// Claims and completions that share a transaction.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { editor, jobBench } from '../../test/support/job-bench.ts';
import { queueExportJobs, queueTestJob } from '../../test/support/job-fixture.ts';
import { requestAs } from '../../test/support/store.ts';
import { batched } from '../core/batching/batched.ts';
import { createTransactionBatcher } from '../core/batching/transaction-batcher.ts';
import { subscribe } from '../core/platform/instrumentation.ts';
import { listChain } from '../core/store/audit/list-audit.ts';
import { insertLines } from '../core/store/jobs/job-logs.ts';
import { JobsChanged } from '../core/store/jobs/jobs.ts';
import { connectMongo } from '../core/store/mongo.ts';
import { collection } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import { cancelJob } from './cancel-job.ts';
import { assignJobs } from './worker/assign-jobs.ts';
import { createClaimDispatcher } from './worker/claim-dispatcher.ts';
import { claimJob } from './worker/claim-job.ts';
import { batchedCompletion } from './worker/complete-job.ts';

const bench = await jobBench();
const { services, scope, state, contextOf } = bench;
beforeEach(() => bench.fresh());
afterAll(() => bench.close());

const requests = ['w0', 'w1', 'w2', 'w3'].map((id) => ({ ...requestAs('worker', id), requestId: `request-of-${id}` }));
const records = async (action: string) =>
  (await listChain(scope, state.place.documentId, { limit: 50 })).filter((record) => record.action === action);

async function queued(count: number): Promise<JobRecord[]> {
  const jobs = [];
  for (let n = 0; n < count; n++)
    jobs.push(await queueTestJob(services, editor, state.place, { type: 'export', format: `${n}` }));
  return jobs;
}

async function claimedByAll(): Promise<JobRecord[]> {
  const dispatcher = createClaimDispatcher(scope, services.clock);
  const results = await Promise.all(
    requests.map((request) => claimJob(contextOf(request), dispatcher, { workerId: request.actor.id })),
  );
  return results.map((result) => result!.job);
}

test('assigns one job to each concurrent claim and audits it for its own request', async () => {
  const jobs = await queued(4);
  const claimed = await claimedByAll();
  expect(claimed.map(({ _id }) => _id)).toEqual(jobs.map(({ _id }) => _id));
  expect(claimed.map(({ tokenId, workerId }) => [tokenId, workerId])).toEqual(
    requests.map(({ actor }) => [actor.tokenId, actor.id]),
  );
  for (const [n, record] of (await records('job.claimed')).reverse().entries())
    expect(record).toMatchObject({ jobId: jobs[n]!._id, by: { id: `w${n}` }, requestId: `request-of-w${n}` });
  expect(await collection(scope, 'jobs').find({ status: 'running' }).toArray()).toEqual(claimed);
});

test('assigns no job of a batch if one has changed, then queries again and serves all claims', async () => {
  const jobs = await queued(5);
  await bench.run(cancelJob, { id: jobs[0]!._id }, editor);
  const matches = jobs
    .slice(0, 4)
    .map((job, n) => ({ job, claimant: { request: requests[n]!, workerId: `w${n}`, leaseSeconds: 60 } }));
  await expect(bench.run(assignJobs, matches)).rejects.toBeInstanceOf(JobsChanged);
  expect(await collection(scope, 'jobs').countDocuments({ status: 'running' })).toBe(0);
  expect(await records('job.claimed')).toEqual([]);

  // Between the query of the dispatcher and its transaction, another claim takes the oldest job.
  const [oldest] = await collection(scope, 'jobs').find({ status: 'waiting' }).sort({ seq: 1 }).limit(1).toArray();
  let otherClaim: Promise<unknown> | null = null;
  const claimOldest = () =>
    bench.run(assignJobs, [
      { job: oldest!, claimant: { request: requestAs('worker', 'faster'), workerId: 'faster', leaseSeconds: 60 } },
    ]);
  const afterOtherClaim = (session: ReturnType<typeof services.mongo.client.startSession>) => {
    const begin = session.withTransaction.bind(session);
    session.withTransaction = async (...args) => {
      otherClaim ??= claimOldest();
      await otherClaim;
      return begin(...args);
    };
    return session;
  };
  const client = new Proxy(services.mongo.client, {
    get: (real, name) =>
      name === 'startSession' ? () => afterOtherClaim(real.startSession()) : Reflect.get(real, name),
  });
  const raced = { ...services, mongo: { ...services.mongo, client } };
  const dispatcher = createClaimDispatcher(scope, services.clock);
  const three = requests.slice(0, 3);
  const claims = three.map((request) =>
    claimJob({ ...contextOf(request), services: raced }, dispatcher, { workerId: request.actor.id, waitSeconds: 5 }),
  );
  const taken = (await Promise.all(claims)).map((result) => result!.job._id);
  await otherClaim;
  expect([...taken, oldest!._id].sort()).toEqual(
    jobs
      .slice(1)
      .map(({ _id }) => _id)
      .sort(),
  );
});

test('decides each completion of a batch by itself', async () => {
  await queued(4);
  const claimed = await claimedByAll();
  const [one, two, three, four] = claimed as [JobRecord, JobRecord, JobRecord, JobRecord];
  const complete = batched(batchedCompletion);
  const completeAs = (n: number, id: string) => complete(services, requests[n]!, { id, attempt: 1, log: [`by w${n}`] });
  // The first is alone in its transaction; those behind it share the next.
  const outcomes = await Promise.allSettled([
    completeAs(0, one._id),
    completeAs(1, two._id),
    completeAs(0, three._id),
    completeAs(1, two._id),
    completeAs(2, 'job_unknown'),
    completeAs(3, four._id),
  ]);

  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.status : outcome.reason.code)),
  ).toEqual([...['done', 'done', 'not_your_job', 'done', 'not_found', 'done']]);
  expect((await bench.job(three._id)).status).toBe('running');
  expect(await bench.lines(two._id)).toEqual(['by w1']);
  const done = (await records('job.completed')).reverse();
  expect(done.map(({ jobId, by, requestId }) => [jobId, by.id, requestId])).toEqual([
    [one._id, 'w0', 'request-of-w0'],
    [two._id, 'w1', 'request-of-w1'],
    [four._id, 'w3', 'request-of-w3'],
  ]);
  const stored = await collection(scope, 'jobs').findOne({ _id: two._id });
  expect((outcomes[1] as PromiseFulfilledResult<JobRecord>).value).toEqual(stored);
});

const completeOnce = (n: number, { _id, attempt }: JobRecord, log?: string[]) =>
  batched(batchedCompletion)(services, requests[n]!, { id: _id, attempt, ...(log ? { log } : {}) });

test('completes a cached job that another process has changed since', async () => {
  await queued(1);
  const job = await bench.claimed(requests[0]);
  // Like a write of another process, which this process does not know of.
  await insertLines(scope, job._id, 0, ['from elsewhere'], new Date(state.now));
  await collection(scope, 'jobs').updateOne({ _id: job._id }, { $inc: { lock: 1, logLines: 1, logSize: 14 } });

  expect(await completeOnce(0, job, ['the end'])).toMatchObject({ status: 'done', logLines: 2 });
  expect(await bench.lines(job._id)).toEqual(['from elsewhere', 'the end']);
  expect(await records('job.completed')).toHaveLength(1);
});

test('does not complete a cached job that another process has requeued or cancelled since', async () => {
  await queued(2);
  const [lost, cancelled] = [await bench.claimed(requests[0]), await bench.claimed(requests[1])] as const;
  await collection(scope, 'jobs').updateOne(
    { _id: lost._id },
    { $set: { status: 'waiting', tokenId: null, earlierTokenIds: ['tok_w0'] }, $inc: { lock: 1 } },
  );
  await collection(scope, 'jobs').updateOne(
    { _id: cancelled._id },
    { $set: { status: 'cancelled', endedAttempt: 1 }, $inc: { lock: 1 } },
  );

  await expect(completeOnce(0, lost)).rejects.toMatchObject({ code: 'lease_lost' });
  await expect(completeOnce(1, cancelled)).rejects.toMatchObject({ code: expect.any(String) });
  expect((await bench.job(lost._id)).status).toBe('waiting');
  expect((await bench.job(cancelled._id)).status).toBe('cancelled');
  expect(await records('job.completed')).toEqual([]);
});

test('sends five commands for a claim and its completion', async () => {
  const listening = await connectMongo(bench.uri, { name: services.mongo.db.databaseName, monitorCommands: true });
  const monitored = { ...services, mongo: listening };
  await queued(2);
  const dispatcher = createClaimDispatcher({ db: listening.db }, services.clock);
  const workOnce = async () => {
    const claimed = await claimJob({ ...contextOf(requests[0]), services: monitored }, dispatcher, { workerId: 'w0' });
    await batched(batchedCompletion)(monitored, requests[0]!, { id: claimed!.job._id, attempt: 1 });
  };
  await workOnce();
  const commands: string[] = [];
  listening.client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  await workOnce();
  await listening.close();
  expect(commands.filter((name) => name !== 'endSessions')).toEqual(
    listening.supportsClientBulkWrite
      ? ['find', 'bulkWrite', 'commitTransaction', 'bulkWrite', 'commitTransaction']
      : expect.arrayContaining(['find', 'update', 'insert', 'commitTransaction']),
  );
});

describe('a concurrent claim and completion', () => {
  const process = () => {
    const batcher = createTransactionBatcher();
    return {
      dispatcher: createClaimDispatcher(scope, services.clock, batcher),
      complete: batched(batchedCompletion, batcher),
    };
  };
  const claimOf = async (dispatcher: ReturnType<typeof createClaimDispatcher>, n: number) =>
    (await claimJob(contextOf(requests[n]), dispatcher, { workerId: `w${n}` }))!.job;
  test('share a transaction and are audited for their own requests', async () => {
    const jobs = await queued(2);
    const { dispatcher, complete } = process();
    const first = await claimOf(dispatcher, 0);
    const [done, second] = await Promise.all([
      complete(services, requests[0]!, { id: first._id, attempt: 1 }),
      claimOf(dispatcher, 1),
    ]);
    expect([done.status, second._id]).toEqual(['done', jobs[1]!._id]);
    const written = (await listChain(scope, state.place.documentId, { limit: 2 })).reverse();
    expect(written.map(({ action, requestId }) => [action, requestId])).toEqual([
      ['job.completed', 'request-of-w0'],
      ['job.claimed', 'request-of-w1'],
    ]);
  });

  test('succeed or fail independently', async () => {
    const jobs = await queued(30);
    const { dispatcher, complete } = process();
    // The second query reads ahead, because the first has shown that there are more jobs.
    const [one] = [await claimOf(dispatcher, 0), await claimOf(dispatcher, 1)];
    // Like a write of another process, which this process does not know of.
    await collection(scope, 'jobs').updateOne(
      { _id: jobs[2]!._id },
      { $set: { status: 'cancelled' }, $inc: { lock: 1 } },
    );

    const [done, next, refused] = await Promise.allSettled([
      complete(services, requests[0]!, { id: one!._id, attempt: 1 }),
      claimOf(dispatcher, 2),
      complete(services, requests[3]!, { id: jobs[1]!._id, attempt: 1 }),
    ]);
    expect(done).toMatchObject({ status: 'fulfilled', value: { status: 'done' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: { _id: jobs[3]!._id } });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'not_your_job' } });
    expect(await records('job.completed')).toHaveLength(1);
    expect(await records('job.claimed')).toHaveLength(3);
  });
});

test('completes each job once, in order and without conflicts, with twenty concurrent workers', async () => {
  const documents = [
    'doc_many_0',
    'doc_many_1',
    'doc_many_2',
    'doc_many_3',
    'doc_many_4',
    ...Array.from({ length: 35 }, (_, n) => `doc_few_${n}`),
  ];
  await queueExportJobs(
    services,
    editor,
    documents.map((documentId) => ({ documentId, versionId: `ver_of_${documentId}` })),
    160,
  );
  const runs: number[] = [];
  const unsubscribe = subscribe({ command: (event) => runs.push(event.runs), sweep: () => {}, notification: () => {} });
  const batcher = createTransactionBatcher();
  const dispatcher = createClaimDispatcher(scope, services.clock, batcher);
  const complete = batched(batchedCompletion, batcher);
  const worker = async (id: string): Promise<JobRecord[]> => {
    const request = requestAs('worker', id);
    const claim = async () => (await claimJob(contextOf(request), dispatcher, { workerId: id }))?.job;
    const jobs: JobRecord[] = [];
    for (let job = await claim(); job; ) {
      jobs.push(job);
      [job] = await Promise.all([claim(), complete(services, request, { id: job._id, attempt: job.attempt })]);
    }
    return jobs;
  };
  const done = await Promise.all(Array.from({ length: 20 }, (_, n) => worker(`busy${n}`)));
  unsubscribe();

  expect(await collection(scope, 'jobs').countDocuments({ status: 'done' })).toBe(160);
  expect(new Set(done.flat().map(({ _id }) => _id)).size).toBe(160);
  expect(done.flat()).toHaveLength(160);
  for (const jobs of done) expect(jobs).toEqual(jobs.toSorted((a, b) => a.seq - b.seq));
  expect(new Set(runs)).toEqual(new Set([1]));
  for (const chain of documents) {
    const records = await listChain(scope, chain, { limit: 100, descending: false });
    expect(records.map(({ chainSeq }) => chainSeq)).toEqual(records.map((_, n) => n + 1));
    expect(records.slice(1).map(({ prevHash }) => prevHash)).toEqual(records.slice(0, -1).map(({ hash }) => hash));
  }
});
