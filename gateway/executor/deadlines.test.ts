import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scheduleDeadline } from './deadlines.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

test('ends short deadlines exactly, long ones less than a tick late, and cancelled ones never', () => {
  const ended: string[] = [];
  scheduleDeadline(20, () => ended.push('short'));
  scheduleDeadline(10_000, () => ended.push('long'));
  const cancels = [20, 10_000].map((milliseconds) => scheduleDeadline(milliseconds, () => ended.push('cancelled')));
  for (const cancel of cancels) cancel();
  vi.advanceTimersByTime(20);
  expect(ended).toEqual(['short']);
  vi.advanceTimersByTime(9_979);
  expect(ended).toEqual(['short']);
  vi.advanceTimersByTime(201);
  expect(ended).toEqual(['short', 'long']);
});

test('stops the shared timer when no deadline is left, and restarts it for a new one', () => {
  const cancel = scheduleDeadline(10_000, () => undefined);
  cancel();
  vi.advanceTimersByTime(200);
  expect(vi.getTimerCount()).toBe(0);
  const ended: number[] = [];
  scheduleDeadline(6_000, () => ended.push(1));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(6_200);
  expect([ended, vi.getTimerCount()]).toEqual([[1], 0]);
});
