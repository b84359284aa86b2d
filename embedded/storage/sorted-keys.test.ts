import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSortedKeys } from './sorted-keys.ts';

const name = fc.string({ maxLength: 3 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(name, { maxLength: 3 }).map((added) => ({ added })) },
  {
    weight: 1,
    arbitrary: fc.array(name, { minLength: 500, maxLength: 3_000, size: 'max' }).map((added) => ({ added })),
  },
  { weight: 5, arbitrary: fc.tuple(name, name).map((bounds) => ({ bounds })) },
);

test('returns the names of any range in order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const keys = createSortedKeys();
      const all = new Set<string>();
      for (const one of steps) {
        if ('added' in one) {
          for (const name of new Set(one.added)) {
            if (!all.has(name)) keys.add(name);
            all.add(name);
          }
        } else {
          const [low, high] = one.bounds;
          expect(keys.between(low, high)).toEqual([...all].filter((name) => name >= low && name < high).sort());
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('keeps all names when blocks are split', () => {
  const keys = createSortedKeys();
  const names = Array.from({ length: 6_000 }, (_, n) => String((n * 7_919) % 6_000).padStart(4, '0'));
  for (const name of names) {
    keys.add(name);
    keys.between('', '0');
  }
  expect(keys.between('', ':')).toEqual(names.toSorted());
  expect(keys.between('1000', '1003')).toEqual(['1000', '1001', '1002']);
});
