import { Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import { describe, expect, test } from 'vitest';
import type { Doc, Value } from '../values/bson.ts';
import { compileExpression, letScope } from './expressions.ts';

const int = (n: number) => new Int32(n);
const double = (n: number) => new Double(n);
const decimal = (text: string) => Decimal128.fromString(text);
const now = new Date('2024-05-06T07:08:09Z');
const evaluate = (expression: Value, doc: Doc = {}, variables?: Doc) =>
  compileExpression(expression, letScope(variables, { now }))(doc);
// `then` as a plain property would make the object look like a promise.
const branch = (test: Value, answer: Value) =>
  Object.fromEntries([
    ['case', test],
    ['then', answer],
  ]);
const refusal = (code: number) => expect.objectContaining({ code });

describe('paths and variables', () => {
  test('collects the values of documents in arrays and ignores array indexes', () => {
    const doc = { a: [{ b: int(1) }, int(5), { b: int(2) }, {}] };
    expect(evaluate('$a.b', doc)).toEqual([int(1), int(2)]);
    expect(evaluate('$a.0', doc)).toEqual([]);
    expect(evaluate('$x.y', doc)).toBeUndefined();
  });

  test('$$ROOT, $$CURRENT, $$NOW, $$REMOVE and let', () => {
    const doc = { a: { b: int(1) } };
    expect(evaluate('$$ROOT.a.b', doc)).toEqual(int(1));
    expect(evaluate('$$CURRENT', doc)).toBe(doc);
    expect(evaluate('$$NOW')).toBe(now);
    expect(evaluate({ x: '$$REMOVE', y: int(1) })).toEqual({ y: int(1) });
    expect(evaluate(['$missing'])).toEqual([null]);
    expect(evaluate('$$v.b', {}, { v: { b: { $add: [int(1), int(2)] } } })).toEqual(int(3));
    expect(() => evaluate('$$nobody')).toThrow(refusal(17276));
  });

  test('limits inner variables to their expression and hides outer ones', () => {
    const expression = {
      $let: { vars: { v: int(1) }, in: [{ $let: { vars: { v: { $add: ['$$v', int(1)] } }, in: '$$v' } }, '$$v'] },
    };
    expect(evaluate(expression)).toEqual([int(2), int(1)]);
  });
});

describe('numbers', () => {
  test('uses the widest type and widens Int32 to Long and Long to double on overflow', () => {
    expect(evaluate({ $add: [int(2147483647), int(1)] })).toEqual(Long.fromNumber(2147483648));
    expect(evaluate({ $add: [Long.MAX_VALUE, int(1)] })).toEqual(double(2 ** 63));
    expect(evaluate({ $multiply: [int(2), double(1.5)] })).toEqual(double(3));
    expect(String(evaluate({ $add: [decimal('0.1'), int(1)] }))).toBe('1.1');
    expect(evaluate({ $add: [double(0.1), double(0.2), double(0.3)] })).toEqual(double(0.6));
  });

  test('$divide returns a double, $mod keeps the sign of the dividend', () => {
    expect(evaluate({ $divide: [int(6), int(3)] })).toEqual(double(2));
    expect(String(evaluate({ $divide: [decimal('1'), int(3)] }))).toBe('0.3333333333333333333333333333333333');
    expect(evaluate({ $mod: [int(-5), int(3)] })).toEqual(int(-2));
    expect(() => evaluate({ $divide: [int(1), int(0)] })).toThrow(refusal(2));
    expect(() => evaluate({ $mod: [int(1), int(0)] })).toThrow(refusal(16610));
  });

  test('$round rounds half to even before and after the decimal point', () => {
    expect(evaluate({ $round: double(2.5) })).toEqual(double(2));
    expect(evaluate({ $round: [double(1.2345), int(2)] })).toEqual(double(1.23));
    expect(evaluate({ $round: [int(15), int(-1)] })).toEqual(int(20));
    expect(evaluate({ $floor: double(-1.5) })).toEqual(double(-2));
    expect(String(evaluate({ $ceil: decimal('1.2') }))).toBe('2');
    expect(() => evaluate({ $abs: Long.MIN_VALUE })).toThrow(refusal(28680));
  });

  test('adds and subtracts dates', () => {
    expect(evaluate({ $add: [new Date(5), int(10)] })).toEqual(new Date(15));
    expect(evaluate({ $subtract: [new Date(15), new Date(5)] })).toEqual(Long.fromNumber(10));
    expect(() => evaluate({ $add: [new Date(1), new Date(2)] })).toThrow(refusal(16612));
  });

  test('returns null for null or missing operands and rejects other types', () => {
    for (const operator of ['$add', '$multiply', '$subtract', '$divide', '$mod', '$concat', '$concatArrays'])
      expect(evaluate({ [operator]: [null, '$missing'] })).toBeNull();
    expect(() => evaluate({ $add: ['a', int(1)] })).toThrow(refusal(14));
    expect(() => evaluate({ $multiply: [true, int(1)] })).toThrow(refusal(14));
  });
});

describe('conditions', () => {
  test('sorts missing below null and compares every type', () => {
    expect(evaluate({ $eq: ['$missing', null] })).toBe(false);
    expect(evaluate({ $lt: ['$missing', null] })).toBe(true);
    expect(evaluate({ $gt: ['a', int(5)] })).toBe(true);
    expect(evaluate({ $cmp: [int(2), double(2)] })).toEqual(int(0));
  });

  test('treats only false, zero, null and missing as false', () => {
    expect(['', [], {}, double(Number.NaN)].map((value) => evaluate({ $not: [{ $literal: value }] }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([false, int(0), decimal('0'), null].map((value) => evaluate({ $and: [value] }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('$cond, $ifNull, $switch and $and skip unneeded arguments', () => {
    const failing = { $divide: [int(1), '$zero'] };
    const doc = { zero: int(0) };
    expect(evaluate({ $cond: [true, int(1), failing] }, doc)).toEqual(int(1));
    expect(evaluate({ $ifNull: ['$missing', int(2), failing] }, doc)).toEqual(int(2));
    expect(evaluate({ $switch: { branches: [branch(true, int(3))], default: failing } }, doc)).toEqual(int(3));
    expect(evaluate({ $and: [false, failing] }, doc)).toBe(false);
    expect(() => evaluate({ $switch: { branches: [branch(false, int(1))] } })).toThrow(refusal(40066));
  });
});

describe('text', () => {
  test('counts code points and changes case in ASCII only', () => {
    expect(evaluate({ $strLenCP: 'é😀' })).toEqual(int(2));
    expect(evaluate({ $substrCP: ['a😀bc', int(1), int(2)] })).toBe('😀b');
    expect(evaluate({ $toUpper: 'aé' })).toBe('Aé');
    expect(evaluate({ $toLower: null })).toBe('');
  });

  test('$split, $trim and $concat', () => {
    expect(evaluate({ $split: ['a,b', ','] })).toEqual(['a', 'b']);
    expect(evaluate({ $trim: { input: ' \n a ' } })).toBe('a');
    expect(evaluate({ $trim: { input: 'xxaxx', chars: 'x' } })).toBe('a');
    expect(() => evaluate({ $concat: ['a', int(1)] })).toThrow(refusal(16702));
    expect(() => evaluate({ $split: ['a', ''] })).toThrow(refusal(40087));
  });
});

describe('arrays and documents', () => {
  test('$map, $filter and $reduce bind their element', () => {
    expect(
      evaluate({ $map: { input: '$a', as: 'x', in: { $multiply: ['$$x', int(2)] } } }, { a: [int(1), int(2)] }),
    ).toEqual([int(2), int(4)]);
    expect(
      evaluate(
        { $filter: { input: '$a', cond: { $gt: ['$$this', int(1)] }, limit: int(1) } },
        { a: [int(1), int(2), int(3)] },
      ),
    ).toEqual([int(2)]);
    expect(evaluate({ $reduce: { input: ['a', 'b'], initialValue: '', in: { $concat: ['$$value', '$$this'] } } })).toBe(
      'ab',
    );
    expect(evaluate({ $map: { input: '$missing', in: int(1) } })).toBeNull();
    expect(() => evaluate({ $map: { input: 'x', in: int(1) } })).toThrow(refusal(16883));
  });

  test('returns elements, slices and positions', () => {
    const doc = { a: [int(1), int(2), int(3)] };
    expect(evaluate({ $arrayElemAt: ['$a', int(-1)] }, doc)).toEqual(int(3));
    expect(evaluate({ $arrayElemAt: ['$a', int(9)] }, doc)).toBeUndefined();
    expect(evaluate({ $slice: ['$a', int(1), int(1)] }, doc)).toEqual([int(2)]);
    expect(evaluate({ $indexOfArray: ['$a', double(2)] }, doc)).toEqual(int(1));
    expect(evaluate({ $in: [double(2), '$a'] }, doc)).toBe(true);
    expect(() => evaluate({ $size: '$missing' })).toThrow(refusal(17124));
  });

  test('keeps equal values once in sets', () => {
    expect(evaluate({ $setUnion: [[int(2), int(1)], [double(1)]] })).toEqual([int(1), int(2)]);
    expect(evaluate({ $setIntersection: [[int(1), int(2)], [double(2)]] })).toEqual([int(2)]);
    expect(evaluate({ $setDifference: [[int(3), int(1), int(3)], [double(1)]] })).toEqual([int(3)]);
  });

  test('converts documents to entries and back', () => {
    expect(evaluate({ $mergeObjects: [{ a: int(1) }, null, { a: int(2), b: int(3) }] })).toEqual({
      a: int(2),
      b: int(3),
    });
    expect(evaluate({ $objectToArray: { a: int(1) } })).toEqual([{ k: 'a', v: int(1) }]);
    expect(evaluate({ $arrayToObject: [[{ k: 'a', v: int(1) }]] })).toEqual({ a: int(1) });
    expect(evaluate({ $getField: { field: { $literal: '$odd' }, input: '$$ROOT' } }, { $odd: int(1) })).toEqual(int(1));
    expect(
      Object.entries(
        evaluate(
          { $setField: { field: { $literal: 'a.b' }, input: '$$ROOT', value: int(3) } },
          { 'a.b': int(1), c: int(2) },
        ) as object,
      ),
    ).toEqual([
      ['a.b', int(3)],
      ['c', int(2)],
    ]);
    expect(evaluate({ $setField: { field: 'd', input: '$$ROOT', value: '$c' } }, { c: int(2) })).toEqual({
      c: int(2),
      d: int(2),
    });
    expect(
      evaluate({ $unsetField: { field: { $literal: 'a.b' }, input: '$$ROOT' } }, { 'a.b': int(1), c: int(2) }),
    ).toEqual({ c: int(2) });
    expect(evaluate({ $setField: { field: 'd', input: null, value: int(1) } })).toBeNull();
    expect(evaluate({ $sortArray: { input: [{ a: int(2) }, { a: int(1) }], sortBy: { a: int(1) } } })).toEqual([
      { a: int(1) },
      { a: int(2) },
    ]);
  });
});

describe('conversion', () => {
  test('formats numbers as MongoDB does', () => {
    const texts = [0.1, 1, 1e15, 1e16, 1e-5, -2.5, 1 / 3].map((n) => evaluate({ $toString: double(n) }));
    expect(texts).toEqual(['0.1', '1', '1000000000000000', '1e+16', '1e-05', '-2.5', '0.3333333333333333']);
    expect(evaluate({ $toString: Long.MAX_VALUE })).toBe('9223372036854775807');
    expect(evaluate({ $toString: new Date(0) })).toBe('1970-01-01T00:00:00.000Z');
  });

  test('converts text and numbers to integers strictly', () => {
    expect(evaluate({ $toInt: double(2.9) })).toEqual(int(2));
    expect(evaluate({ $toLong: '12' })).toEqual(Long.fromNumber(12));
    expect(evaluate({ $toDouble: '1.5e3' })).toEqual(double(1500));
    for (const bad of ['1.5', ' 1', 'x', '']) expect(() => evaluate({ $toInt: bad })).toThrow(refusal(241));
    expect(() => evaluate({ $toInt: double(2 ** 31) })).toThrow(refusal(241));
    expect(evaluate({ $toInt: null })).toBeNull();
  });

  test('converts text, numbers and ids to dates', () => {
    expect(evaluate({ $toDate: '2020-02-29T12:34:56.789+02:00' })).toEqual(new Date('2020-02-29T10:34:56.789Z'));
    expect(evaluate({ $toDate: Long.fromNumber(5) })).toEqual(new Date(5));
    expect(evaluate({ $toDate: new ObjectId('000000010000000000000000') })).toEqual(new Date(1000));
    expect(() => evaluate({ $toDate: 'soon' })).toThrow(refusal(241));
  });

  test('$dateToString supports formats, offsets and time zones', () => {
    const date = new Date('2021-01-03T23:30:00.007Z');
    const text = (format: string, timezone = 'UTC') => evaluate({ $dateToString: { date, format, timezone } });
    expect(text('%Y-%m-%d %H:%M:%S.%L')).toBe('2021-01-03 23:30:00.007');
    expect(text('%G-W%V-%u %j %U %w')).toBe('2020-W53-7 003 01 1');
    expect(text('%d %H %z', '+05:30')).toBe('04 05 +0530');
    expect(text('%H', 'Europe/Berlin')).toBe('00');
    expect(evaluate({ $dateToString: { date: null, onNull: 'none' } })).toBe('none');
    expect(() => text('%Q')).toThrow(refusal(18536));
  });
});

test('rejects invalid names, argument counts and fields at compile time', () => {
  const compile = (expression: Value) => () => compileExpression(expression, letScope(undefined, { now }));
  expect(compile({ $foo: int(1) })).toThrow(refusal(168));
  expect(compile({ $eq: [int(1)] })).toThrow(refusal(16020));
  expect(compile({ $add: [int(1)], $subtract: [] })).toThrow(refusal(15983));
  expect(compile({ $map: { input: [] } })).toThrow(refusal(16882));
  expect(
    compile({
      $cond: Object.fromEntries([
        ['if', true],
        ['then', int(1)],
      ]),
    }),
  ).toThrow(refusal(17082));
  expect(compile('$a..b')).toThrow(refusal(15998));
  expect(compile('$')).toThrow(refusal(16872));
});
