import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThreadChoice } from './thread-choice.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const slow = () => {
  const choice = createThreadChoice(4);
  for (let n = 0; n < 20; n++) choice.recordMainThread(30);
  return choice;
};

test('uses a thread for an operation that is usually slow, not for an occasional slow one', () => {
  const choice = createThreadChoice(4);
  choice.recordMainThread(20);
  for (let n = 0; n < 20; n++) choice.recordMainThread(1);
  expect(choice.isSlow()).toBe(false);
  for (let n = 0; n < 20; n++) choice.recordMainThread(5);
  expect(choice.isSlow()).toBe(true);
});

test('stays in the thread while every run there is slow', () => {
  const choice = slow();
  for (const passed of [10, 990, 10, 5_000, 60_000]) {
    vi.advanceTimersByTime(passed);
    expect(choice.isSlow()).toBe(true);
    choice.recordWorkerThread(30);
  }
});

test('returns to the main thread a second after a fast run in the thread', () => {
  const choice = slow();
  for (const took of [30, 1, 30]) choice.recordWorkerThread(took);
  vi.advanceTimersByTime(990);
  expect(choice.isSlow()).toBe(true);
  vi.advanceTimersByTime(20);
  expect(choice.isSlow()).toBe(false);
});
