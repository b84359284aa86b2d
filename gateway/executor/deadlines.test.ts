import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atTheLatest } from './deadlines.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

test('a short time ends exactly, a long one within a tick, and what was called off never does', () => {
  const ended: string[] = [];
  atTheLatest(20, () => ended.push('short'));
  atTheLatest(10_000, () => ended.push('long'));
  const callOff = [20, 10_000].map((milliseconds) => atTheLatest(milliseconds, () => ended.push('called off')));
  for (const stop of callOff) stop();
  vi.advanceTimersByTime(20);
  expect(ended).toEqual(['short']);
  vi.advanceTimersByTime(9_979);
  expect(ended).toEqual(['short']);
  vi.advanceTimersByTime(201);
  expect(ended).toEqual(['short', 'long']);
});

test('the shared clock stops when there is nothing to wait for, and starts again', () => {
  const stop = atTheLatest(10_000, () => undefined);
  stop();
  vi.advanceTimersByTime(200);
  expect(vi.getTimerCount()).toBe(0);
  const ended: number[] = [];
  atTheLatest(6_000, () => ended.push(1));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(6_200);
  expect([ended, vi.getTimerCount()]).toEqual([[1], 0]);
});
