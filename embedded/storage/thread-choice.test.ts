import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace } from './thread-choice.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const slow = () => {
  const pace = createPace(4);
  for (let n = 0; n < 20; n++) pace.recordMainThread(30);
  return pace;
};

test('what takes long now and then stays on the loop, what usually does goes into a thread', () => {
  const pace = createPace(4);
  pace.recordMainThread(20);
  for (let n = 0; n < 20; n++) pace.recordMainThread(1);
  expect(pace.isSlow()).toBe(false);
  for (let n = 0; n < 20; n++) pace.recordMainThread(5);
  expect(pace.isSlow()).toBe(true);
});

test('what stays slow in the thread never comes back to hold the loop, however seldom it is done', () => {
  const pace = slow();
  for (const passed of [10, 990, 10, 5_000, 60_000]) {
    vi.advanceTimersByTime(passed);
    expect(pace.isSlow()).toBe(true);
    pace.recordWorkerThread(30);
  }
});

test('when it was quick in the thread it comes back after a second, also when others were late for a busy loop', () => {
  const pace = slow();
  for (const took of [30, 1, 30]) pace.recordWorkerThread(took);
  vi.advanceTimersByTime(990);
  expect(pace.isSlow()).toBe(true);
  vi.advanceTimersByTime(20);
  expect(pace.isSlow()).toBe(false);
});
