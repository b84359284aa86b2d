import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readableLog } from '../../gateway/testing/sample-gateway.ts';
import { type QueueState, queueHistory, startSampling, type Waiting } from './queue-history.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const waiting = (type: Waiting['type'], count: number, seconds: number): Waiting => ({
  type,
  environment: '',
  count,
  oldest: ago(seconds),
});

test('a sample is what waits by type, what runs, and how long the oldest has waited', () => {
  const history = queueHistory();
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

test('six hours are kept', () => {
  const history = queueHistory();
  for (let i = 0; i < 2200; i++) history.add({ waiting: [], running: i }, new Date(i * 10_000));
  const { at, running } = history.since(null);
  expect([at.length, running[0], running.at(-1)]).toEqual([2160, 40, 2199]);
});

test('the queue is looked at every ten seconds, never twice at once, and a store that is away leaves a gap', async () => {
  const history = queueHistory();
  const looks: PromiseWithResolvers<QueueState>[] = [];
  const sampling = startSampling(
    history,
    () => {
      const look = Promise.withResolvers<QueueState>();
      looks.push(look);
      return look.promise;
    },
    readableLog().log,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  looks[0]?.resolve({ waiting: [], running: 1 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(looks).toHaveLength(2);
  looks[1]?.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(10_000);
  looks[2]?.resolve({ waiting: [], running: 3 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(history.since(null)).toMatchObject({ at: [1_000_010, 1_000_050], running: [1, 3] });
  sampling.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toHaveLength(3);
});
