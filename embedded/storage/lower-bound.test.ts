import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains } from '../values/compare.ts';
import { lowerBound } from './lower-bound.ts';

test('returns the first index at which the predicate is true, or the count', () => {
  fc.assert(
    fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), (count, from) => {
      expect(lowerBound(count, (at) => at >= from)).toBe(Math.min(count, from));
    }),
  );
});

test('finds exactly the values of a sorted list', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 0, max: 50 }), (values, wanted) => {
      const sorted = values.toSorted((a, b) => a - b);
      expect(contains(sorted, wanted)).toBe(values.includes(wanted));
    }),
  );
});
