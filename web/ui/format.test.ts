import { expect, test } from 'vitest';
import { formatBytes, formatDuration } from './format.ts';

test('formats sizes with three significant digits and switches units before 1000', () => {
  const sizes = [
    [0, '0 B'],
    [0.4, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [20_532, '20.5 kB'],
    [100_000, '100 kB'],
    [110_000, '110 kB'],
    [300_000_000, '300 MB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [999_999_999, '1 GB'],
    [2_147_483_648, '2.15 GB'],
  ] as const;
  expect(sizes.map(([size]) => formatBytes(size))).toEqual(sizes.map(([, text]) => text));
});

test('carries a duration over to the larger unit instead of showing 60 of the smaller one', () => {
  const seconds = [0.85, 0.9999, 12.34, 59.96, 100, 119.7, 3599.6, 7199];
  expect(seconds.map(formatDuration)).toEqual([
    '850 ms',
    '1 s',
    '12.3 s',
    '1 min 0 s',
    '1 min 40 s',
    '2 min 0 s',
    '1 h 0 min',
    '2 h 0 min',
  ]);
});
