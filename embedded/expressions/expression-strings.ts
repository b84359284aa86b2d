// The string operators.

import { Int32 } from 'bson';
import { storeError } from '../protocol/errors.ts';
import { asNumber, isNumber, typeName, type Value } from '../values/bson.ts';
import { formatNumber } from './expression-conversions.ts';
import { defineNamed, defineNullPropagating, defineOperator, isNullish, type Operators } from './expression-scope.ts';

const WHITESPACE = '\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a';

/** The operators on strings. As in MongoDB, only ASCII letters change case, and positions count code points. */
export const STRING_OPERATORS: Operators = {
  $concat: {
    fold: (values) => {
      let text = '';
      for (const value of values) {
        if (isNullish(value)) return null;
        text += requireString(value, 16702, '$concat');
      }
      return text;
    },
  },
  $toLower: defineOperator(1, 1, ([value]) => textOf(value).replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  $toUpper: defineOperator(1, 1, ([value]) => textOf(value).replace(/[a-z]+/g, (part) => part.toUpperCase())),
  $substrCP: defineOperator(3, 3, ([value, start, count]) => {
    const from = position(start, 34450, 34451, 34455, 'starting index');
    const size = position(count, 34452, 34453, 34454, 'length');
    return [...textOf(value)].slice(from, from + size).join('');
  }),
  $strLenCP: defineOperator(1, 1, ([value]) => new Int32([...requireString(value, 34471, '$strLenCP')].length)),
  $split: defineNullPropagating(2, 2, ([text, separator]) => {
    const parts = [requireString(text, 40085, '$split'), requireString(separator, 40086, '$split')] as const;
    if (separator === '') throw storeError(40087, '$split requires a non-empty separator');
    return parts[0].split(parts[1]);
  }),
  $trim: defineNamed({ chars: WHITESPACE }, ({ input, chars }) => trim(input, chars)),
};

function requireString(value: Value, code: number, operator: string): string {
  if (typeof value !== 'string')
    throw storeError(code, `${operator} requires a string, but was given ${typeName(value)}`);
  return value;
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (isNullish(value)) return '';
  if (isNumber(value)) return formatNumber(value);
  if (value instanceof Date) return value.toISOString();
  throw storeError(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

function position(value: Value, typeCode: number, integerCode: number, negativeCode: number, name: string): number {
  const number = asNumber(value);
  if (number === undefined)
    throw storeError(typeCode, `$substrCP: ${name} must be a numeric type (is BSON type ${typeName(value)})`);
  if (!Number.isInteger(number))
    throw storeError(integerCode, `$substrCP: ${name} cannot be represented as a 32-bit integral value: ${number}`);
  if (number < 0) throw storeError(negativeCode, `$substrCP: ${name} must be a nonnegative integer.`);
  return number;
}

function trim(input: Value, chars: Value): Value {
  if (isNullish(input)) return null;
  const points = [...requireString(input, 50699, '$trim')];
  if (isNullish(chars)) return null;
  const set = new Set(requireString(chars, 50700, "$trim's 'chars'"));
  const start = points.findIndex((point) => !set.has(point));
  const end = points.findLastIndex((point) => !set.has(point));
  return start < 0 ? '' : points.slice(start, end + 1).join('');
}
