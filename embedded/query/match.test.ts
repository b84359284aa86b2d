import { BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyFilter, plainDoc } from '../test/arbitrary-commands.ts';
import type { Doc } from '../values/bson.ts';
import { compileCollation } from '../values/compare.ts';
import { compileFilter } from './match.ts';
import { anchoredPrefix, compileRegex } from './regex.ts';

const int = (n: number) => new Int32(n);
const matches = (filter: Doc, doc: Doc) => compileFilter(filter).test(doc);
const errorWith = (code: number) => expect.objectContaining({ code });

describe('equality', () => {
  test('treats numbers of different types as equal', () => {
    for (const value of [int(2), new Double(2), Long.fromNumber(2), Decimal128.fromString('2.0')])
      expect(matches({ a: int(2) }, { a: value })).toBe(true);
  });

  test('matches null with missing fields', () => {
    expect(matches({ a: null }, {})).toBe(true);
    expect(matches({ a: null }, { a: null })).toBe(true);
    expect(matches({ 'a.b': null }, { a: int(1) })).toBe(true);
    expect(matches({ 'a.b': null }, { a: [int(1)] })).toBe(false);
    expect(matches({ a: null }, { a: [] })).toBe(false);
  });

  test('matches an array by an element or as a whole, and documents in field order', () => {
    expect(matches({ a: int(1) }, { a: [int(2), int(1)] })).toBe(true);
    expect(matches({ a: [int(2), int(1)] }, { a: [int(2), int(1)] })).toBe(true);
    expect(matches({ a: [int(2), int(1)] }, { a: [[int(2), int(1)]] })).toBe(true);
    expect(matches({ a: [int(1)] }, { a: [int(2), int(1)] })).toBe(false);
    expect(matches({ a: { x: int(1), y: int(2) } }, { a: { y: int(2), x: int(1) } })).toBe(false);
  });
});

describe('paths', () => {
  test('traverse documents in arrays and array indexes', () => {
    const doc = { a: [{ b: int(1) }, int(7), { b: [int(2), int(3)] }] };
    expect(matches({ 'a.b': int(3) }, doc)).toBe(true);
    expect(matches({ 'a.2.b': int(2) }, doc)).toBe(true);
    expect(matches({ 'a.1': int(7) }, doc)).toBe(true);
    expect(matches({ 'a.1.b': null }, { a: [int(7), int(8)] })).toBe(false);
  });

  test('do not search an array selected by an index at their end', () => {
    expect(matches({ 'a.0': int(1) }, { a: [[int(1)]] })).toBe(false);
    expect(matches({ 'a.0': [int(1)] }, { a: [[int(1)]] })).toBe(true);
  });
});

describe('comparison', () => {
  test('compares only values of the same type', () => {
    expect(matches({ a: { $gt: int(1) } }, { a: 'x' })).toBe(false);
    expect(matches({ a: { $lt: 'x' } }, { a: int(1) })).toBe(false);
    expect(matches({ a: { $gt: new Date(0) } }, { a: new Date(1) })).toBe(true);
  });

  test('matches null with missing only by $gte and $lte, and NaN only with itself', () => {
    expect(matches({ a: { $gte: null } }, {})).toBe(true);
    expect(matches({ a: { $gt: null } }, {})).toBe(false);
    expect(matches({ a: { $lte: new Double(Number.NaN) } }, { a: new Double(Number.NaN) })).toBe(true);
    expect(matches({ a: { $lt: int(1) } }, { a: new Double(Number.NaN) })).toBe(false);
  });

  test('compares MinKey and MaxKey with every type', () => {
    expect(matches({ a: { $gt: new MinKey() } }, { a: 'x' })).toBe(true);
    expect(matches({ a: { $lt: new MaxKey() } }, { a: int(1) })).toBe(true);
  });

  test('distinguishes a Long beyond 2^53 from its neighbors', () => {
    expect(matches({ a: { $gt: new Double(2 ** 53) } }, { a: Long.fromString('9007199254740993') })).toBe(true);
    expect(matches({ a: Long.fromString('9007199254740993') }, { a: new Double(2 ** 53) })).toBe(false);
  });
});

