import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createListener } from '../engine-contract.ts';
import { estimatedProgress } from './estimated-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MB = 1e6;

function estimates(bytes: number) {
  const reported: [percent: number, step: string][] = [];
  const listener = {
    ...createListener(),
    progress: (percent: number, step: string) => void reported.push([percent, step]),
  };
  return { reported, ...estimatedProgress(listener, bytes, () => Date.now()) };
}

test('advances in every interval of a silent step, up to its end', () => {
  const { reported, listener, stop } = estimates(10 * MB);
  listener.progress(2, 'kernel');
  vi.advanceTimersByTime(120_000);
  expect(reported).toHaveLength(41);
  expect(reported[1]).toEqual([expect.any(Number), 'reading (estimate)']);
  for (const [n, [percent]] of reported.entries()) {
    if (n) expect(percent).toBeGreaterThan(reported[n - 1]![0]);
    expect(percent).toBeLessThan(45);
  }
  stop();
  vi.advanceTimersByTime(10_000);
  expect(reported).toHaveLength(41);
});

test('expects more time for larger files', () => {
  const after = (bytes: number) => {
    const { reported, listener, stop } = estimates(bytes);
    listener.progress(2, 'kernel');
    vi.advanceTimersByTime(9_000);
    stop();
    return reported.at(-1)![0];
  };
  expect(after(1 * MB)).toBeGreaterThan(after(50 * MB));
});

test('never reports less than before, and estimates nothing after an unknown step', () => {
  const { reported, listener, stop } = estimates(MB);
  listener.progress(45, 'read');
  vi.advanceTimersByTime(6_000);
  const [estimate] = reported.at(-1)!;
  listener.progress(46, 'meshing');
  expect(reported.at(-1)).toEqual([estimate, 'meshing']);
  listener.progress(70, 'bracket.step');
  vi.advanceTimersByTime(60_000);
  expect(reported.at(-1)).toEqual([70, 'bracket.step']);
  stop();
});
