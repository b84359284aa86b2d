// What becomes of one job in the hands of the scheduler.
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerInName } from './engines/fake.ts';
import { type Bench, STEP, schedulerBench, untilAborted } from './test-bench.ts';

let bench: Bench;
let api: Bench['api'];
let schedule: Bench['schedule'];
beforeEach(() => begin());
afterEach(() => bench.close());

async function begin(options: Parameters<typeof schedulerBench>[0] = {}): Promise<void> {
  bench = await schedulerBench(options);
  ({ api, schedule } = bench);
}

const toldOf = (deed: string) => api.told.filter((told) => told.deed === deed);

test('a job is claimed, its source fetched and checked, its results uploaded under its fence, and then it is done', async () => {
  const job = api.queue(STEP);
  await schedule();

  expect(await api.reaches(job, 'done', 'failed')).toBe('done');
  expect(api.uploads.map(({ kind }) => kind)).toEqual(['stp', 'glb', 'properties', 'thumbnail']);
  expect(api.uploads[0]?.content).toBe(STEP);
  const { headers } = api.uploads[1]!;
  expect(headers).toMatchObject({
    'x-generator': 'pdm-fake/1.0.0',
    'x-job-attempt': '1',
    'x-input-sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
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
  expect(readdirSync(bench.workDir).filter((name) => name.startsWith(job.id))).toEqual([]);
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
      call < 3
        ? { error: { code: 'engine_crashed', message: 'the engine process ended', final: false } }
        : answerInName(task, on),
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
  expect(
    api.told.filter(({ jobId, deed }) => jobId === job.id && ['complete', 'fail', 'give-back'].includes(deed)),
  ).toEqual([]);
});

test('a worker whose beats find nobody stops by itself before its lease has run out', async () => {
  await bench.close();
  await begin({ leaseSeconds: 2, heartbeatSeconds: 1 });
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
