// The exact values of numbers, to compare them across types.

import type { Decimal128, Long } from 'bson';
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

function alignExponents(a: Exact, b: Exact): [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.coefficient * 10n ** BigInt(a.exponent - exponent), b.coefficient * 10n ** BigInt(b.exponent - exponent)];
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
