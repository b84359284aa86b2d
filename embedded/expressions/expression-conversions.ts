// The operators that return or convert the type of a value.

import { Double, Int32, Long, type ObjectId, type Timestamp } from 'bson';
import { storeError } from '../protocol/errors.ts';
import { numberType } from '../values/arithmetic.ts';
import { asNumber, bsonTag, isNumber, typeName, type Value } from '../values/bson.ts';
import { exactOf } from '../values/decimal.ts';
import { formatDate, STANDARD_FORMAT } from './date-format.ts';
import { defineNamed, defineNullPropagating, defineOperator, isNullish, type Operators } from './expression-scope.ts';

/** The type operators. Throws ConversionFailure (241) if a value cannot be converted. */
export const CONVERSIONS: Operators = {
  $type: defineOperator(1, 1, ([value]) => typeName(value)),
  $toString: defineNullPropagating(1, 1, ([value]) => toText(value)),
  $toInt: defineNullPropagating(1, 1, ([value]) => new Int32(Number(toInteger(value, 'int', 32)))),
  $toLong: defineNullPropagating(1, 1, ([value]) => Long.fromBigInt(toInteger(value, 'long', 64))),
  $toDouble: defineNullPropagating(1, 1, ([value]) => toDouble(value)),
  $toDate: defineNullPropagating(1, 1, ([value]) => toDate(value)),
  $dateToString: defineNamed(
    { format: STANDARD_FORMAT, timezone: 'UTC', onNull: null },
    ({ date, format, timezone, onNull }) => {
      if (isNullish(date)) return onNull;
      if (isNullish(format) || isNullish(timezone)) return null;
      if (typeof format !== 'string' && format !== STANDARD_FORMAT)
        throw storeError(18533, `$dateToString: 'format' must be a string, found: ${typeName(format)}`);
      if (typeof timezone !== 'string')
        throw storeError(40517, `timezone must evaluate to a string, found ${typeName(timezone)}`);
      return formatDate(timeOf(date), format, timezone);
    },
  ),
};

/** Formats a number as MongoDB does: a double with up to 16 digits, with an exponent from 1e+16. */
export function formatNumber(value: Value): string {
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

function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return formatNumber(value);
  if (value instanceof Date) return value.toISOString();
  if (bsonTag(value) === 'ObjectId') return (value as ObjectId).toHexString();
  throw unsupportedConversion(value, 'string');
}

// Fractions are truncated. Text must be an integer.
function toInteger(value: Value, target: string, bits: number): bigint {
  const integer = integerPart(value, target);
  if (BigInt.asIntN(bits, integer) !== integer) throw conversionFailure(OVERFLOW);
  return integer;
}

function integerPart(value: Value, target: string): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof Date && target === 'long') return BigInt(value.getTime());
  if (typeof value === 'string') {
    if (!/^[+-]?\d+$/.test(value)) throw parseFailure('number', value);
    return BigInt(value.replace('+', ''));
  }
  if (!isNumber(value)) throw unsupportedConversion(value, target);
  const exact = exactOf(value);
  if (!exact)
    throw conversionFailure(
      `Attempt to convert ${asNumber(value)} to an integer type in $convert with no onError value`,
    );
  const { coefficient, exponent } = exact;
  return exponent >= 0 ? coefficient * 10n ** BigInt(exponent) : coefficient / 10n ** BigInt(-exponent);
}

function toDouble(value: Value): Value {
  if (typeof value === 'boolean') return new Double(value ? 1 : 0);
  if (value instanceof Date) return new Double(value.getTime());
  if (typeof value === 'string') {
    if (!/^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf|infinity)$/i.test(value)) throw parseFailure('number', value);
    return new Double(Number(value.replace(/inf(inity)?$/i, 'Infinity')));
  }
  if (!isNumber(value)) throw unsupportedConversion(value, 'double');
  const number = asNumber(value)!;
  if (!Number.isFinite(number) && exactOf(value)) throw conversionFailure(OVERFLOW);
  return new Double(number);
}

function toDate(value: Value): Value {
  if (typeof value === 'string') return parseDate(value);
  if (value instanceof Date || bsonTag(value) === 'ObjectId' || bsonTag(value) === 'Timestamp') return timeOf(value);
  if (!isNumber(value) || numberType(value) === 'int') throw unsupportedConversion(value, 'date');
  const date = new Date(Number(toInteger(value, 'long', 64)));
  if (Number.isNaN(date.getTime())) throw conversionFailure(OVERFLOW);
  return date;
}

// ISO 8601: a date with an optional time and time zone; the default is UTC.
function parseDate(text: string): Date {
  const match =
    /^(\d{4}-\d{2}(?:-\d{2})?)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s?(Z|[+-]\d{2}:?(?:\d{2})?)?$/i.exec(
      text,
    );
  const zone = (match?.[3] ?? 'Z')
    .toUpperCase()
    .replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`);
  const [, day, time = '00:00'] = match ?? [];
  const date = day ? new Date(`${day.length === 7 ? `${day}-01` : day}T${time}${zone}`) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) throw parseFailure('date string', text);
  return date;
}

// The time of a date, an ObjectId or a timestamp.
function timeOf(value: Value): Date {
  if (value instanceof Date) return value;
  if (bsonTag(value) === 'ObjectId') return (value as ObjectId).getTimestamp();
  if (bsonTag(value) === 'Timestamp') return new Date((value as Timestamp).getHighBitsUnsigned() * 1000);
  throw storeError(16006, `can't convert from BSON type ${typeName(value)} to Date`);
}

const OVERFLOW = 'Conversion would overflow target type in $convert with no onError value';
const conversionFailure = (message: string) => storeError(241, message);
const unsupportedConversion = (value: Value, target: string) =>
  conversionFailure(`Unsupported conversion from ${typeName(value)} to ${target} in $convert with no onError value`);
const parseFailure = (kind: string, text: string) =>
  conversionFailure(`Failed to parse ${kind} '${text}' in $convert with no onError value`);
