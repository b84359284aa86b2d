// The SDK against the service that worker-check plays, whose rules are the real one's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Entry, type PlayedService, playService } from '../operate/worker-check/played-service.ts';
import { FinalError, type JobContext, PassingError, runWorker, ServiceRefusal, type WorkerOptions } from './index.ts';

let service: PlayedService;
let stop: AbortController;
let worker: Promise<void> | null;
beforeEach(async () => {
  const source = {
    kind: 'source',
    fileName: '../odd name.step',
    contentType: 'model/step',
    content: Buffer.from('ISO-10303-21;'),
  };
  service = await playService({ leaseSeconds: 3, type: 'convert', source });
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
const said = (deed: Entry['deed']) => service.journal.filter((entry) => entry.deed === deed);
const hears = async (deed: Entry['deed'], count = 1) => {
  expect(await service.until(() => said(deed).filter(({ status }) => status).length >= count, 10)).toBe(true);
  return said(deed);
};
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('as many jobs as asked for are worked on at once, and no more', async () => {
  const started: (() => void)[] = [];
  service.queue();
  service.queue();
  service.queue();
  start(() => new Promise<void>((resolve) => started.push(resolve)), { concurrency: 2 });
  await service.until(() => started.length === 2, 5);
  expect(said('claim').map(({ body }) => body.environment)).toEqual([{}, {}]);
  for (const finish of started) finish();
  await service.until(() => started.length === 3, 5);
  started[2]?.();
  await hears('complete', 3);
});

test('the next job, which is claimed while the end of the last one is told, is begun when the handler is back and not before', async () => {
  let atWork = 0;
  let most = 0;
  service.queue();
  service.queue();
  start(async () => {
    most = Math.max(most, ++atWork);
    await new Promise((resolve) => setTimeout(resolve, 20));
    atWork--;
  });
  await hears('complete', 2);
  expect(most).toBe(1);
});

test.each([
  {
    name: 'a FinalError',
    thrown: new FinalError('not a STEP file', { code: 'not_step' }),
    fail: { error: { code: 'not_step', message: 'not a STEP file' }, final: true, again: false },
  },
  {
    name: 'a PassingError',
    thrown: new PassingError('the licence is taken', { code: 'no_licence' }),
    fail: { error: { code: 'no_licence' }, final: false, again: true },
  },
  {
    name: 'any other error',
    thrown: new TypeError('x is undefined'),
    fail: { error: { code: 'failed', message: 'x is undefined' }, final: false, again: false },
  },
])('$name fails the job in its own way', async ({ thrown, fail }) => {
  service.queue();
  start(() => {
    throw thrown;
  });
  expect((await hears('fail'))[0]?.body).toMatchObject(fail);
});

test('results are taken as a path, as bytes and as a stream, marked with attempt, input and maker; log and progress arrive', async () => {
  const job = service.queue();
  const seen: string[] = [];
  start(
    async (_job, ctx) => {
      const [source] = await ctx.files();
      if (!source) return;
      const path = await ctx.download(source);
      seen.push(path);
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
  await hears('complete');
  const uploads = said('upload').map(({ kind, attempt, status, headers }) => ({
    kind,
    attempt,
    status,
    of: headers['x-input-sha256'],
    by: headers['x-generator'],
    type: headers['content-type'],
    length: headers['content-length'],
  }));
  const all = { attempt: job.handedAttempt, status: 201, of: job.sha256 };
  expect(uploads).toEqual([
    { ...all, kind: 'stp', by: 'mesh-baker/2.1', type: 'model/step', length: '13' },
    { ...all, kind: 'properties', by: 'mesh-baker/2.1', type: 'application/json', length: '2' },
    { ...all, kind: 'glb', by: 'baker/3', type: 'model/gltf-binary', length: '4' },
  ]);
  expect(Buffer.from(String(said('upload')[2]?.headers['x-file-name']), 'latin1').toString('utf8')).toBe('Träger.glb');
  expect(seen[0]).toMatch(/pdm-job-\w+\/art_job_\w+\.step$/);
  expect(job.log.map(({ line }) => line)).toEqual(['read']);
});

test('a job that went to another worker is let go of without a word, whatever the handler does then', async () => {
  const job = service.queue({ lost: true });
  let tried: Promise<unknown> | null = null;
  start(async (_job, ctx: JobContext) => {
    await aborted(ctx.signal);
    tried = ctx.upload('glb', Buffer.from('late')).catch((error: Error) => error.message);
    await tried;
  });
  expect(await service.until(() => said('claim').length > 1, 10)).toBe(true);
  expect(await tried).toBe('the job is no longer in the hands of this worker');
  expect(service.journal.filter((entry) => entry.job === job).map(({ deed, code }) => [deed, code])).toEqual([
    ['claim', null],
    ['heartbeat', 'lease_lost'],
  ]);
});

test('a worker that is stopped tells its handler, gives the job back and claims no more', async () => {
  const job = service.queue();
  const reasons: string[] = [];
  let working = false;
  start(async (_job, { signal }) => {
    working = true;
    await aborted(signal);
    reasons.push(signal.reason.reason);
    throw signal.reason;
  });
  await service.until(() => working, 5);
  stop.abort();
  await worker;
  expect(reasons).toEqual(['shutdown']);
  expect(job.endedBy).toBe('give-back');
  expect(said('claim').length).toBe(1);
});

test('a handler that blocks its event loop for longer than a lease keeps the job, and its log lines arrive meanwhile', async () => {
  const job = service.queue({}, Buffer.from('4500'));
  const script = join(import.meta.dirname, '../test/support/blocking-worker.ts');
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, PDM_URL: service.url, PDM_TOKEN: service.token },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  expect(await service.until(() => job.log.length > 0 || job.endedBy !== null, 20)).toBe(true);
  expect(job.endedBy).toBe(null);
  expect(await service.until(() => job.state.status !== 'running', 20)).toBe(true);
  expect(job).toMatchObject({ endedBy: 'complete', state: { status: 'done', attempt: job.handedAttempt } });
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('a token that the service does not know ends the worker with its refusal', async () => {
  const refused = runWorker({ baseUrl: service.url, token: 'pdm_wrong', handler: () => {}, log: () => {} });
  await expect(refused).rejects.toThrow(ServiceRefusal);
  await expect(refused).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
});
