import { Decimal128, Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyScalar, anyValue, twoOfAKind } from '../test/arbitrary-values.ts';
import { compare } from '../values/compare.ts';
import { encodeKey } from './keystring.ts';

const key = (value: unknown) => encodeKey([value], [1]);

test('sorts keys in the order of their values', () => {
  fc.assert(
    fc.property(fc.oneof(fc.tuple(anyValue, anyValue), twoOfAKind), ([a, b]) => {
      expect(Math.sign(Buffer.compare(key(a), key(b)))).toBe(Math.sign(compare(a, b)));
    }),
    { numRuns: 5000 },
  );
});

test('sorts compound keys field by field in the given directions', () => {
  const directions = fc.tuple(fc.constantFrom<1 | -1>(1, -1), fc.constantFrom<1 | -1>(1, -1));
  const pair = fc.tuple(anyScalar, anyValue);
  fc.assert(
    fc.property(pair, pair, directions, (a, b, sides) => {
      const wanted = compare(a[0], b[0]) * sides[0] || compare(a[1], b[1]) * sides[1];
      expect(Math.sign(Buffer.compare(encodeKey(a, sides), encodeKey(b, sides)))).toBe(Math.sign(wanted) + 0); // no -0
    }),
    { numRuns: 3000 },
  );
});

test('creates no key that is a prefix of another key', () => {
  fc.assert(
    fc.property(anyValue, anyValue, (a, b) => {
      const [x, y] = [key(a), key(b)];
      if (!x.equals(y)) expect(y.subarray(0, x.length).equals(x)).toBe(false);
    }),
    { numRuns: 3000 },
  );
});

test('creates equal keys for equal numbers of different types only', () => {
  const ones = [new Int32(1), new Double(1), Long.fromNumber(1), Decimal128.fromString('1.000')].map((n) =>
    key(n).toString('hex'),
  );
  expect(new Set(ones).size).toBe(1);
  expect(key(Long.fromString('9007199254740993'))).toEqual(key(Decimal128.fromString('9007199254740993')));
  expect(key(Long.fromString('9007199254740993'))).not.toEqual(key(new Double(2 ** 53)));
  expect(key(new Double(-0))).toEqual(key(new Int32(0)));
});
