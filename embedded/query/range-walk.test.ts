import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, RangeOptions } from '../storage/view.ts';
import { walkRanges } from './range-walk.ts';

const key = (number: number): Buffer => Buffer.from([number >> 8, number & 255]);
const numberOf = (entry: Entry): number => entry.key.readUInt16BE(0);

function viewOf(keys: readonly number[]) {
  let placed = 0;
  return {
    placed: () => placed,
    *range(low: Buffer, high: Buffer, { reverse = false }: RangeOptions = {}): Iterable<Entry> {
      placed++;
      const inside = keys.filter((number) => number >= low.readUInt16BE(0) && number < high.readUInt16BE(0));
      for (const number of reverse ? inside.toReversed() : inside) yield { key: key(number), value: Buffer.alloc(0) };
    },
  };
}

const sorted = (max: number) =>
  fc.uniqueArray(fc.nat(2_000), { maxLength: max }).map((numbers) => numbers.sort((a, b) => a - b));

test('returns exactly the entries in the ranges, in order, forwards and backwards', () => {
  fc.assert(
    fc.property(sorted(300), sorted(40), fc.boolean(), (keys, bounds, reverse) => {
      const pairs = bounds.flatMap((low, at) =>
        at % 2 === 0 && bounds[at + 1] !== undefined ? [[low, bounds[at + 1]!] as const] : [],
      );
      const expected = keys.filter((number) => pairs.some(([low, high]) => number >= low && number < high));
      const ranges = pairs.map(([low, high]) => [key(low), key(high)] as const);
      const found = [...walkRanges(viewOf(keys), ranges, { reverse })].filter((entry) => entry !== null).map(numberOf);
      expect(found).toEqual(reverse ? expected.toReversed() : expected);
    }),
  );
});

test('uses one cursor for close or empty ranges and one for each distant range', () => {
  const every = Array.from({ length: 2_000 }, (_, number) => number);
  const ofEvery = (step: number) =>
    every.filter((number) => number % step === 0).map((number) => [key(number), key(number + 1)] as const);
  const placedFor = (keys: readonly number[], ranges: readonly (readonly [Buffer, Buffer])[]) => {
    const view = viewOf(keys);
    expect([...walkRanges(view, ranges, {})]).toHaveLength(
      ranges.filter(([low]) => keys.includes(low.readUInt16BE(0))).length,
    );
    return view.placed();
  };
  expect(placedFor(every, ofEvery(2))).toBe(1);
  expect(placedFor([], ofEvery(2))).toBe(1);
  expect(placedFor([1_999], ofEvery(1))).toBe(1);
  expect(placedFor(every, ofEvery(100))).toBeLessThanOrEqual(20);
});