describe('operators', () => {
  test('$in accepts values, null and regular expressions; $nin is its negation', () => {
    const filter = { a: { $in: [int(1), null, new BSONRegExp('^x', '')] } };
    expect([{ a: int(1) }, {}, { a: 'xy' }, { a: 'yx' }].map((doc) => matches(filter, doc))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(matches({ a: { $nin: [int(1)] } }, { a: [int(1), int(2)] })).toBe(false);
  });

  test('$elemMatch tests all conditions on one element, separate conditions may match different elements', () => {
    const doc = {
      a: [
        { x: int(1), y: int(2) },
        { x: int(2), y: int(1) },
      ],
    };
    expect(matches({ a: { $elemMatch: { x: int(1), y: int(1) } } }, doc)).toBe(false);
    expect(matches({ 'a.x': int(1), 'a.y': int(1) }, doc)).toBe(true);
    expect(matches({ a: { $elemMatch: { $gt: int(1), $lt: int(3) } } }, { a: [int(0), int(2)] })).toBe(true);
    expect(matches({ a: { $elemMatch: { $gt: int(1), $lt: int(3) } } }, { a: [int(0), int(4)] })).toBe(false);
    expect(matches({ a: { $gt: int(1), $lt: int(3) } }, { a: [int(0), int(4)] })).toBe(true);
  });

  test('$exists, $size and $type match', () => {
    expect(matches({ a: { $exists: false } }, { a: null })).toBe(false);
    expect(matches({ 'a.b': { $exists: true } }, { a: [{ b: null }] })).toBe(true);
    expect(matches({ a: { $size: int(2) } }, { a: [[], []] })).toBe(true);
    expect(matches({ a: { $type: 'number' } }, { a: [new Double(1)] })).toBe(true);
    expect(matches({ a: { $type: ['string', int(4)] } }, { a: [] })).toBe(true);
    expect(matches({ a: { $type: int(16) } }, { a: new Double(1) })).toBe(false);
  });

  test('$expr compares fields and variables of let', () => {
    expect(matches({ $expr: { $gt: ['$a', '$b'] } }, { a: int(2), b: int(1) })).toBe(true);
    expect(compileFilter({ $expr: { $eq: ['$a', '$$x'] } }, { let: { x: int(5) } }).test({ a: new Double(5) })).toBe(
      true,
    );
  });

  test('a collation applies to every string comparison', () => {
    const collation = compileCollation({ locale: 'en', strength: int(2) });
    for (const filter of [{ a: 'ABC' }, { a: { $in: ['x', 'ABC'] } }, { a: { $gte: 'ABC', $lte: 'ABC' } }])
      expect(compileFilter(filter, { collation }).test({ a: 'abc' })).toBe(true);
  });

  test('$nor matches exactly the documents that its filter does not match', () => {
    fc.assert(
      fc.property(anyFilter, plainDoc, (filter, doc) => {
        try {
          expect(matches({ $nor: [filter] }, doc)).toBe(!matches(filter, doc));
        } catch (error) {
          expect(error).toMatchObject({ code: expect.any(Number) });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('regular expressions', () => {
  test('accept options, inline options and PCRE syntax that JavaScript lacks', () => {
    expect(compileRegex('(?i)ABC', '').regex.test('abc')).toBe(true);
    expect(compileRegex('\\Aab\\z', '').regex.test('ab')).toBe(true);
    expect(compileRegex('ab$', '').regex.test('ab\n')).toBe(true);
    expect(compileRegex('^b', 'm').regex.test('a\nb')).toBe(true);
    expect(compileRegex('[[:digit:]]+', '').regex.test('7')).toBe(true);
    expect(compileRegex('a.b', 's').regex.test('a\nb')).toBe(true);
    expect(compileRegex('\\-\\_', '').regex.test('-_')).toBe(true);
  });

  test('are rejected with an invalid pattern or an unknown option', () => {
    expect(() => matches({ a: { $regex: '(' } }, {})).toThrow(errorWith(51091));
    expect(() => matches({ a: { $regex: 'a', $options: 'q' } }, {})).toThrow(errorWith(51108));
    expect(() => matches({ a: { $options: 'i' } }, {})).toThrow(errorWith(2));
  });

  test('have an anchored prefix that an index can search', () => {
    expect(anchoredPrefix('^abc', '')).toBe('abc');
    expect(anchoredPrefix('^ab\\.c[x]', '')).toBe('ab.c');
    expect(anchoredPrefix('^abc*', '')).toBe('ab');
    expect(anchoredPrefix('^a|b', '')).toBeUndefined();
    expect(anchoredPrefix('^abc', 'i')).toBeUndefined();
    expect(anchoredPrefix('abc', '')).toBeUndefined();
  });
});

test('rejects unknown, unsupported and malformed operators with their codes', () => {
  expect(() => compileFilter({ a: { $foo: int(1) } })).toThrow(errorWith(238));
  expect(() => compileFilter({ $foo: int(1) })).toThrow(errorWith(238));
  expect(() => compileFilter({ a: { $bitsAllSet: int(1) } })).toThrow(errorWith(238));
  expect(() => compileFilter({ a: { $all: [int(1)] } })).toThrow(errorWith(238));
  expect(() => compileFilter({ $where: 'true' })).toThrow(errorWith(238));
  expect(() => compileFilter({ $or: [] })).toThrow(errorWith(2));
  expect(() => compileFilter({ a: { $in: int(1) } })).toThrow(errorWith(2));
  expect(() => compileFilter({ a: { $gt: new BSONRegExp('a', '') } })).toThrow(errorWith(2));
  expect(() => compileFilter({ a: { $type: [] } })).toThrow(errorWith(9));
  expect(
    matches(
      { a: { $ref: 'c', $id: new ObjectId('000000000000000000000001') } },
      { a: { $ref: 'c', $id: new ObjectId('000000000000000000000001') } },
    ),
  ).toBe(true);
});
