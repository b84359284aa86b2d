// The operators that always evaluate all their arguments.

import { Int32, type ObjectId } from 'bson';
import { storeError } from '../protocol/errors.ts';
import { calculateOrDouble, divide, numberType, startSummation, toIntegerValue } from '../values/arithmetic.ts';
import { asNumber, bsonTag, type Doc, isDocument, isNumber, setField, typeName, type Value } from '../values/bson.ts';
import { compare, equal } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { sliceItems } from '../values/slice-items.ts';
import {
  defineNullPropagating,
  defineOperator,
  isNullish,
  isTruthy,
  type Operator,
  type Operators,
  requireInt32,
} from './expression-scope.ts';

/**
 * Comparison, arithmetic, strings, arrays and types. The result of arithmetic has the widest type of the operands; an
 * Int32 that overflows becomes a Long, a Long a double. Only ASCII letters change case, as in MongoDB.
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
  $divide: defineNullPropagating(2, 2, ([a, b]) => {
    if (!isNumber(a) || !isNumber(b))
      throw storeError(14, `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
    if (numberType(b) !== 'decimal' && asNumber(b) === 0) throw storeError(2, "can't $divide by zero");
    return divide(a, b);
  }),
  $concat: {
    fold: (values) => {
      let text = '';
      for (const value of values) {
        if (isNullish(value)) return null;
        if (typeof value !== 'string') throw storeError(16702, `$concat only supports strings, not ${typeName(value)}`);
        text += value;
      }
      return text;
    },
  },
  $toLower: defineOperator(1, 1, ([value]) => textOf(value).replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  $toUpper: defineOperator(1, 1, ([value]) => textOf(value).replace(/[a-z]+/g, (part) => part.toUpperCase())),
  $isArray: defineOperator(1, 1, ([value]) => Array.isArray(value)),
  $size: defineOperator(1, 1, ([value]) => new Int32(requireArray(value, 17124, '$size').length)),
  $slice: defineNullPropagating(2, 3, slice),
  $arrayElemAt: defineNullPropagating(2, 2, ([array, index]) => {
    const items = requireArray(array, 28689, '$arrayElemAt');
    if (asNumber(index) === undefined)
      throw storeError(28690, `$arrayElemAt's second argument must be a numeric value, but is ${typeName(index)}`);
    return items.at(requireInt32(index, 28691, '$arrayElemAt: the index must be representable as a 32-bit integer'));
  }),
  $first: defineNullPropagating(1, 1, ([array]) => requireArray(array, 28689, '$first').at(0)),
  $last: defineNullPropagating(1, 1, ([array]) => requireArray(array, 28689, '$last').at(-1)),
  $in: defineOperator(2, 2, ([wanted, array], { collation }) =>
    requireArray(array, 40081, '$in').some((item) => equal(item, wanted, collation)),
  ),
  $mergeObjects: { fold: mergeObjects },
  $type: defineOperator(1, 1, ([value]) => typeName(value)),
  $toString: defineNullPropagating(1, 1, ([value]) => toText(value)),
};

function comparisonOperator(resultOf: (order: number) => Value): Operator {
  return defineOperator(2, 2, ([a, b], { collation }) => resultOf(compare(a, b, collation)));
}

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

function requireArray(value: Value, code: number, operator: string): Value[] {
  if (!Array.isArray(value)) throw storeError(code, `${operator} requires an array, but was given ${typeName(value)}`);
  return value;
}

function mergeObjects(values: Iterable<Value>): Value {
  const merged: Doc = {};
  const inputs = [...values];
  // A single argument may be an array of documents.
  for (const doc of inputs.length === 1 && Array.isArray(inputs[0]) ? (inputs[0] as Value[]) : inputs) {
    if (isNullish(doc)) continue;
    if (!isDocument(doc))
      throw storeError(
        40400,
        `$mergeObjects requires object inputs, but input ${formatValue(doc)} is of type ${typeName(doc)}`,
      );
    for (const key of Object.keys(doc)) setField(merged, key, doc[key]);
  }
  return merged;
}

function textOf(value: Value): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string' || isNumber(value) || value instanceof Date) return toText(value);
  throw storeError(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return formatNumber(value);
  if (value instanceof Date) return value.toISOString();
  if (bsonTag(value) === 'ObjectId') return (value as ObjectId).toHexString();
  throw storeError(241, `Unsupported conversion from ${typeName(value)} to string in $convert with no onError value`);
}

// MongoDB formats a double with up to 16 digits, and with an exponent from 1e+16.
function formatNumber(value: Value): string {
  if (numberType(value) !== 'double') return bsonTag(value) === 'Int32' ? String(asNumber(value)) : String(value);
  const number = asNumber(value)!;
  if (!Number.isFinite(number)) return String(number);
  if (number === 0) return Object.is(number, -0) ? '-0' : '0';
  const [digits, exponent] = number.toExponential(15).split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 16) return trimZeros(number.toFixed(Math.min(100, Math.max(0, 15 - power))));
  return `${trimZeros(digits)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

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
