// The SDK against the simulated service of worker-check, which follows the rules of the real service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MockService, type RecordedRequest, startMockService } from '../operate/worker-check/mock-service.ts';
import {
  ApiError,
  type JobContext,
  RetryableError,
  runWorker,
  UnrecoverableError,
  type WorkerOptions,
} from './index.ts';

let service: MockService;
let stop: AbortController;
let worker: Promise<void> | null;
beforeEach(async () => {
  const source = {
    kind: 'source',
    fileName: '../odd name.step',
    contentType: 'model/step',
    content: Buffer.from('ISO-10303-21;'),
  };
  service = await startMockService({ leaseSeconds: 3, type: 'convert', source });
  stop = new AbortController();
  worker = null;
});
afterEach(async () => {
  stop.abort();
  await worker;
  await service.close();
});

function start(handler: WorkerOptions['handler'], options: Partial<WorkerOptions> = {}): void {
  worker = runWorker({
    baseUrl: service.url,
    token: service.token,
    handler,
    signal: stop.signal,
    graceSeconds: 0,
    log: () => {},
    ...options,
  });
}
const requests = (operation: RecordedRequest['operation']) =>
  service.requests.filter((entry) => entry.operation === operation);
const expectRequests = async (operation: RecordedRequest['operation'], count = 1) => {
  expect(await service.waitUntil(() => requests(operation).filter(({ status }) => status).length >= count, 10)).toBe(
    true,
  );
  return requests(operation);
};
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('runs at most `concurrency` jobs at the same time', async () => {
  const started: (() => void)[] = [];
  service.queue();
  service.queue();
  service.queue();
  start(() => new Promise<void>((resolve) => started.push(resolve)), { concurrency: 2 });
  await service.waitUntil(() => started.length === 2, 5);
  expect(requests('claim').map(({ body }) => body.environment)).toEqual([{}, {}]);
  for (const finish of started) finish();
  await service.waitUntil(() => started.length === 3, 5);
  started[2]?.();
  await expectRequests('complete', 3);
});

test('never runs two handlers at once with a concurrency of 1', async () => {
  let active = 0;
  let maxActive = 0;
  service.queue();
  service.queue();
  start(async () => {
    maxActive = Math.max(maxActive, ++active);
    await new Promise((resolve) => setTimeout(resolve, 20));
    active--;
  });
  await expectRequests('complete', 2);
  expect(maxActive).toBe(1);
});

test.each([
  {
    name: 'an UnrecoverableError',
    thrown: new UnrecoverableError('not a STEP file', { code: 'not_step' }),
    fail: { error: { code: 'not_step', message: 'not a STEP file' }, final: true, retryable: false },
  },
  {
    name: 'a RetryableError',
    thrown: new RetryableError('no free license', { code: 'no_license' }),
    fail: { error: { code: 'no_license' }, final: false, retryable: true },
  },
  {
    name: 'any other error',
    thrown: new TypeError('x is undefined'),
    fail: { error: { code: 'failed', message: 'x is undefined' }, final: false, retryable: false },
  },
])('$name fails the job with its flags', async ({ thrown, fail }) => {
  service.queue();
  start(() => {
    throw thrown;
  });
  expect((await expectRequests('fail'))[0]?.body).toMatchObject(fail);
});

test('uploads results from a path, bytes and a stream, and sends the log', async () => {
  const job = service.queue();
  const paths: string[] = [];
  start(
    async (_job, ctx) => {
      const [source] = await ctx.files();
      if (!source) return;
      const path = await ctx.download(source);
      paths.push(path);
      ctx.log('read');
      ctx.progress(120, 'storing');
      await ctx.upload('stp', path);
      await ctx.upload('properties', Buffer.from('{}'));
      await ctx.upload('glb', Readable.from([Buffer.from('gl'), Buffer.from('TF')]), {
        fileName: 'Träger.glb',
        generator: 'baker/3',
      });
    },
    { generator: 'mesh-baker/2.1' },
  );
  await expectRequests('complete');
  const uploads = requests('upload').map(({ kind, attempt, status, headers }) => ({
    kind,
    attempt,
    status,
    input: headers['x-input-sha256'],
    generator: headers['x-generator'],
    type: headers['content-type'],
    length: headers['content-length'],
  }));
  const all = { attempt: job.claimedAttempt, status: 201, input: job.sha256 };
  expect(uploads).toEqual([
    { ...all, kind: 'stp', generator: 'mesh-baker/2.1', type: 'model/step', length: '13' },
    { ...all, kind: 'properties', generator: 'mesh-baker/2.1', type: 'application/json', length: '2' },
    { ...all, kind: 'glb', generator: 'baker/3', type: 'model/gltf-binary', length: '4' },
  ]);
  expect(Buffer.from(String(requests('upload')[2]?.headers['x-file-name']), 'latin1').toString('utf8')).toBe(
    'Träger.glb',
  );
  expect(paths[0]).toMatch(/pdm-job-\w+\/art_job_\w+\.step$/);
  expect(job.log.map(({ line }) => line)).toEqual(['read']);
});

test('reports nothing about a job whose lease is lost, even if the handler uploads afterwards', async () => {
  const job = service.queue({ loseLease: true });
  let upload: Promise<unknown> | null = null;
  start(async (_job, ctx: JobContext) => {
    await aborted(ctx.signal);
    upload = ctx.upload('glb', Buffer.from('late')).catch((error: Error) => error.message);
    await upload;
  });
  expect(await service.waitUntil(() => requests('claim').length > 1, 10)).toBe(true);
  expect(await upload).toBe('this worker no longer holds the job');
  expect(service.requests.filter((entry) => entry.job === job).map(({ operation, code }) => [operation, code])).toEqual(
    [
      ['claim', null],
      ['heartbeat', 'lease_lost'],
    ],
  );
});

test('aborts the handler, gives the job back and stops claiming when the worker is stopped', async () => {
  const job = service.queue();
  const reasons: string[] = [];
  let handling = false;
  start(async (_job, { signal }) => {
    handling = true;
    await aborted(signal);
    reasons.push(signal.reason.reason);
    throw signal.reason;
  });
  await service.waitUntil(() => handling, 5);
  stop.abort();
  await worker;
  expect(reasons).toEqual(['shutdown']);
  expect(job.endedBy).toBe('give-back');
  expect(requests('claim').length).toBe(1);
});

test('keeps the lease and sends log lines while a handler blocks the event loop for longer than a lease', async () => {
  const job = service.queue({}, Buffer.from('4500'));
  const script = join(import.meta.dirname, '../test/support/blocking-worker.ts');
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, PDM_URL: service.url, PDM_TOKEN: service.token },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  expect(await service.waitUntil(() => job.log.length > 0 || job.endedBy !== null, 20)).toBe(true);
  expect(job.endedBy).toBe(null);
  expect(await service.waitUntil(() => job.state.status !== 'running', 20)).toBe(true);
  expect(job).toMatchObject({ endedBy: 'complete', state: { status: 'done', attempt: job.claimedAttempt } });
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('rejects with an ApiError when the token is invalid', async () => {
  const refused = runWorker({ baseUrl: service.url, token: 'pdm_wrong', handler: () => {}, log: () => {} });
  await expect(refused).rejects.toThrow(ApiError);
  await expect(refused).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
});
