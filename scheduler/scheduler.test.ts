import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../subgraphs/core/log.ts';
import type { EngineListener } from './engines/engine.ts';
import { answerInName, type FakeEngineOptions, fakeEngine } from './engines/fake.ts';
import { startScheduler } from './scheduler.ts';
import { type TestApi, testApi } from './test-api.ts';

const STEP = 'ISO-10303-21;\nHEADER;\n';
const log = createLog({ name: 'test', pretty: false, level: process.env.PDM_TEST_LOG ?? 'silent' });
let api: TestApi;
let workDir: string;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  stops = [];
  await useApi();
  workDir = mkdtempSync(join(tmpdir(), 'scheduler-'));
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(workDir, { recursive: true, force: true });
});

async function useApi(options: Parameters<typeof testApi>[0] = {}): Promise<void> {
  api = await testApi(options);
  const { close } = api;
  stops.push(close);
}

async function schedule(options: FakeEngineOptions = {}, { graceSeconds = 0 } = {}) {
  const engine = fakeEngine(options);
  const scheduler = await startScheduler({ apiUrl: api.url, token: 'test-token', host: '127.0.0.1', port: 0, workDir, engine, log, graceSeconds });
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= scheduler.stop();
    return stopped;
  };
  stops.push(stop);
  return { ...scheduler, stop, engine };
}

const toldOf = (deed: string) => api.told.filter((told) => told.deed === deed);
const untilAborted = (on: EngineListener) =>
  new Promise<never>((_, reject) => on.signal.addEventListener('abort', () => reject(new Error('aborted'))));

