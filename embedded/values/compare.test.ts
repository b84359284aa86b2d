import { Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyNumber, anyValue } from '../test/arbitrary-values.ts';
import { compare, compileCollation, equal } from './compare.ts';

test('defines a total order over all types', () => {
  const check = (a: unknown, b: unknown, c: unknown) => {
    expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
    // Wrapped, because Array.sort always moves undefined to the end.
    const [x, y, z] = [{ v: a }, { v: b }, { v: c }].sort((p, q) => compare(p.v, q.v)).map(({ v }) => v);
    expect(compare(x, y)).toBeLessThanOrEqual(0);
    expect(compare(y, z)).toBeLessThanOrEqual(0);
    expect(compare(x, z)).toBeLessThanOrEqual(0);
    if (equal(x, y) && equal(y, z)) expect(equal(x, z)).toBe(true);
  };
  fc.assert(fc.property(anyValue, anyValue, anyValue, check), { numRuns: 3000 });
  fc.assert(fc.property(anyNumber, anyNumber, anyNumber, check), { numRuns: 3000 });
});

test('orders the types as BSON does', () => {
  const ascending = [
    new MinKey(),
    undefined,
    null,
    new Double(Number.NaN),
    new Double(-Infinity),
    new Int32(1),
    'a',
    {},
    [],
    new Uint8Array([1]),
    new ObjectId(),
    false,
    true,
    new Date(0),
    new Timestamp({ t: 0, i: 1 }),
    new MaxKey(),
  ];
  for (let at = 1; at < ascending.length; at++) expect(compare(ascending[at - 1], ascending[at])).toBeLessThan(0);
});

test('compares numbers of different types exactly', () => {
  expect(equal(new Int32(1), Decimal128.fromString('1.0'))).toBe(true);
  expect(compare(Long.fromString('9007199254740993'), new Double(9007199254740992))).toBeGreaterThan(0);
  expect(compare(Decimal128.fromString('0.1'), new Double(0.1))).toBeLessThan(0);
  expect(compare(Decimal128.fromString('1E+6000'), new Double(Infinity))).toBeLessThan(0);
  expect(compare(Decimal128.fromString('-1E+6000'), Decimal128.fromString('-1E+5999'))).toBeLessThan(0);
});

test('ignores case at strength 2 and accents at strength 1', () => {
  const strength = (n: number) => compileCollation({ locale: 'en', strength: new Int32(n) });
  expect(equal('Abc', 'aBC', strength(2))).toBe(true);
  expect(equal('résumé', 'resume', strength(2))).toBe(false);
  expect(equal('Résumé', 'resume', strength(1))).toBe(true);
  expect(strength(2)?.canonicalForm('ABC')).toBe(
    strength(2) && compileCollation({ locale: 'en', strength: new Int32(2) })?.canonicalForm('ABC'),
  );
  expect(compileCollation({ locale: 'simple' })).toBeUndefined();
});

test('rejects unsupported collations', () => {
  expect(() => compileCollation({ locale: 'en', strength: 4 })).toThrow(expect.objectContaining({ code: 238 }));
  expect(() => compileCollation({ locale: 'zz-unknown-locale-x' })).toThrow(expect.objectContaining({ code: 2 }));
});
