import { Decimal128, Double, Int32, Long } from 'bson';
import { describe, expect, test } from 'vitest';
import type { Doc, Value } from '../values/bson.ts';
import { compileExpression, letScope } from './expressions.ts';

const int = (n: number) => new Int32(n);
const double = (n: number) => new Double(n);
const decimal = (text: string) => Decimal128.fromString(text);
const now = new Date('2024-05-06T07:08:09Z');
const evaluate = (expression: Value, doc: Doc = {}, variables?: Doc) =>
  compileExpression(expression, letScope(variables, { now }))(doc);
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
});

describe('numbers', () => {
  test('uses the widest type and widens Int32 to Long and Long to double on overflow', () => {
    expect(evaluate({ $add: [int(2147483647), int(1)] })).toEqual(Long.fromNumber(2147483648));
    expect(evaluate({ $add: [Long.MAX_VALUE, int(1)] })).toEqual(double(2 ** 63));
    expect(evaluate({ $multiply: [int(2), double(1.5)] })).toEqual(double(3));
    expect(() => evaluate({ $add: [decimal('0.1'), int(1)] })).toThrow(refusal(238));
  });

  test('calculates from left to right, in doubles from the first double or overflow on', () => {
    const max = Long.MAX_VALUE;
    expect(evaluate({ $add: [double(0.1), double(0.2), double(0.3)] })).toEqual(double(0.1 + 0.2 + 0.3));
    expect(evaluate({ $add: [double(2.5), max, Long.fromString('-9223372036854775805')] })).toEqual(double(0));
    expect(evaluate({ $add: [max, Long.fromString('-9223372036854775805'), double(2.5)] })).toEqual(double(4.5));
    expect(evaluate({ $add: [max, int(1), int(-1)] })).toEqual(double(2 ** 63));
    expect(evaluate({ $add: [int(2147483647), int(1), int(-1)] })).toEqual(int(2147483647));
    expect(evaluate({ $multiply: [int(2147483647), int(2), int(0)] })).toEqual(int(0));
    expect(evaluate({ $multiply: [max, int(2), int(0)] })).toEqual(double(0));
  });

  test('adds and subtracts dates', () => {
    expect(evaluate({ $add: [new Date(5), int(10)] })).toEqual(new Date(15));
    expect(evaluate({ $subtract: [new Date(15), new Date(5)] })).toEqual(Long.fromNumber(10));
    expect(() => evaluate({ $add: [new Date(1), new Date(2)] })).toThrow(refusal(16612));
    expect(() => evaluate({ $add: [new Date(1), double(Number.NaN)] })).toThrow(refusal(15));
  });

  test('rounds each number that it adds to a date half away from zero', () => {
    expect(evaluate({ $add: [new Date(5), double(-2.5)] })).toEqual(new Date(2));
    expect(evaluate({ $subtract: [new Date(5), double(-2.5)] })).toEqual(new Date(8));
    expect(evaluate({ $add: [new Date(5), double(0.4), double(0.4)] })).toEqual(new Date(5));
    expect(evaluate({ $add: [double(0.4), double(0.4), new Date(5)] })).toEqual(new Date(6));
    expect(evaluate({ $add: [new Date(5), Long.fromString('9007199254740993'), double(-(2 ** 53))] })).toEqual(
      new Date(6),
    );
  });

  test('returns null for null or missing operands and rejects other types', () => {
    for (const operator of ['$add', '$multiply', '$subtract'])
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

  test('$cond, $ifNull and $and skip unneeded arguments', () => {
    const failing = { $size: '$zero' };
    const doc = { zero: int(0) };
    expect(evaluate({ $cond: [true, int(1), failing] }, doc)).toEqual(int(1));
    expect(evaluate({ $ifNull: ['$missing', int(2), failing] }, doc)).toEqual(int(2));
    expect(evaluate({ $and: [false, failing] }, doc)).toBe(false);
  });
});

describe('arrays', () => {
  test('returns the size and parts of an array', () => {
    const doc = { a: [int(1), int(2), int(3)] };
    expect(evaluate({ $size: '$a' }, doc)).toEqual(int(3));
    expect(evaluate({ $slice: ['$a', int(-2)] }, doc)).toEqual([int(2), int(3)]);
    expect(evaluate({ $slice: ['$a', int(1), int(1)] }, doc)).toEqual([int(2)]);
    expect(() => evaluate({ $size: '$missing' })).toThrow(refusal(17124));
  });
});

test('rejects invalid names, argument counts and fields at compile time', () => {
  const compile = (expression: Value) => () => compileExpression(expression, letScope(undefined, { now }));
  expect(compile({ $foo: int(1) })).toThrow(refusal(238));
  expect(compile({ $eq: [int(1)] })).toThrow(refusal(16020));
  expect(compile({ $add: [int(1)], $subtract: [] })).toThrow(refusal(15983));
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
