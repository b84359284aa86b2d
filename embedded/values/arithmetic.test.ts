import { Decimal128, Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyNumber } from '../test/arbitrary-values.ts';
import { calculate, startSummation } from './arithmetic.ts';
import { asNumber } from './bson.ts';
import { exactOf } from './decimal.ts';

const anyBinary = anyNumber.filter((number) => !(number instanceof Decimal128));

test('adds and multiplies commutatively', () => {
  fc.assert(
    fc.property(anyBinary, anyBinary, fc.constantFrom<'add' | 'multiply'>('add', 'multiply'), (a, b, operation) => {
      expect(String(calculate(operation, a, b))).toBe(String(calculate(operation, b, a)));
    }),
    { numRuns: 3000 },
  );
});

test('adds integers exactly or reports an overflow', () => {
  const whole = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      const sum = calculate('add', Long.fromBigInt(a), Long.fromBigInt(b));
      expect(sum === undefined ? undefined : BigInt(String(sum))).toBe(
        BigInt.asIntN(64, a + b) === a + b ? a + b : undefined,
      );
    }),
  );
});

test('converts a decimal to its exact form', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }),
      fc.integer({ min: -6176, max: 6111 }),
      (coefficient, exponent) => {
        const decimal = Decimal128.fromString(`${coefficient}E${exponent}`);
        expect(exactOf(decimal)).toEqual({ coefficient, exponent });
      },
    ),
  );
});

test('compensates rounding errors in a sum of doubles', () => {
  const sum = startSummation();
  for (const value of [1e16, 1, -1e16]) sum.add(new Double(value));
  expect(sum.total()).toEqual(new Double(1));
});

test('returns a sum in the widest type, or a double when a Long overflows', () => {
  const total = (...values: unknown[]) => {
    const sum = startSummation();
    for (const value of values) sum.add(value);
    return sum.total();
  };
  expect(total()).toEqual(new Int32(0));
  expect(total(new Int32(2147483647), new Int32(1))).toEqual(Long.fromNumber(2147483648));
  expect(total(Long.MAX_VALUE, Long.MAX_VALUE)).toEqual(new Double(2 ** 64));
  expect(asNumber(total(new Int32(1), new Double(0.5)))).toBe(1.5);
});
