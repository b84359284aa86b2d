import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linePath, roundUp } from './plot.ts';

const AREA = { width: 100, height: 50 };

describe('linePath', () => {
  it('spans the area, with the highest value at the top', () => {
    expect(linePath([10, 20, 30], [0, 5, 10], 10, AREA, 15)).toBe('M0 50L50 25L100 0');
  });

  it('breaks the line at missing samples', () => {
    expect(linePath([0, 10, 90, 100], [1, 1, 1, 1], 1, AREA, 15)).toBe('M0 0L10 0M90 0L100 0');
  });

  it('is empty without samples and a point with one sample', () => {
    expect([linePath([], [], 1, AREA, 15), linePath([5], [0], 1, AREA, 15)]).toEqual(['', 'M0 50']);
  });
});

it('rounds up to at most two and a half times the value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (value) => {
      const round = roundUp(value);
      expect(round).toBeGreaterThanOrEqual(value);
      expect(round).toBeLessThanOrEqual(value * 2.5);
    }),
  );
  expect(roundUp(0)).toBe(1);
});
