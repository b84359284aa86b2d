import { expect, test } from 'vitest';
import { remainingTime } from './job-labels.ts';

test('estimates the remaining time from the progress, but not too early', () => {
  const started = '2026-01-01T00:00:00Z';
  const after = (seconds: number, percent?: number) =>
    remainingTime(started, percent, Date.parse(started) + seconds * 1000);
  expect(after(4, 50)).toBeNull();
  expect(after(60)).toBeNull();
  expect(after(60, 0)).toBeNull();
  expect(after(60, 20)).toBe('about 4 min left');
  expect(after(60, 90)).toBe('less than a minute left');
  expect(remainingTime(null, 50, 0)).toBeNull();
});
