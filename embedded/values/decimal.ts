// Exact decimal numbers and Decimal128.

import { Decimal128, type Long } from 'bson';
import { asNumber, bsonTag, type Value } from './bson.ts';

/** An exact finite number: coefficient × 10^exponent. Every finite double, long and decimal can be written this way. */
export type Exact = { coefficient: bigint; exponent: number };

/** The exact value of a finite BSON number; undefined for NaN and the infinities. */
export function exactOf(value: Value): Exact | undefined {
  switch (bsonTag(value)) {
    case 'Long':
      return { coefficient: (value as Long).toBigInt(), exponent: 0 };
    case 'Decimal128':
      return exactOfDecimal(value as Decimal128);
    default:
      return typeof value === 'bigint'
        ? { coefficient: value, exponent: 0 }
        : exactOfDouble(asNumber(value) ?? Number.NaN);
  }
}

/** The order of two exact values: negative, zero or positive. */
export function compareExact(a: Exact, b: Exact): number {
  const [x, y] = alignExponents(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Returns both coefficients for the smaller of the two exponents, and that exponent. */
export function alignExponents(a: Exact, b: Exact): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [
    a.coefficient * 10n ** BigInt(a.exponent - exponent),
    b.coefficient * 10n ** BigInt(b.exponent - exponent),
    exponent,
  ];
}

/**
 * Returns the nearest Decimal128: 34 digits, rounded half to even; infinite above its range, fewer digits and finally
 * zero below it.
 */
export function toDecimal128(value: Exact): Decimal128 {
  const { coefficient, exponent } = value;
  const minExponent = Math.max(MIN_EXPONENT, exponent + digitsOf(coefficient) - MAX_DIGITS);
  const rounded = roundHalfEven(value, minExponent);
  const fitting = withExponent(rounded, Math.min(rounded.exponent, MAX_EXPONENT));
  if (fitting.exponent > MAX_EXPONENT && coefficient !== 0n)
    return Decimal128.fromString(coefficient < 0n ? '-Infinity' : 'Infinity');
  // Rounding up may have produced a 35th digit, which is zero.
  const result = digitsOf(fitting.coefficient) > MAX_DIGITS ? roundHalfEven(fitting, fitting.exponent + 1) : fitting;
  return Decimal128.fromString(`${result.coefficient}E${Math.min(result.exponent, MAX_EXPONENT)}`);
}

const MAX_DIGITS = 34;
const MIN_EXPONENT = -6176;
const MAX_EXPONENT = 6111;

const digitsOf = (coefficient: bigint): number => (coefficient < 0n ? -coefficient : coefficient).toString().length;

/** Rounds a value half to even to a multiple of 10^exponent. A value with a larger exponent is unchanged. */
export function roundHalfEven(value: Exact, exponent: number): Exact {
  if (exponent <= value.exponent) return value;
  const unit = 10n ** BigInt(exponent - value.exponent);
  const negative = value.coefficient < 0n;
  const magnitude = negative ? -value.coefficient : value.coefficient;
  const rest = (magnitude % unit) * 2n;
  let quotient = magnitude / unit;
  if (rest > unit || (rest === unit && quotient % 2n === 1n)) quotient += 1n;
  return { coefficient: negative ? -quotient : quotient, exponent };
}

/**
 * Returns the same value with a smaller exponent, i.e. with trailing zeros; unchanged if that needs more than 34
 * digits.
 */
export function withExponent(value: Exact, exponent: number): Exact {
  if (exponent >= value.exponent) return value;
  const coefficient = value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return coefficient < 10n ** 34n && coefficient > -(10n ** 34n) ? { coefficient, exponent } : value;
}

/** The value of a double in MongoDB's decimal arithmetic: its first 15 digits. */
export function exactOfRoundedDouble(number: number): Exact | undefined {
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(number.toExponential(14));
  if (!match) return undefined;
  const fraction = match[3] ?? '';
  return { coefficient: BigInt(`${match[1]}${match[2]}${fraction}`), exponent: Number(match[4]) - fraction.length };
}

function exactOfDouble(number: number): Exact | undefined {
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number)) return { coefficient: BigInt(number), exponent: 0 };
  let scaled = number;
  let halvings = 0;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    halvings++;
  }
  // x = scaled / 2^n = scaled × 5^n / 10^n
  return { coefficient: BigInt(scaled) * 5n ** BigInt(halvings), exponent: -halvings };
}

// IEEE 754-2008 decimal128, binary integer encoding: sign, 14 bits of exponent (bias 6176), 113 bits of coefficient.
function exactOfDecimal(decimal: Decimal128): Exact | undefined {
  const view = new DataView(decimal.bytes.buffer, decimal.bytes.byteOffset, 16);
  const low = view.getBigUint64(0, true);
  const high = view.getBigUint64(8, true);
  const combination = Number((high >> 58n) & 0x1fn);
  if (combination >= 0x1e) return undefined;
  // The large form of the coefficient is not canonical and means zero.
  const large = combination >= 0x18;
  const exponent = Number((high >> (large ? 47n : 49n)) & 0x3fffn) - 6176;
  const encoded = large ? 0n : ((high & 0x1ffffffffffffn) << 64n) | low;
  const coefficient = encoded >= 10n ** 34n ? 0n : encoded;
  return { coefficient: high >> 63n ? -coefficient : coefficient, exponent };
}