test('a job is claimed, its source fetched and checked, its results uploaded under its fence, and then it is done', async () => {
  const job = api.queue(STEP);
  await schedule();

  expect(await api.reaches(job, 'done', 'failed')).toBe('done');
  expect(api.uploads.map(({ kind }) => kind)).toEqual(['stp', 'glb', 'properties', 'thumbnail']);
  expect(api.uploads[0]?.content).toBe(STEP);
  const { headers } = api.uploads[1]!;
  expect(headers).toMatchObject({ 'x-generator': 'pdm-fake/1.0.0', 'x-job-attempt': '1', 'x-input-sha256': expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Buffer.from(String(headers['x-file-name']), 'latin1').toString('utf8')).toBe('Träger.glb');
  expect(toldOf('complete')[0]?.body).toMatchObject({ attempt: 1, workerId: expect.any(String) });
});

test('log lines and progress arrive while the engine works', async () => {
  const job = api.queue(STEP);
  let go = () => {};
  const told = new Promise<void>((resolve) => {
    go = resolve;
  });
  await schedule({
    answer: async (task, on) => {
      on.log('three faces are missing');
      on.progress(20, 'read');
      await told;
      return answerInName(task, on);
    },
  });
  api.refuse((deed) => {
    if (deed === 'heartbeat') go();
    return null;
  });

  expect(await api.reaches(job, 'done', 'failed')).toBe('done');
  expect(toldOf('heartbeat')[0]?.body).toMatchObject({ attempt: 1, percent: 20, step: 'read' });
  const lines = api.told.flatMap(({ body }) => body.log ?? []);
  expect(lines).toContain('three faces are missing');
  expect(lines.filter((line) => line === 'three faces are missing')).toHaveLength(1);
});

test('the folder of a job is gone when it has ended', async () => {
  const job = api.queue(STEP);
  const { stop } = await schedule();
  await api.reaches(job, 'done');
  const next = api.queue(STEP);
  await api.reaches(next, 'done');
  expect(readdirSync(workDir).filter((name) => name.startsWith(job.id))).toEqual([]);
  await stop();
});

test('what the engine cannot do fails the job for good, with its code', async () => {
  const job = api.queue('not a STEP file');
  await schedule();

  expect(await api.reaches(job, 'done', 'failed')).toBe('failed');
  expect(job.error).toMatchObject({ code: 'not_step', final: true, again: false });
  expect(api.uploads).toEqual([]);
});

test('a crash of the engine is a lost try: the job comes again and is done', async () => {
  const job = api.queue(STEP);
  await schedule({
    answer: (task, on, call) =>
      call < 3 ? { error: { code: 'engine_crashed', message: 'the engine process ended', final: false } } : answerInName(task, on),
  });

  expect(await api.reaches(job, 'done', 'failed')).toBe('done');
  expect(job).toMatchObject({ attempt: 3, lost: 2 });
});

test('an input whose bytes are not those of its SHA-256 never reaches the engine', async () => {
  const job = api.queue(STEP);
  api.corruptDownloads();
  const { engine } = await schedule();

  expect(await api.reaches(job, 'done', 'failed')).toBe('failed');
  expect(job).toMatchObject({ attempt: 3, error: { code: 'bad_download', again: true } });
  expect(engine.jobs).toEqual([]);
});

test('a cancelled job is stopped and ends as cancelled', async () => {
  const job = api.queue(STEP);
  await schedule({
    answer: (_task, on) => {
      api.askToCancel(job);
      on.progress(5, 'kernel');
      return untilAborted(on);
    },
  });

  expect(await api.reaches(job, 'cancelled', 'done', 'failed')).toBe('cancelled');
  expect(toldOf('fail')[0]?.body).toMatchObject({ attempt: 1, error: { code: 'cancelled' } });
});

test('a worker that lost its lease stops the engine and says nothing more about the job', async () => {
  const job = api.queue(STEP);
  const aborted = Promise.withResolvers<void>();
  api.refuse((deed) => (deed === 'heartbeat' ? { status: 409, code: 'lease_lost' } : null));
  await schedule({
    answer: (_task, on) => {
      on.progress(5, 'kernel');
      on.signal.addEventListener('abort', () => aborted.resolve());
      return untilAborted(on);
    },
  });
  await aborted.promise;
  api.refuse(() => null);
  const next = api.queue('no STEP');

  await api.reaches(next, 'failed', 'running');
  expect(job.status).toBe('running');
  expect(api.told.filter(({ jobId, deed }) => jobId === job.id && ['complete', 'fail', 'give-back'].includes(deed))).toEqual([]);
});

test('a worker whose beats find nobody stops by itself before its lease has run out', async () => {
  await useApi({ leaseSeconds: 2, heartbeatSeconds: 1 });
  api.queue(STEP);
  const aborted = Promise.withResolvers<void>();
  api.refuse((deed) => (deed === 'heartbeat' ? 'hang up' : null));
  await schedule({
    answer: (_task, on) => {
      on.signal.addEventListener('abort', () => aborted.resolve());
      return untilAborted(on);
    },
  });

  await aborted.promise;
});

test('complete is told again, with the same attempt, until somebody hears it', async () => {
  const job = api.queue(STEP);
  const answers: ('hang up' | { status: number; code: string })[] = ['hang up', { status: 503, code: 'unavailable' }];
  api.refuse((deed) => (deed === 'complete' ? (answers.shift() ?? null) : null));
  await schedule();

  expect(await api.reaches(job, 'done', 'failed')).toBe('done');
  expect(new Set(toldOf('complete').map(({ body }) => body.attempt))).toEqual(new Set([1]));
});

test('a result for an input that has been replaced ends the job under that name', async () => {
  const job = api.queue(STEP);
  api.refuse((deed) => (deed === 'upload' ? { status: 409, code: 'stale_input' } : null));
  await schedule();

  expect(await api.reaches(job, 'done', 'failed')).toBe('failed');
  expect(job.error).toMatchObject({ code: 'stale_input', again: false });
});

test('an input that is replaced on its way is looked for once more, and then the job ends under that name', async () => {
  const job = api.queue(STEP);
  const stale = { status: 409, code: 'stale_input' };
  const answers = [stale];
  api.refuse((deed) => (deed === 'download' ? (answers.shift() ?? null) : null));
  await schedule();
  expect(await api.reaches(job, 'done', 'failed')).toBe('done');

  api.refuse((deed) => (deed === 'download' ? stale : null));
  const vain = api.queue(STEP);
  expect(await api.reaches(vain, 'done', 'failed')).toBe('failed');
  expect(vain.error).toMatchObject({ code: 'stale_input', again: false });
});

test('a scheduler that is stopped gives back what it cannot finish, and hands nothing out any more', async () => {
  const job = api.queue(STEP);
  const { stop } = await schedule({ answer: (_task, on) => untilAborted(on) });
  await api.hears(job, 'download');
  const later = api.queue(STEP);
  await stop();

  expect(job.status).toBe('given back');
  expect(later.status).toBe('waiting');
});

test('a scheduler that is stopped lets a job finish within the grace', async () => {
  const job = api.queue(STEP);
  const release = Promise.withResolvers<void>();
  const { stop } = await schedule({ answer: (task, on) => release.promise.then(() => answerInName(task, on)) }, { graceSeconds: 20 });
  await api.hears(job, 'download');
  const stopped = stop();
  release.resolve();
  await stopped;

  expect(job.status).toBe('done');
});

test('several slots work on several jobs at once', async () => {
  const both = Promise.withResolvers<void>();
  let inside = 0;
  const jobs = [api.queue(STEP), api.queue(STEP)];
  await schedule({
    slots: 2,
    answer: async (task, on) => {
      inside += 1;
      if (inside === 2) both.resolve();
      await both.promise;
      return answerInName(task, on);
    },
  });

  expect(await Promise.all(jobs.map((job) => api.reaches(job, 'done', 'failed')))).toEqual(['done', 'done']);
});

test('status and metrics tell how it stands: JSON, a page for a browser, the Prometheus text', async () => {
  const job = api.queue(STEP);
  const release = Promise.withResolvers<void>();
  const { url } = await schedule({ answer: (task, on) => release.promise.then(() => answerInName(task, on)) });
  await api.hears(job, 'download');
  const status = await (await fetch(`${url}/scheduler/status`)).json();
  release.resolve();
  await api.reaches(job, 'done');

  expect(status).toMatchObject({
    mode: 'poll',
    draining: false,
    api: { reachable: true, lastError: null },
    nats: null,
    engines: [{ name: 'pdm-fake', types: ['convert'], environment: { engine: 'fake' }, isolation: 'none' }],
    running: [{ jobId: job.id, type: 'convert', attempt: 1, progress: { percent: null } }],
  });
  const page = await fetch(`${url}/scheduler/status`, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  const shown = await page.text();
  expect(shown).toContain('<h1>Scheduler</h1>');
  expect(shown).toMatch(
    /The API at http:\S+ answers since .* It hears of jobs by waiting at the API\. .*<a href="http:\/\/[^"]+\/jobs">jobs and queue<\/a>/,
  );
  const next = api.queue('no STEP');
  await api.reaches(next, 'failed');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/pdm_jobs_finished_total\{type="convert",outcome="done",reason="none"\} 1/);
  expect(metrics).toMatch(/pdm_engine_slots\{engine="pdm-fake"\} 1/);
  expect(metrics).not.toMatch(/job_\d/);
  expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
});

test('an API that is away is tried again, and the status says since when and why', async () => {
  const { close } = api;
  await close();
  stops.length = 0;
  const { url } = await schedule();
  let status = { api: { reachable: true, lastError: null as string | null } };
  while (status.api.lastError === null) status = await (await fetch(`${url}/scheduler/status`)).json();

  expect(status.api).toMatchObject({ reachable: false, lastError: expect.stringContaining('ECONNREFUSED') });
});

test('a log of many lines arrives whole and in order, in requests that are not too large', async () => {
  const job = api.queue(STEP);
  const lines = Array.from({ length: 6_000 }, (_, n) => `line ${n} ${'x'.repeat(60)}`);
  await schedule({
    answer: (task, on) => {
      for (const line of lines) on.log(line);
      return answerInName(task, on);
    },
  });
  expect(await api.reaches(job, 'done', 'failed')).toBe('done');

  const batches = api.told.map(({ body }) => (body.log ?? []) as string[]);
  expect(batches.flat().filter((line) => line.startsWith('line '))).toEqual(lines);
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(2_000);
});
