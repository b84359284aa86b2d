// The arithmetic operators.

import { Double, Int32 } from 'bson';
import { storeError } from '../protocol/errors.ts';
import {
  calculateOrDouble,
  divide,
  numberType,
  remainderOf,
  startSummation,
  toBigInt,
  toIntegerValue,
} from '../values/arithmetic.ts';
import { asNumber, isNumber, typeName, type Value } from '../values/bson.ts';
import { exactOf, roundHalfEven, toDecimal128, withExponent } from '../values/decimal.ts';
import {
  defineNullPropagating,
  defineOperator,
  isNullish,
  type Operator,
  type Operators,
  requireInt32,
} from './expression-scope.ts';

/**
 * The arithmetic operators. The result has the widest type of the operands; an Int32 that overflows becomes a Long, a
 * Long a double.
 */
export const NUMBER_OPERATORS: Operators = {
  $add: { fold: add },
  $subtract: defineNullPropagating(2, 2, ([a, b]) => subtract(a, b)),
  $multiply: { fold: multiply },
  $divide: divisionOperator('$divide', 14, 2, divide),
  $mod: divisionOperator('$mod', 16611, 16610, remainderOf),
  $abs: unaryOperator('$abs', absolute),
  $ceil: unaryOperator('$ceil', (number) => toInteger(number, 1n, Math.ceil)),
  $floor: unaryOperator('$floor', (number) => toInteger(number, -1n, Math.floor)),
  $round: defineOperator(1, 2, round),
};

function add(values: Iterable<Value>): Value {
  const summation = startSummation();
  let date: Date | undefined;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (date) throw storeError(16612, 'only one date allowed in an $add expression');
      date = value;
    } else if (isNumber(value)) summation.add(value);
    else throw storeError(14, `$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return date ? dateAt(date.getTime() + Math.round(asNumber(summation.total())!)) : summation.total();
}

function subtract(a: Value, b: Value): Value {
  if (a instanceof Date) {
    if (b instanceof Date) return toIntegerValue(BigInt(a.getTime() - b.getTime()), 'long');
    if (isNumber(b)) return dateAt(a.getTime() - Math.round(asNumber(b)!));
  }
  if (!isNumber(a) || !isNumber(b)) throw storeError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
  return calculateOrDouble('subtract', a, b);
}

function dateAt(milliseconds: number): Date {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) throw storeError(15, 'date overflow');
  return date;
}

function multiply(values: Iterable<Value>): Value {
  let product: Value = new Int32(1);
  for (const value of values) {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw storeError(14, `$multiply only supports numeric types, not ${typeName(value)}`);
    product = calculateOrDouble('multiply', product, value);
  }
  return product;
}

function divisionOperator(
  name: string,
  typeCode: number,
  zeroCode: number,
  compute: (a: Value, b: Value) => Value,
): Operator {
  return defineNullPropagating(2, 2, ([a, b]) => {
    if (!isNumber(a) || !isNumber(b))
      throw storeError(typeCode, `${name} only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
    if (asNumber(b) === 0) throw storeError(zeroCode, `can't ${name} by zero`);
    return compute(a, b);
  });
}

function unaryOperator(name: string, compute: (number: Value) => Value): Operator {
  return defineNullPropagating(1, 1, ([value]) => {
    if (!isNumber(value)) throw storeError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    return compute(value);
  });
}

function absolute(value: Value): Value {
  const type = numberType(value);
  if (type === 'double') return new Double(Math.abs(asNumber(value)!));
  if (type === 'decimal') return asNumber(value)! < 0 ? calculateOrDouble('multiply', value, new Int32(-1)) : value;
  const integer = toBigInt(value);
  const result = toIntegerValue(integer < 0n ? -integer : integer, type);
  if (result === undefined) throw storeError(28680, "can't take $abs of long long min");
  return result;
}

// Rounds up (1) or down (-1) to an integer of the same type.
function toInteger(value: Value, direction: 1n | -1n, onDouble: (number: number) => number): Value {
  const type = numberType(value);
  if (type === 'int' || type === 'long') return value;
  if (type === 'double') return new Double(onDouble(asNumber(value)!));
  const exact = exactOf(value);
  if (!exact || exact.exponent >= 0) return value;
  const unit = 10n ** BigInt(-exact.exponent);
  const truncated = exact.coefficient / unit;
  const hasFraction = exact.coefficient % unit !== 0n;
  const roundsAway = hasFraction && (direction === 1n ? exact.coefficient > 0n : exact.coefficient < 0n);
  return toDecimal128({ coefficient: roundsAway ? truncated + direction : truncated, exponent: 0 });
}

function round([value, places]: Value[]): Value {
  if (isNullish(value) || places === null) return null;
  if (!isNumber(value)) throw storeError(51081, `$round only supports numeric types, not ${typeName(value)}`);
  const precision =
    places === undefined ? 0 : requireInt32(places, 51082, 'precision argument to $round must be a integral value');
  if (precision < -20 || precision > 100)
    throw storeError(51083, `cannot apply $round with precision value ${precision} value must be in [-20, 100]`);
  const type = numberType(value);
  const exact = exactOf(value);
  if (!exact) return value;
  const rounded = roundHalfEven(exact, -precision);
  if (type === 'decimal') return toDecimal128(withExponent(rounded, -precision));
  if (type === 'double') return new Double(Number(`${rounded.coefficient}e${rounded.exponent}`));
  if (precision >= 0) return value;
  const integer = toIntegerValue(rounded.coefficient * 10n ** BigInt(rounded.exponent), type);
  if (integer === undefined) throw storeError(51080, 'the result of $round does not fit into a long');
  return integer;
}
