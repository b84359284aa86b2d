import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRecordingLog } from '../../gateway/testing/sample-gateway.ts';
import { createQueueHistory, type QueueState, startSampling, type WaitingJobs } from './queue-history.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const waiting = (type: WaitingJobs['type'], count: number, seconds: number): WaitingJobs => ({
  type,
  environment: '',
  count,
  oldest: ago(seconds),
});

test('samples waiting jobs by type, running jobs and the oldest wait', () => {
  const history = createQueueHistory();
  history.add({ waiting: [], running: 0 }, new Date());
  vi.advanceTimersByTime(10_000);
  history.add(
    { waiting: [waiting('convert', 3, 40), waiting('convert', 2, 61), waiting('run', 1, 5)], running: 2 },
    new Date(),
  );
  const columns = {
    everySeconds: 10,
    at: [1_000_000, 1_000_010],
    waiting: { convert: [0, 5], assemble: [0, 0], export: [0, 0], run: [0, 1] },
    running: [0, 2],
    oldestWaitSeconds: [0, 61],
  };
  expect(history.since(null)).toEqual(columns);
  expect(history.since(1_000_000)).toMatchObject({ at: [1_000_010], waiting: { convert: [5] }, running: [2] });
  expect(history.since(1_000_010)).toMatchObject({ at: [], waiting: { convert: [] }, oldestWaitSeconds: [] });
});

test('keeps six hours of samples', () => {
  const history = createQueueHistory();
  for (let i = 0; i < 2200; i++) history.add({ waiting: [], running: i }, new Date(i * 10_000));
  const { at, running } = history.since(null);
  expect([at.length, running[0], running.at(-1)]).toEqual([2160, 40, 2199]);
});

test('samples every ten seconds, one at a time, and leaves a gap when the store is down', async () => {
  const history = createQueueHistory();
  const reads: PromiseWithResolvers<QueueState>[] = [];
  const sampling = startSampling(
    history,
    () => {
      const read = Promise.withResolvers<QueueState>();
      reads.push(read);
      return read.promise;
    },
    createRecordingLog().log,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  reads[0]?.resolve({ waiting: [], running: 1 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(reads).toHaveLength(2);
  reads[1]?.reject(new Error('store is down'));
  await vi.advanceTimersByTimeAsync(10_000);
  reads[2]?.resolve({ waiting: [], running: 3 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(history.since(null)).toMatchObject({ at: [1_000_010, 1_000_050], running: [1, 3] });
  sampling.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toHaveLength(3);
});

test.each([
  ['nothing waits', 0, 0, 'ok'],
  ['a job has waited for a minute', 60, 0, 'ok'],
  ['a job has waited for longer than a minute, but another one is running', 600, 1, 'ok'],
  ['a job has waited for longer than a minute, and none is running', 61, 0, 'late'],
] as const)('reports the health of the queue: %s', (_state, seconds, running, status) => {
  const history = createQueueHistory();
  expect(history.health()).toEqual({ status: 'ok' });
  history.add({ waiting: seconds ? [waiting('run', 1, seconds)] : [], running }, new Date());
  expect(history.health().status).toBe(status);
});
