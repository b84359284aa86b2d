import { expect, test } from 'vitest';
import { bytes, duration } from './format.ts';

test('a size keeps the noughts of its whole number, and is never a thousand of its unit', () => {
  const sizes = [
    0, 0.4, 999, 1000, 20_532, 100_000, 110_000, 300_000_000, 999_499, 999_500, 999_999_999, 2_147_483_648,
  ];
  const shown = [
    '0 B',
    '0 B',
    '999 B',
    '1 kB',
    '20.5 kB',
    '100 kB',
    '110 kB',
    '300 MB',
    '999 kB',
    '1 MB',
    '1 GB',
    '2.15 GB',
  ];
  expect(sizes.map(bytes)).toEqual(shown);
});

test('a duration is never sixty of its smaller unit', () => {
  const seconds = [0.85, 0.9999, 12.34, 59.96, 100, 119.7, 3599.6, 7199];
  expect(seconds.map(duration)).toEqual([
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
