// Arithmetic with MongoDB's number types.

import { Decimal128, Double, Int32, Long } from 'bson';
import { asNumber, bsonTag, type Value } from './bson.ts';
import { aligned, decimalOf, type Exact, exactOf, exactOfRoundedDouble } from './decimal.ts';

export type NumberType = 'int' | 'long' | 'double' | 'decimal';
type Operation = 'add' | 'subtract' | 'multiply';

/** The number type of a value; undefined if it is not a number. */
export function numberType(value: Value): NumberType | undefined {
  return TYPES[bsonTag(value) ?? typeof value];
}

const TYPES: { [tag: string]: NumberType } = {
  Int32: 'int',
  Long: 'long',
  Double: 'double',
  Decimal128: 'decimal',
  number: 'double',
  bigint: 'long',
};

/**
 * Adds, subtracts or multiplies in the wider of the two types. An Int32 that overflows becomes a Long. Returns
 * undefined if a Long overflows, which is an error in an update and a double in an expression (`approximate`).
 */
export function calculate(operation: Operation, a: Value, b: Value): Value | undefined {
  const type = widest(numberType(a), numberType(b));
  if (type === 'decimal') return decimalResult(operation, a, b);
  if (type === 'double') return new Double(onDoubles(operation, asNumber(a)!, asNumber(b)!));
  const result = onDoubles(operation, asNumber(a)!, asNumber(b)!);
  if (type === 'int' && Number.isSafeInteger(result)) return wholeOf(BigInt(result), 'int');
  return wholeOf(onBigInts(operation, wholeValue(a), wholeValue(b)), type);
}

/** Calculates like `calculate`, but returns a double if a Long overflows. */
export function approximate(operation: Operation, a: Value, b: Value): Value {
  return calculate(operation, a, b) ?? new Double(onDoubles(operation, asNumber(a)!, asNumber(b)!));
}

/**
 * Returns the quotient, as a decimal if one operand is a decimal, otherwise as a double. The divisor must not be zero.
 */
export function divide(a: Value, b: Value): Value {
  if (widest(numberType(a), numberType(b)) !== 'decimal') return new Double(asNumber(a)! / asNumber(b)!);
  const [x, y] = [operand(a), operand(b)];
  return x && y ? decimalOf(exactQuotient(x, y)) : specialDecimal(asNumber(a)! / asNumber(b)!);
}

/** Returns the remainder with the sign of the dividend, in the wider type. The divisor must not be zero. */
export function remainderOf(a: Value, b: Value): Value {
  const type = widest(numberType(a), numberType(b));
  if (type === 'double') return new Double(asNumber(a)! % asNumber(b)!);
  if (type !== 'decimal') return wholeOf(wholeValue(a) % wholeValue(b), type)!;
  const [x, y] = [operand(a), operand(b)];
  if (!x || !y)
    return x && Number.isFinite(asNumber(a)!) && !Number.isNaN(asNumber(b)!)
      ? decimalOf(x)
      : specialDecimal(Number.NaN);
  const [dividend, divisor, exponent] = aligned(x, y);
  return decimalOf({ coefficient: dividend % divisor, exponent });
}

/**
 * Returns an integer as an Int32 if `type` is 'int' and it fits, otherwise as a Long; undefined if it exceeds 64 bits.
 */
export function wholeOf(value: bigint, type: NumberType | undefined): Value | undefined {
  if (type === 'int' && value >= -0x80000000n && value <= 0x7fffffffn) return new Int32(Number(value));
  return BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : undefined;
}

/** The value of an Int32 or Long. */
export function wholeValue(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  return bsonTag(value) === 'Long' ? (value as Long).toBigInt() : BigInt(asNumber(value)!);
}

/**
 * Sums numbers of any type and ignores other values. Doubles are summed with compensation, as in MongoDB, so that 0.1 +
 * 0.2 + 0.3 is 0.6.
 */
export type Summation = { add(value: Value): void; total(): Value; average(): Value | null };

