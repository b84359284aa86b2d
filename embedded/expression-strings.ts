import { Int32 } from 'bson';
import { asNumber, isNumber, typeName, type Value } from './bson.ts';
import { storeError } from './errors.ts';
import { numberText } from './expression-conversions.ts';
import { isNullish, type Operator } from './expression-scope.ts';

/** The operators on text. Case changes only in ASCII and positions count code points, as in a server. */
export const STRING_OPERATORS: { [name: string]: Operator } = {
  $concat: { fold: concat },
  $toLower: { least: 1, most: 1, compute: ([value]) => textOf(value).replace(/[A-Z]+/g, (part) => part.toLowerCase()) },
  $toUpper: { least: 1, most: 1, compute: ([value]) => textOf(value).replace(/[a-z]+/g, (part) => part.toUpperCase()) },
  $substrCP: { least: 3, most: 3, compute: substring },
  $strLenCP: { least: 1, most: 1, compute: ([value]) => length(value) },
  $split: { least: 2, most: 2, compute: ([text, separator]) => split(text, separator) },
  $trim: {
    fields: ['input', 'chars'],
    required: ['input'],
    compute: ([input, chars], { present }) => trim(input, chars, present[1] === true),
  },
};

function concat(values: Iterable<Value>): Value {
  let text = '';
  for (const value of values) {
    if (isNullish(value)) return null;
    if (typeof value !== 'string') throw storeError(16702, `$concat only supports strings, not ${typeName(value)}`);
    text += value;
  }
  return text;
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (isNullish(value)) return '';
  if (isNumber(value)) return numberText(value);
  if (value instanceof Date) return value.toISOString();
  throw storeError(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

function substring([value, start, count]: Value[]): Value {
  const from = position(start, 34450, 34451, 34455, 'starting index');
  const size = position(count, 34452, 34453, 34454, 'length');
  const text = [...textOf(value)];
  return text.slice(from, from + size).join('');
}

function position(value: Value, typeCode: number, wholeCode: number, negativeCode: number, what: string): number {
  const number = asNumber(value);
  if (number === undefined) throw storeError(typeCode, `$substrCP: ${what} must be a numeric type (is BSON type ${typeName(value)})`);
  if (!Number.isInteger(number)) throw storeError(wholeCode, `$substrCP: ${what} cannot be represented as a 32-bit integral value: ${number}`);
  if (number < 0) throw storeError(negativeCode, `$substrCP: ${what} must be a nonnegative integer.`);
  return number;
}

function length(value: Value): Value {
  if (typeof value !== 'string') throw storeError(34471, `$strLenCP requires a string argument, found: ${typeName(value)}`);
  let points = 0;
  for (const _ of value) points++;
  return new Int32(points);
}

function split(text: Value, separator: Value): Value {
  if (isNullish(text) || isNullish(separator)) return null;
  if (typeof text !== 'string')
    throw storeError(40085, `$split requires an expression that evaluates to a string as a first argument, found: ${typeName(text)}`);
  if (typeof separator !== 'string')
    throw storeError(40086, `$split requires an expression that evaluates to a string as a second argument, found: ${typeName(separator)}`);
  if (separator === '') throw storeError(40087, '$split requires a non-empty separator');
  return text.split(separator);
}

function trim(input: Value, chars: Value, withChars: boolean): Value {
  if (isNullish(input)) return null;
  if (typeof input !== 'string')
    throw storeError(50699, `$trim requires its input to be a string, got ${JSON.stringify(input)} (of type ${typeName(input)}) instead.`);
  if (withChars && isNullish(chars)) return null;
  if (withChars && typeof chars !== 'string')
    throw storeError(50700, `$trim requires 'chars' to be a string, got (of type ${typeName(chars)}) instead.`);
  const set = new Set(typeof chars === 'string' ? chars : BLANKS);
  const points = [...input];
  let start = 0;
  let end = points.length;
  while (start < end && set.has(points[start]!)) start++;
  while (end > start && set.has(points[end - 1]!)) end--;
  return points.slice(start, end).join('');
}

const BLANKS = '\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a';
