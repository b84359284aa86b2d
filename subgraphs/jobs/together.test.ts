// Claims and completions that share a transaction.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { editor, jobBench } from '../../test/support/job-bench.ts';
import { aJob, exportJobs } from '../../test/support/job-fixture.ts';
import { requestAs } from '../../test/support/store.ts';
import { sharedTurns } from '../core/batching/shared-turns.ts';
import { together } from '../core/batching/together.ts';
import { hear } from '../core/platform/telling.ts';
import { ofChain } from '../core/store/audit/audit.ts';
import { insertLines } from '../core/store/jobs/job-logs.ts';
import { JobsChanged } from '../core/store/jobs/jobs.ts';
import { connectMongo } from '../core/store/mongo.ts';
import { collection } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import { cancelJob } from './cancel-job.ts';
import { claimDesk } from './worker/claim-desk.ts';
import { claimJob } from './worker/claim-job.ts';
import { completions } from './worker/complete-job.ts';
import { takeJobs } from './worker/take-jobs.ts';

const bench = await jobBench();
const { services, scope, state, contextOf } = bench;
beforeEach(() => bench.fresh());
afterAll(() => bench.close());

const requests = ['w0', 'w1', 'w2', 'w3'].map((id) => ({ ...requestAs('worker', id), requestId: `request-of-${id}` }));
const records = async (action: string) =>
  (await ofChain(scope, state.place.documentId, { limit: 50 })).filter((record) => record.action === action);

async function queued(count: number): Promise<JobRecord[]> {
  const jobs = [];
  for (let n = 0; n < count; n++)
    jobs.push(await aJob(services, editor, state.place, { type: 'export', format: `${n}` }));
  return jobs;
}

async function claimedByAll(): Promise<JobRecord[]> {
  const desk = claimDesk(scope, services.clock);
  const answers = await Promise.all(
    requests.map((request) => claimJob(contextOf(request), desk, { workerId: request.actor.id })),
  );
  return answers.map((answer) => answer!.job);
}

