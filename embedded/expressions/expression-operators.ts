// The operators that always evaluate all their arguments.

import { Int32 } from 'bson';
import { storeError } from '../protocol/errors.ts';
import { calculateAll, subtractOrDouble, toIntegerValue, toMilliseconds } from '../values/arithmetic.ts';
import { isNumber, isTruthy, typeName, type Value } from '../values/bson.ts';
import { compare } from '../values/compare.ts';
import { sliceItems } from '../values/slice-items.ts';
import {
  defineNullPropagating,
  defineOperator,
  isNullish,
  type Operator,
  type Operators,
  requireInt32,
} from './expression-scope.ts';

/**
 * Comparison, arithmetic and arrays. The result of arithmetic has the widest type of the operands; an Int32 that
 * overflows becomes a Long, a Long a double.
 */
export const OPERATORS: Operators = {
  $eq: comparisonOperator((order) => order === 0),
  $ne: comparisonOperator((order) => order !== 0),
  $gt: comparisonOperator((order) => order > 0),
  $gte: comparisonOperator((order) => order >= 0),
  $lt: comparisonOperator((order) => order < 0),
  $lte: comparisonOperator((order) => order <= 0),
  $not: defineOperator(1, 1, ([value]) => !isTruthy(value)),
  $add: { fold: add },
  $subtract: defineNullPropagating(2, 2, ([a, b]) => subtract(a, b)),
  $multiply: { fold: multiply },
  $size: defineOperator(1, 1, ([value]) => new Int32(requireArray(value, 17124, '$size').length)),
  $slice: defineNullPropagating(2, 3, slice),
};

function comparisonOperator(resultOf: (order: number) => Value): Operator {
  return defineOperator(2, 2, ([a, b], { collation }) => resultOf(compare(a, b, collation)));
}

function add(values: Iterable<Value>): Value {
  const numbers: Value[] = [];
  let date: bigint | undefined;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (date !== undefined) throw storeError(16612, 'only one date allowed in an $add expression');
      date = BigInt(value.getTime()) + toMilliseconds(calculateAll('add', numbers));
    } else if (!isNumber(value))
      throw storeError(14, `$add only supports numeric or date types, not ${typeName(value)}`);
    else if (date === undefined) numbers.push(value);
    else date += toMilliseconds(value);
  }
  return date === undefined ? calculateAll('add', numbers) : dateAt(date);
}

function subtract(a: Value, b: Value): Value {
  if (a instanceof Date) {
    if (b instanceof Date) return toIntegerValue(BigInt(a.getTime() - b.getTime()), 'long');
    if (isNumber(b)) return dateAt(BigInt(a.getTime()) - toMilliseconds(b));
  }
  if (!isNumber(a) || !isNumber(b)) throw storeError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
  return subtractOrDouble(a, b);
}

function dateAt(milliseconds: bigint): Date {
  const date = new Date(Number(milliseconds));
  if (Number.isNaN(date.getTime())) throw storeError(15, 'date overflow');
  return date;
}

function multiply(values: Iterable<Value>): Value {
  const numbers: Value[] = [];
  for (const value of values) {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw storeError(14, `$multiply only supports numeric types, not ${typeName(value)}`);
    numbers.push(value);
  }
  return calculateAll('multiply', numbers);
}

function requireArray(value: Value, code: number, operator: string): Value[] {
  if (!Array.isArray(value)) throw storeError(code, `${operator} requires an array, but was given ${typeName(value)}`);
  return value;
}

function slice([array, second, third]: Value[]): Value {
  const items = requireArray(array, 28724, '$slice');
  const position = requireInt32(
    second,
    28725,
    `Second argument to $slice must be a numeric value, but is of type: ${typeName(second)}`,
  );
  if (third === undefined) return sliceItems(items, position);
  const count = requireInt32(
    third,
    28727,
    `Third argument to $slice must be numeric, but is of type: ${typeName(third)}`,
  );
  if (count <= 0) throw storeError(28729, `Third argument to $slice must be positive: ${count}`);
  return sliceItems(items, position, count);
}
