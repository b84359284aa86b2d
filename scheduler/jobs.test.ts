// The life cycle of a single job in the scheduler.
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultResult } from './engines/fake-engine.ts';
import { createTestScheduler, rejectOnAbort, STEP, type TestScheduler } from './testing/test-scheduler.ts';

let scheduler: TestScheduler;
let api: TestScheduler['api'];
let start: TestScheduler['start'];
beforeEach(() => setUp());
afterEach(() => scheduler.close());

async function setUp(options: Parameters<typeof createTestScheduler>[0] = {}): Promise<void> {
  scheduler = await createTestScheduler(options);
  ({ api, start } = scheduler);
}

const requestsFor = (action: string) => api.requests.filter((request) => request.action === action);

test('downloads the source, uploads the results with the attempt and completes the job', async () => {
  const job = api.queue(STEP);
  await start();

  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('done');
  expect(api.uploads.map(({ kind }) => kind)).toEqual(['stp', 'glb', 'properties', 'thumbnail']);
  expect(api.uploads[0]?.content).toBe(STEP);
  const { headers } = api.uploads[1]!;
  expect(headers).toMatchObject({
    'x-generator': 'pdm-fake/1.0.0',
    'x-job-attempt': '1',
    'x-input-sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(Buffer.from(String(headers['x-file-name']), 'latin1').toString('utf8')).toBe('Träger.glb');
  expect(requestsFor('complete')[0]?.body).toMatchObject({ attempt: 1, workerId: expect.any(String) });
});

test('sends log lines and progress while the engine runs', async () => {
  const job = api.queue(STEP);
  const heartbeat = Promise.withResolvers<void>();
  await start({
    respond: async (task, on) => {
      on.log('three faces are missing');
      on.progress(20, 'read');
      await heartbeat.promise;
      return defaultResult(task, on);
    },
  });
  api.intercept((action) => {
    if (action === 'heartbeat') heartbeat.resolve();
    return null;
  });

  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('done');
  expect(requestsFor('heartbeat')[0]?.body).toMatchObject({ attempt: 1, percent: 20, step: 'read' });
  const lines = api.requests.flatMap(({ body }) => body.log ?? []);
  expect(lines).toContain('three faces are missing');
  expect(lines.filter((line) => line === 'three faces are missing')).toHaveLength(1);
});

test('deletes the folder of a job when it has ended', async () => {
  const job = api.queue(STEP);
  const { stop } = await start();
  await api.waitForStatus(job, 'done');
  const next = api.queue(STEP);
  await api.waitForStatus(next, 'done');
  expect(readdirSync(scheduler.workDir).filter((name) => name.startsWith(job.id))).toEqual([]);
  await stop();
});

test('fails the job with the final error of the engine', async () => {
  const job = api.queue('not a STEP file');
  await start();

  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('failed');
  expect(job.error).toMatchObject({ code: 'not_step', final: true, retryable: false });
  expect(api.uploads).toEqual([]);
});

test('retries a job after a crash of the engine', async () => {
  const job = api.queue(STEP);
  await start({
    respond: (task, on, call) =>
      call < 3
        ? { error: { code: 'engine_crashed', message: 'the engine process ended', final: false } }
        : defaultResult(task, on),
  });

  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('done');
  expect(job).toMatchObject({ attempt: 3, failedAttempts: 2 });
});

test('never passes an input with a wrong SHA-256 to the engine', async () => {
  const job = api.queue(STEP);
  api.corruptDownloads();
  const { engine } = await start();

  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('failed');
  expect(job).toMatchObject({ attempt: 3, error: { code: 'bad_download', retryable: true } });
  expect(engine.jobs).toEqual([]);
});

test('stops a cancelled job and reports it as cancelled', async () => {
  const job = api.queue(STEP);
  await start({
    respond: (_task, on) => {
      api.requestCancel(job);
      on.progress(5, 'kernel');
      return rejectOnAbort(on);
    },
  });

  expect(await api.waitForStatus(job, 'cancelled', 'done', 'failed')).toBe('cancelled');
  expect(requestsFor('fail')[0]?.body).toMatchObject({ attempt: 1, error: { code: 'cancelled' } });
});

test('stops the engine and reports nothing more about a job whose lease is lost', async () => {
  const job = api.queue(STEP);
  const aborted = Promise.withResolvers<void>();
  api.intercept((action) => (action === 'heartbeat' ? { status: 409, code: 'lease_lost' } : null));
  await start({
    respond: (_task, on) => {
      on.progress(5, 'kernel');
      on.signal.addEventListener('abort', () => aborted.resolve());
      return rejectOnAbort(on);
    },
  });
  await aborted.promise;
  api.intercept(() => null);
  const next = api.queue('no STEP');

  await api.waitForStatus(next, 'failed', 'running');
  expect(job.status).toBe('running');
  expect(
    api.requests.filter(({ jobId, action }) => jobId === job.id && ['complete', 'fail', 'give-back'].includes(action)),
  ).toEqual([]);
});

test('stops the engine before the lease expires when heartbeats get no response', async () => {
  await scheduler.close();
  await setUp({ leaseSeconds: 2, heartbeatSeconds: 1 });
  api.queue(STEP);
  const aborted = Promise.withResolvers<void>();
  api.intercept((action) => (action === 'heartbeat' ? 'close' : null));
  await start({
    respond: (_task, on) => {
      on.signal.addEventListener('abort', () => aborted.resolve());
      return rejectOnAbort(on);
    },
  });

  await aborted.promise;
});

test('repeats complete with the same attempt until it succeeds', async () => {
  const job = api.queue(STEP);
  const replacements: ('close' | { status: number; code: string })[] = ['close', { status: 503, code: 'unavailable' }];
  api.intercept((action) => (action === 'complete' ? (replacements.shift() ?? null) : null));
  await start();

  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('done');
  expect(new Set(requestsFor('complete').map(({ body }) => body.attempt))).toEqual(new Set([1]));
});

test('fails the job with stale_input when the input was replaced before the upload', async () => {
  const job = api.queue(STEP);
  api.intercept((action) => (action === 'upload' ? { status: 409, code: 'stale_input' } : null));
  await start();

  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('failed');
  expect(job.error).toMatchObject({ code: 'stale_input', retryable: false });
});

test('reads the context once more for a stale input, then fails the job with stale_input', async () => {
  const job = api.queue(STEP);
  const stale = { status: 409, code: 'stale_input' };
  const replacements = [stale];
  api.intercept((action) => (action === 'download' ? (replacements.shift() ?? null) : null));
  await start();
  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('done');

  api.intercept((action) => (action === 'download' ? stale : null));
  const second = api.queue(STEP);
  expect(await api.waitForStatus(second, 'done', 'failed')).toBe('failed');
  expect(second.error).toMatchObject({ code: 'stale_input', retryable: false });
});
