// The scheduler itself: how it ends, how many jobs it has in hand, what it tells of itself.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerInName } from './engines/fake.ts';
import { type Bench, STEP, schedulerBench, untilAborted } from './test-bench.ts';

let bench: Bench;
let api: Bench['api'];
let schedule: Bench['schedule'];
beforeEach(async () => {
  bench = await schedulerBench();
  ({ api, schedule } = bench);
});
afterEach(() => bench.close());

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
  const { stop } = await schedule(
    { answer: (task, on) => release.promise.then(() => answerInName(task, on)) },
    { graceSeconds: 20 },
  );
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

test('an API that answers is told as answering from the first, although nothing waits for a worker', async () => {
  const { url } = await schedule();
  const reach = async (): Promise<boolean> => (await (await fetch(`${url}/scheduler/status`)).json()).api.reachable;
  await expect.poll(reach, { timeout: 10_000 }).toBe(true);
});

test('an API that is away is tried again, and the status says since when and why', async () => {
  await bench.endApi();
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
