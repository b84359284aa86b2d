import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace } from './thread-choice.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const slow = () => {
  const pace = createPace(4);
  for (let n = 0; n < 20; n++) pace.recordMainThread(30);
  return pace;
};

test('uses a thread for an operation that is usually slow, not for an occasional slow one', () => {
  const pace = createPace(4);
  pace.recordMainThread(20);
  for (let n = 0; n < 20; n++) pace.recordMainThread(1);
  expect(pace.isSlow()).toBe(false);
  for (let n = 0; n < 20; n++) pace.recordMainThread(5);
  expect(pace.isSlow()).toBe(true);
});

test('stays in the thread while every run there is slow', () => {
  const pace = slow();
  for (const passed of [10, 990, 10, 5_000, 60_000]) {
    vi.advanceTimersByTime(passed);
    expect(pace.isSlow()).toBe(true);
    pace.recordWorkerThread(30);
  }
});

test('returns to the main thread a second after a fast run in the thread', () => {
  const pace = slow();
  for (const took of [30, 1, 30]) pace.recordWorkerThread(took);
  vi.advanceTimersByTime(990);
  expect(pace.isSlow()).toBe(true);
  vi.advanceTimersByTime(20);
  expect(pace.isSlow()).toBe(false);
});
