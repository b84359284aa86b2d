// The commands of workers on the jobs they hold.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { editor, jobBench, LEASE, other, worker } from '../../test/support/job-bench.ts';
import { queueTestJob } from '../../test/support/job-fixture.ts';
import { requireHeldJob } from '../core/store/jobs/jobs.ts';
import { find, get } from '../core/store/query/records.ts';
import { collection } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Command } from '../core/work.ts';
import { cancelJob } from './cancel-job.ts';
import { readJobLog } from './read-job-log.ts';
import { retryJob } from './retry-job.ts';
import { completeJob } from './worker/complete-job.ts';
import { expireJob } from './worker/expire-job.ts';
import { failJob } from './worker/fail-job.ts';
import { giveBackJob } from './worker/give-back-job.ts';
import { heartbeatJob } from './worker/heartbeat-job.ts';
import { jobContext } from './worker/job-context.ts';

const bench = await jobBench();
const { services, scope, state, run, contextOf, claimed, running, leaseRunsOut, job, lines, actions } = bench;

beforeEach(() => bench.fresh());
afterAll(() => bench.close());

describe('complete', () => {
  test('completes the job once and returns the same when repeated with the same attempt', async () => {
    const { _id: id } = await running();
    const done = await run(completeJob, { id, attempt: 1, log: ['18 solids', 'all well'] });
    const again = await run(completeJob, { id, attempt: 1, log: ['18 solids', 'all well'] });

    expect(done).toMatchObject({
      status: 'done',
      endedAttempt: 1,
      leaseExpiresAt: null,
      finishedAt: new Date(state.now),
    });
    expect(again).toEqual(done);
    expect(await lines(id)).toEqual(['18 solids', 'all well']);
    expect(await actions()).toEqual(['document.created', 'artifact.uploaded', 'job.claimed', 'job.completed']);
  });

  test('has one effect when sent many times concurrently', async () => {
    const { _id: id } = await running();
    const results = await Promise.all(
      Array.from({ length: 8 }, () => run(completeJob, { id, attempt: 1, log: ['once'] })),
    );

    expect(results.map(({ status }) => status)).toEqual(Array(8).fill('done'));
    expect(await lines(id)).toEqual(['once']);
    expect((await actions()).filter((action) => action === 'job.completed')).toHaveLength(1);
  });

  test('is rejected for jobs of other workers and unknown jobs', async () => {
    const { _id: id } = await running();
    await expect(run(completeJob, { id, attempt: 1 }, other)).rejects.toMatchObject({ code: 'not_your_job' });
    await expect(run(completeJob, { id: 'job_unknown' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('accepts clients that send neither attempt nor workerId', async () => {
    const { _id: id } = await running();
    await heartbeatJob(contextOf(), { id });
    expect(await run(completeJob, { id })).toMatchObject({ status: 'done' });
    expect(await run(completeJob, { id })).toMatchObject({ status: 'done' });
  });
});

describe('fail and retry', () => {
  test('keeps the error and log of a failed job, which can be retried and completed', async () => {
    const { _id: id } = await running();
    const failed = await run(failJob, {
      id,
      attempt: 1,
      error: { code: 'not_step', message: 'not a STEP file' },
      final: true,
      log: ['reading'],
    });
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'not_step', message: 'not a STEP file', final: true },
    });
    expect(await run(failJob, { id, attempt: 1, error: { message: 'other' } })).toEqual(failed);
    await expect(run(completeJob, { id, attempt: 1 })).rejects.toMatchObject({ code: 'lease_lost' });

    await run(retryJob, { id }, editor);
    await expect(run(retryJob, { id }, editor)).rejects.toMatchObject({ code: 'job_not_failed' });
    expect(await job(id)).toMatchObject({ status: 'waiting', attempt: 1, maxAttempts: 4, error: null });
    const second = await claimed();
    expect(second).toMatchObject({ _id: id, attempt: 2 });
    await run(completeJob, { id });
    expect(await lines(id)).toEqual(['reading', 'not_step: not a STEP file', 'A user retried the job.']);
    expect((await actions()).slice(2)).toEqual([
      'job.claimed',
      'job.failed',
      'job.retried',
      'job.claimed',
      'job.completed',
    ]);
  });

  test('queues a job again after a retryable failure and fails it on the third attempt', async () => {
    const { _id: id } = await running();
    const crash = { id, error: { code: 'engine_crashed', message: 'the engine ended' }, retryable: true };
    expect(await run(failJob, { ...crash, attempt: 1 })).toMatchObject({
      status: 'waiting',
      lost: 1,
      availableAt: new Date(state.now + 1000),
    });
    await expect(claimed()).rejects.toThrow('nothing to claim');
    state.now += 1000;
    await claimed();
    await run(failJob, { ...crash, attempt: 2 });
    state.now += 2000;
    await claimed();
    expect(await run(failJob, { ...crash, attempt: 3 })).toMatchObject({
      status: 'failed',
      error: { code: 'engine_crashed' },
    });
  });

  test('does not retry a job of an archived document', async () => {
    const { _id: id } = await running();
    await run(failJob, { id, error: { message: 'no' } });
    await collection(scope, 'documents').updateOne({ _id: state.place.documentId }, { $set: { archived: true } });
    await expect(run(retryJob, { id }, editor)).rejects.toMatchObject({ code: 'document_archived' });
  });
});

describe('cancel', () => {
  test('cancels a waiting job immediately', async () => {
    const { _id: id } = await queueTestJob(services, editor, state.place);
    expect(await run(cancelJob, { id }, editor)).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
    await expect(run(cancelJob, { id }, editor)).rejects.toMatchObject({ code: 'job_not_cancellable' });
    await expect(claimed()).rejects.toThrow('nothing to claim');
  });

  test('requests the worker of a running job to stop', async () => {
    const { _id: id } = await running();
    expect(await heartbeatJob(contextOf(), { id, attempt: 1 })).toMatchObject({ cancelRequested: false });
    await run(cancelJob, { id }, editor);
    await run(cancelJob, { id }, editor);
    expect(await heartbeatJob(contextOf(), { id, attempt: 1 })).toMatchObject({ cancelRequested: true });
    expect(await run(failJob, { id, attempt: 1, error: { code: 'cancelled', message: 'stopped' } })).toMatchObject({
      status: 'cancelled',
    });
    expect((await actions()).slice(3)).toEqual(['job.cancel_requested', 'job.cancelled']);
  });

  test('cancels a running job when its worker disappears after the request', async () => {
    const { _id: id } = await running();
    await run(cancelJob, { id }, editor);
    expect(await leaseRunsOut(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('heartbeat', () => {
  test('renews the lease and stores progress and log lines without an audit record', async () => {
    const { _id: id } = await running();
    state.now += 20_000;
    const result = await heartbeatJob(contextOf(), {
      id,
      attempt: 1,
      percent: 50,
      step: 'measured',
      log: ['18 solids'],
    });

    expect(result).toEqual({ leaseExpiresAt: new Date(state.now + LEASE), cancelRequested: false });
    expect(await job(id)).toMatchObject({
      leaseExpiresAt: new Date(state.now + LEASE),
      progress: { percent: 50, step: 'measured' },
      logLines: 1,
    });
    expect(await lines(id)).toEqual(['18 solids']);
    expect((await actions()).at(-1)).toBe('job.claimed');
    await heartbeatJob(contextOf(), { id, attempt: 1, percent: 60 });
    expect((await job(id)).progress).toEqual({ percent: 60, step: 'measured' });
    await heartbeatJob(contextOf(), { id, attempt: 1, step: 'drawn' });
    expect((await job(id)).progress).toEqual({ percent: 60, step: 'drawn' });
  });

  test('accepts concurrent heartbeats', async () => {
    const { _id: id } = await running();
    const beats = Array.from({ length: 12 }, (_, n) =>
      heartbeatJob(contextOf(), { id, attempt: 1, log: [`line ${n}`] }),
    );
    expect((await Promise.all(beats)).every(({ cancelRequested }) => !cancelRequested)).toBe(true);
    expect(await lines(id)).toHaveLength(12);
  });

  test('rejects invalid percentages and jobs of other workers', async () => {
    const { _id: id } = await running();
    for (const percent of [100, 0]) await heartbeatJob(contextOf(), { id, percent });
    for (const percent of [101, -1])
      await expect(heartbeatJob(contextOf(), { id, percent })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(heartbeatJob(contextOf(other), { id, attempt: 1 })).rejects.toMatchObject({ code: 'not_your_job' });
  });
});

describe('give back', () => {
  test('returns the job to its place in the queue', async () => {
    const { _id: id } = await running();
    const later = await queueTestJob(services, editor, state.place, { type: 'export' });
    await run(giveBackJob, { id, attempt: 1 });
    expect(await run(giveBackJob, { id, attempt: 1 })).toMatchObject({
      status: 'waiting',
      lost: 0,
      attempt: 1,
      maxAttempts: 4,
    });
    expect((await claimed(other))._id).toBe(id);
    expect((await claimed(other))._id).toBe(later._id);
  });
});

test.each([
  [
    'fails with a retryable error',
    (id: string) =>
      run(failJob, { id, error: { code: 'engine_crashed', message: 'the engine ended' }, retryable: true }),
  ],
  ['is given back', (id: string) => run(giveBackJob, { id })],
  ['loses its worker', (id: string) => leaseRunsOut(id)],
  [
    'is retried',
    async (id: string) => {
      await run(failJob, { id, error: { message: 'not a STEP file' } });
      await run(retryJob, { id }, editor);
    },
  ],
])('notifies waiting claims when a job %s', async (_event, requeue) => {
  const { _id: id } = await running();
  const keys: (string | null)[] = [];
  const stop = services.dispatch.listen((topic, key) => topic === 'convert' && keys.push(key));
  await requeue(id);
  stop();
  expect(keys).toEqual([`${id}:1`]);
});

test('stops reading a log when the client disconnects and ignores unknown jobs', async () => {
  const { _id: id } = await running();
  const client = new AbortController();
  const reading = readJobLog(contextOf({ ...worker, signal: client.signal }), { id, waitSeconds: 20 });
  const startedAt = performance.now();
  client.abort();
  expect(await reading).toEqual({ lines: [], nextIndex: 0, finalStatus: null });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(await readJobLog(contextOf(), { id: 'job_gone', waitSeconds: 20 })).toBeNull();
  expect(await run(expireJob, { id: 'job_gone' })).toBeNull();
});

describe('the holder of a job', () => {
  const held = (input: Parameters<typeof requireHeldJob>[1], request = worker) =>
    run(requireHeldJobAlone, input, request);

  test('is identified by its token for the draft or job', async () => {
    const { _id: id } = await running();
    expect((await held({ versionId: state.place.versionId, attempt: 1 }))._id).toBe(id);
    expect((await held({ versionId: state.place.versionId }))._id).toBe(id);
    expect((await held({ jobId: id }))._id).toBe(id);
    await expect(held({ versionId: state.place.versionId, attempt: 1 }, other)).rejects.toMatchObject({
      code: 'not_your_job',
    });
    await leaseRunsOut(id);
    await expect(held({ versionId: state.place.versionId, attempt: 1 })).rejects.toMatchObject({ code: 'lease_lost' });
  });

  test('selects among several jobs of a draft by input hash', async () => {
    await running();
    await queueTestJob(services, editor, state.place, { type: 'export', inputSha256: 'e'.repeat(64) });
    const second = await claimed();
    expect((await held({ versionId: state.place.versionId, inputSha256: 'e'.repeat(64) }))._id).toBe(second._id);
  });

  test('reads the document, version and input files of its job; others cannot', async () => {
    const { _id: id, inputSha256 } = await running();
    await storeFile('source', inputSha256 ?? '');
    await storeFile('thumbnail', 'f'.repeat(64));

    expect(await jobContext(contextOf(), { id })).toMatchObject({
      job: { _id: id },
      document: { _id: state.place.documentId },
      version: { _id: state.place.versionId, type: 'draft' },
      files: [{ kind: 'source', sha256: inputSha256 }],
    });
    await expect(jobContext(contextOf(other), { id })).rejects.toMatchObject({ code: 'not_your_job' });
    expect(await jobContext(contextOf(), { id: 'job_unknown' })).toBeNull();
  });

  test('reads the files of a version that awaits the job when the draft has changed, or gets stale_input', async () => {
    const { _id: id, inputSha256 } = await running();
    await storeFile('source', 'b'.repeat(64));
    await expect(jobContext(contextOf(), { id })).rejects.toMatchObject({ code: 'stale_input' });

    const version = await get(scope, 'versions', state.place.versionId);
    await collection(scope, 'versions').insertOne({
      ...version,
      _id: 'ver_frozen',
      type: 'version',
      n: 1,
      awaitsJobs: [id],
    });
    await storeFile('source', inputSha256 ?? '', 'ver_frozen');
    expect((await jobContext(contextOf(), { id }))?.files).toMatchObject([
      { versionId: 'ver_frozen', sha256: inputSha256 },
    ]);
    await collection(scope, 'versions').deleteOne({ _id: 'ver_frozen' });
  });
});

const requireHeldJobAlone: Command<Parameters<typeof requireHeldJob>[1], JobRecord> = async (work, input) => {
  work.unchanged();
  return requireHeldJob(work, input);
};

let files = 0;
async function storeFile(kind: string, sha256: string, versionId = state.place.versionId): Promise<void> {
  expect(await find(scope, 'documents', state.place.documentId)).not.toBeNull();
  files += 1;
  await collection(scope, 'artifacts').insertOne({
    _id: `art_${files}`,
    documentId: state.place.documentId,
    versionId,
    kind,
    sha256,
    fileName: 'a.step',
    contentType: 'model/step',
    size: 1,
    generator: null,
    inputSha256: null,
    jobId: null,
    stale: false,
    createdAt: new Date(state.now),
    createdBy: 'usr_editor',
  });
}