test('claims get a job each, and each is recorded as its own worker’s request', async () => {
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

test('jobs of which one has changed since it was seen are handed to nobody; the desk looks again and serves all', async () => {
  const jobs = await queued(5);
  await bench.run(cancelJob, { id: jobs[0]!._id }, editor);
  const matches = jobs.slice(0, 4).map((job, n) => ({ job, by: { request: requests[n]!, workerId: `w${n}` } }));
  await expect(bench.run(takeJobs, matches)).rejects.toBeInstanceOf(JobsChanged);
  expect(await collection(scope, 'jobs').countDocuments({ status: 'running' })).toBe(0);
  expect(await records('job.claimed')).toEqual([]);

  // Between the look of the desk and its transaction, somebody else takes the oldest.
  const [oldest] = await collection(scope, 'jobs').find({ status: 'waiting' }).sort({ seq: 1 }).limit(1).toArray();
  let meddling: Promise<unknown> | null = null;
  const meddle = () =>
    bench.run(takeJobs, [{ job: oldest!, by: { request: requestAs('worker', 'faster'), workerId: 'faster' } }]);
  const afterMeddling = (session: ReturnType<typeof services.mongo.client.startSession>) => {
    const begin = session.withTransaction.bind(session);
    session.withTransaction = async (...given) => {
      meddling ??= meddle();
      await meddling;
      return begin(...given);
    };
    return session;
  };
  const client = new Proxy(services.mongo.client, {
    get: (real, name) => (name === 'startSession' ? () => afterMeddling(real.startSession()) : Reflect.get(real, name)),
  });
  const meddled = { ...services, mongo: { ...services.mongo, client } };
  const desk = claimDesk(scope, services.clock);
  const three = requests.slice(0, 3);
  const claims = three.map((request) =>
    claimJob({ ...contextOf(request), services: meddled }, desk, { workerId: request.actor.id, waitSeconds: 5 }),
  );
  const taken = (await Promise.all(claims)).map((answer) => answer!.job._id);
  await meddling;
  expect([...taken, oldest!._id].sort()).toEqual(
    jobs
      .slice(1)
      .map(({ _id }) => _id)
      .sort(),
  );
});

test('completions are decided each by itself: what is refused to one does not touch the others', async () => {
  await queued(4);
  const claimed = await claimedByAll();
  const [one, two, three, four] = claimed as [JobRecord, JobRecord, JobRecord, JobRecord];
  const completing = together(completions);
  const said = (n: number, id: string) => completing(services, requests[n]!, { id, attempt: 1, log: [`by w${n}`] });
  // The first is alone in its transaction; those behind it share the next.
  const outcomes = await Promise.allSettled([
    said(0, one._id),
    said(1, two._id),
    said(0, three._id),
    said(1, two._id),
    said(2, 'job_unknown'),
    said(3, four._id),
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
  together(completions)(services, requests[n]!, { id: _id, attempt, ...(log ? { log } : {}) });

test('a job that was handed out a moment ago and has been written elsewhere since is completed as it is there', async () => {
  await queued(1);
  const job = await bench.claimed(requests[0]);
  // as another process does it, of which this one hears nothing
  await insertLines(scope, job._id, 0, ['from elsewhere'], new Date(state.now));
  await collection(scope, 'jobs').updateOne({ _id: job._id }, { $inc: { lock: 1, logLines: 1, logSize: 14 } });

  expect(await completeOnce(0, job, ['the end'])).toMatchObject({ status: 'done', logLines: 2 });
  expect(await bench.lines(job._id)).toEqual(['from elsewhere', 'the end']);
  expect(await records('job.completed')).toHaveLength(1);
});

test('a job that was handed out a moment ago and taken away elsewhere since is not completed', async () => {
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

test('a claim and its end, when nothing else is under way, are five commands', async () => {
  const listening = await connectMongo(bench.uri, { name: services.mongo.db.databaseName, monitorCommands: true });
  const beside = { ...services, mongo: listening };
  await queued(2);
  const desk = claimDesk({ db: listening.db }, services.clock);
  const workOnce = async () => {
    const claimed = await claimJob({ ...contextOf(requests[0]), services: beside }, desk, { workerId: 'w0' });
    await together(completions)(beside, requests[0]!, { id: claimed!.job._id, attempt: 1 });
  };
  await workOnce();
  const commands: string[] = [];
  listening.client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  await workOnce();
  await listening.close();
  expect(commands.filter((name) => name !== 'endSessions')).toEqual(
    listening.oneWord
      ? ['find', 'bulkWrite', 'commitTransaction', 'bulkWrite', 'commitTransaction']
      : expect.arrayContaining(['find', 'update', 'insert', 'commitTransaction']),
  );
});

describe('a claim and a completion that arrive at once', () => {
  const process = () => {
    const turns = sharedTurns();
    return { desk: claimDesk(scope, services.clock, turns), completing: together(completions, turns) };
  };
  const claimOf = async (desk: ReturnType<typeof claimDesk>, n: number) =>
    (await claimJob(contextOf(requests[n]), desk, { workerId: `w${n}` }))!.job;
  test('are one transaction, each recorded as its own request', async () => {
    const jobs = await queued(2);
    const { desk, completing } = process();
    const first = await claimOf(desk, 0);
    const [done, second] = await Promise.all([
      completing(services, requests[0]!, { id: first._id, attempt: 1 }),
      claimOf(desk, 1),
    ]);
    expect([done.status, second._id]).toEqual(['done', jobs[1]!._id]);
    const written = (await ofChain(scope, state.place.documentId, { limit: 2 })).reverse();
    expect(written.map(({ action, requestId }) => [action, requestId])).toEqual([
      ['job.completed', 'request-of-w0'],
      ['job.claimed', 'request-of-w1'],
    ]);
  });

  test('do not touch each other’s fate: what fails for one is done again without it', async () => {
    const jobs = await queued(30);
    const { desk, completing } = process();
    // the second look is one ahead, as the first has shown that there are more
    const [one] = [await claimOf(desk, 0), await claimOf(desk, 1)];
    // by another process, of which this one hears nothing
    await collection(scope, 'jobs').updateOne(
      { _id: jobs[2]!._id },
      { $set: { status: 'cancelled' }, $inc: { lock: 1 } },
    );

    const [done, next, refused] = await Promise.allSettled([
      completing(services, requests[0]!, { id: one!._id, attempt: 1 }),
      claimOf(desk, 2),
      completing(services, requests[3]!, { id: jobs[1]!._id, attempt: 1 }),
    ]);
    expect(done).toMatchObject({ status: 'fulfilled', value: { status: 'done' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: { _id: jobs[3]!._id } });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'not_your_job' } });
    expect(await records('job.completed')).toHaveLength(1);
    expect(await records('job.claimed')).toHaveLength(3);
  });
});

test('twenty workers beside each other: each job is done once, each worker is handed older jobs first, no transaction is in the way of another, and no chain has a gap', async () => {
  const documents = [
    'doc_many_0',
    'doc_many_1',
    'doc_many_2',
    'doc_many_3',
    'doc_many_4',
    ...Array.from({ length: 35 }, (_, n) => `doc_few_${n}`),
  ];
  await exportJobs(
    services,
    editor,
    documents.map((documentId) => ({ documentId, versionId: `ver_of_${documentId}` })),
    160,
  );
  const runs: number[] = [];
  const forget = hear({ command: (told) => runs.push(told.runs), sweep: () => {}, ring: () => {} });
  const turns = sharedTurns();
  const desk = claimDesk(scope, services.clock, turns);
  const completing = together(completions, turns);
  const worker = async (id: string): Promise<JobRecord[]> => {
    const request = requestAs('worker', id);
    const claim = async () => (await claimJob(contextOf(request), desk, { workerId: id }))?.job;
    const jobs: JobRecord[] = [];
    for (let job = await claim(); job; ) {
      jobs.push(job);
      [job] = await Promise.all([claim(), completing(services, request, { id: job._id, attempt: job.attempt })]);
    }
    return jobs;
  };
  const done = await Promise.all(Array.from({ length: 20 }, (_, n) => worker(`busy${n}`)));
  forget();

  expect(await collection(scope, 'jobs').countDocuments({ status: 'done' })).toBe(160);
  expect(new Set(done.flat().map(({ _id }) => _id)).size).toBe(160);
  expect(done.flat()).toHaveLength(160);
  for (const jobs of done) expect(jobs).toEqual(jobs.toSorted((a, b) => a.seq - b.seq));
  expect(new Set(runs)).toEqual(new Set([1]));
  for (const chain of documents) {
    const records = await ofChain(scope, chain, { limit: 100, descending: false });
    expect(records.map(({ chainSeq }) => chainSeq)).toEqual(records.map((_, n) => n + 1));
    expect(records.slice(1).map(({ prevHash }) => prevHash)).toEqual(records.slice(0, -1).map(({ hash }) => hash));
  }
});