export function startSummation(): Summation {
  let type: NumberType = 'int';
  let count = 0;
  let whole = 0n;
  let small = 0;
  let sum = 0;
  let lost = 0;
  let decimals: Value = new Int32(0);
  const wholeTotal = () => whole + BigInt(small);
  // Knuth's two-sum: the exact rounding error of sum + number.
  const addDouble = (number: number) => {
    const next = sum + number;
    const rounded = next - sum;
    lost += sum - (next - rounded) + (number - rounded);
    sum = next;
  };
  const doubleTotal = () => {
    const plain = sum + Number(wholeTotal());
    const exact = sum + (lost + Number(wholeTotal()));
    return Number.isFinite(exact) ? exact : plain;
  };
  const total = (): Value => {
    if (type === 'decimal')
      return [decimalOf({ coefficient: wholeTotal(), exponent: 0 }), decimalFrom(sum), decimalFrom(lost)].reduce(
        (a, b) => approximate('add', a, b),
        decimals,
      );
    if (type === 'double') return new Double(doubleTotal());
    return wholeOf(wholeTotal(), type) ?? new Double(Number(wholeTotal()));
  };
  return {
    add(value) {
      const added = numberType(value);
      if (!added) return;
      count++;
      type = widest(type, added);
      if (added === 'decimal') decimals = approximate('add', decimals, value);
      else if (added === 'double') addDouble(asNumber(value)!);
      else if (added === 'int') {
        small += asNumber(value)!;
        if (!Number.isSafeInteger(small * 2)) {
          whole += BigInt(small);
          small = 0;
        }
      } else whole += wholeValue(value);
    },
    total,
    average() {
      if (count === 0) return null;
      return type === 'decimal' ? divide(total(), new Int32(count)) : new Double(doubleTotal() / count);
    },
  };
}

const WIDTH: { [type in NumberType]: number } = { int: 0, long: 1, double: 2, decimal: 3 };

function widest(a: NumberType | undefined, b: NumberType | undefined): NumberType {
  return WIDTH[a ?? 'double'] > WIDTH[b ?? 'double'] ? (a ?? 'double') : (b ?? 'double');
}

const onDoubles = (operation: Operation, a: number, b: number): number =>
  operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
const onBigInts = (operation: Operation, a: bigint, b: bigint): bigint =>
  operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;

function decimalResult(operation: Operation, a: Value, b: Value): Decimal128 {
  const [x, y] = [operand(a), operand(b)];
  if (!x || !y) return specialDecimal(onDoubles(operation, asNumber(a)!, asNumber(b)!));
  if (operation === 'multiply')
    return decimalOf({ coefficient: x.coefficient * y.coefficient, exponent: x.exponent + y.exponent });
  const [left, right, exponent] = aligned(x, y);
  return decimalOf({ coefficient: onBigInts(operation, left, right), exponent });
}

const operand = (value: Value): Exact | undefined =>
  numberType(value) === 'double' ? exactOfRoundedDouble(asNumber(value)!) : exactOf(value);
const specialDecimal = (number: number): Decimal128 => Decimal128.fromString(String(number));

function decimalFrom(number: number): Decimal128 {
  const exact = exactOf(number);
  return exact ? decimalOf(exact) : specialDecimal(number);
}

// Enough digits for 34; the last one is sticky so that rounding is correct. Trailing zeros of an exact quotient are
// removed.
function exactQuotient(a: Exact, b: Exact): Exact {
  const scale = 72n;
  const scaled = a.coefficient * 10n ** scale;
  let coefficient = scaled / b.coefficient;
  let exponent = a.exponent - b.exponent - Number(scale);
  if (scaled % b.coefficient !== 0n)
    return { coefficient: coefficient * 10n + (coefficient < 0n ? -1n : 1n), exponent: exponent - 1 };
  while (exponent < a.exponent - b.exponent && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent++;
  }
  return { coefficient, exponent };
}
