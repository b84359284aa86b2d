// The scheduler process: stopping, concurrency, status and metrics.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultResult } from './engines/fake-engine.ts';
import { createTestScheduler, rejectOnAbort, STEP, type TestScheduler } from './testing/test-scheduler.ts';

let scheduler: TestScheduler;
let api: TestScheduler['api'];
let start: TestScheduler['start'];
beforeEach(async () => {
  scheduler = await createTestScheduler();
  ({ api, start } = scheduler);
});
afterEach(() => scheduler.close());

test('gives back unfinished jobs on stop and claims no more', async () => {
  const job = api.queue(STEP);
  const { stop } = await start({ respond: (_task, on) => rejectOnAbort(on) });
  await api.waitForRequest(job, 'download');
  const later = api.queue(STEP);
  await stop();

  expect(job.status).toBe('given back');
  expect(later.status).toBe('waiting');
});

test('lets a running job finish within the grace period', async () => {
  const job = api.queue(STEP);
  const release = Promise.withResolvers<void>();
  const { stop } = await start(
    { respond: (task, on) => release.promise.then(() => defaultResult(task, on)) },
    { graceSeconds: 20 },
  );
  await api.waitForRequest(job, 'download');
  const stopped = stop();
  release.resolve();
  await stopped;

  expect(job.status).toBe('done');
});

test('runs one job per slot concurrently', async () => {
  const bothRunning = Promise.withResolvers<void>();
  let active = 0;
  const jobs = [api.queue(STEP), api.queue(STEP)];
  await start({
    slots: 2,
    respond: async (task, on) => {
      active += 1;
      if (active === 2) bothRunning.resolve();
      await bothRunning.promise;
      return defaultResult(task, on);
    },
  });

  expect(await Promise.all(jobs.map((job) => api.waitForStatus(job, 'done', 'failed')))).toEqual(['done', 'done']);
});

test('serves the status as JSON and HTML, and metrics in the Prometheus text format', async () => {
  const job = api.queue(STEP);
  const release = Promise.withResolvers<void>();
  const { url } = await start({ respond: (task, on) => release.promise.then(() => defaultResult(task, on)) });
  await api.waitForRequest(job, 'download');
  const status = await (await fetch(`${url}/scheduler/status`)).json();
  release.resolve();
  await api.waitForStatus(job, 'done');

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
  const html = await page.text();
  expect(html).toContain('<h1>Scheduler</h1>');
  expect(html).toMatch(/The API at http:\S+ is reachable since .*\nJobs are claimed by long polling\./);
  expect(html).toMatch(/<a href="http:\/\/[^"]+\/jobs">jobs and queue<\/a>/);
  const next = api.queue('no STEP');
  await api.waitForStatus(next, 'failed');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/pdm_jobs_finished_total\{type="convert",outcome="done",reason="none"\} 1/);
  expect(metrics).toMatch(/pdm_engine_slots\{engine="pdm-fake"\} 1/);
  expect(metrics).not.toMatch(/job_\d/);
  expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
});

test('reports a reachable API before the first job is queued', async () => {
  const { url } = await start();
  const isReachable = async (): Promise<boolean> =>
    (await (await fetch(`${url}/scheduler/status`)).json()).api.reachable;
  await expect.poll(isReachable, { timeout: 10_000 }).toBe(true);
});

test('reports why and since when the API is unreachable', async () => {
  await scheduler.stopApi();
  const { url } = await start();
  let status = { api: { reachable: true, lastError: null as string | null } };
  while (status.api.lastError === null) status = await (await fetch(`${url}/scheduler/status`)).json();

  expect(status.api).toMatchObject({ reachable: false, lastError: expect.stringContaining('ECONNREFUSED') });
});

test('sends a long log completely and in order, in bounded batches', async () => {
  const job = api.queue(STEP);
  const lines = Array.from({ length: 6_000 }, (_, n) => `line ${n} ${'x'.repeat(60)}`);
  await start({
    respond: (task, on) => {
      for (const line of lines) on.log(line);
      return defaultResult(task, on);
    },
  });
  expect(await api.waitForStatus(job, 'done', 'failed')).toBe('done');

  const batches = api.requests.map(({ body }) => (body.log ?? []) as string[]);
  expect(batches.flat().filter((line) => line.startsWith('line '))).toEqual(lines);
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(2_000);
});
