import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains } from '../values/compare.ts';
import { lowerBound } from './lower-bound.ts';

test('is the first place from which on it is so, and the count where it never is', () => {
  fc.assert(
    fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), (count, from) => {
      expect(lowerBound(count, (at) => at >= from)).toBe(Math.min(count, from));
    }),
  );
});

test('of values in order each is found, and no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 0, max: 50 }), (values, wanted) => {
      const sorted = values.toSorted((a, b) => a - b);
      expect(contains(sorted, wanted)).toBe(values.includes(wanted));
    }),
  );
});
