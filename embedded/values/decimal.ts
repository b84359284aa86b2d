import { Decimal128, type Long } from 'bson';
import { asNumber, bsonTag, type Value } from './bson.ts';

/** A finite number, exactly: coefficient × 10^exponent. Every double, long and decimal has this form. */
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
  const [x, y] = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Both coefficients over the smaller of the two exponents. */
export function aligned(a: Exact, b: Exact): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [
    a.coefficient * 10n ** BigInt(a.exponent - exponent),
    b.coefficient * 10n ** BigInt(b.exponent - exponent),
    exponent,
  ];
}

/** The Decimal128 nearest to an exact value: 34 digits, half to even; infinite beyond its range, coarser and at last zero below it. */
export function decimalOf(value: Exact): Decimal128 {
  const { coefficient, exponent } = value;
  const least = Math.max(LEAST_EXPONENT, exponent + digitsOf(coefficient) - MOST_DIGITS);
  const rounded = roundHalfEven(value, least);
  const fitting = atExponent(rounded, Math.min(rounded.exponent, GREATEST_EXPONENT));
  if (fitting.exponent > GREATEST_EXPONENT && coefficient !== 0n)
    return Decimal128.fromString(coefficient < 0n ? '-Infinity' : 'Infinity');
  // Rounding up may have made a 35th digit, a zero.
  const shown = digitsOf(fitting.coefficient) > MOST_DIGITS ? roundHalfEven(fitting, fitting.exponent + 1) : fitting;
  return Decimal128.fromString(`${shown.coefficient}E${Math.min(shown.exponent, GREATEST_EXPONENT)}`);
}

const MOST_DIGITS = 34;
const LEAST_EXPONENT = -6176;
const GREATEST_EXPONENT = 6111;

const digitsOf = (coefficient: bigint): number => (coefficient < 0n ? -coefficient : coefficient).toString().length;

/** The value rounded to a multiple of 10^exponent, half to even; coarser values stay. */
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

/** The same value with a smaller exponent, which a decimal shows as zeros at its end; unchanged where 34 digits do not hold that. */
export function atExponent(value: Exact, exponent: number): Exact {
  if (exponent >= value.exponent) return value;
  const coefficient = value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return coefficient < 10n ** 34n && coefficient > -(10n ** 34n) ? { coefficient, exponent } : value;
}

/** A double as MongoDB takes it into decimal arithmetic: its first 15 digits. */
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

// IEEE 754-2008 decimal128 in binary integer coding: sign, 14 bits of exponent (biased by 6176), 113 bits of coefficient.
function exactOfDecimal(decimal: Decimal128): Exact | undefined {
  const view = new DataView(decimal.bytes.buffer, decimal.bytes.byteOffset, 16);
  const low = view.getBigUint64(0, true);
  const high = view.getBigUint64(8, true);
  const combination = Number((high >> 58n) & 0x1fn);
  if (combination >= 0x1e) return undefined;
  // The large form of the coefficient is not canonical and counts as zero.
  const large = combination >= 0x18;
  const exponent = Number((high >> (large ? 47n : 49n)) & 0x3fffn) - 6176;
  const given = large ? 0n : ((high & 0x1ffffffffffffn) << 64n) | low;
  const coefficient = given >= 10n ** 34n ? 0n : given;
  return { coefficient: high >> 63n ? -coefficient : coefficient, exponent };
}
