// Arithmetic with MongoDB's number types.

import { Decimal128, Double, Int32, Long } from 'bson';
import { asNumber, bsonTag, type Value } from './bson.ts';
import { alignExponents, type Exact, exactOf, exactOfRoundedDouble, toDecimal128 } from './decimal.ts';

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
 * undefined if a Long overflows: an update then fails, an expression returns a double (`calculateOrDouble`).
 */
export function calculate(operation: Operation, a: Value, b: Value): Value | undefined {
  const type = widerType(numberType(a), numberType(b));
  if (type === 'decimal') return decimalResult(operation, a, b);
  if (type === 'double') return new Double(onDoubles(operation, asNumber(a)!, asNumber(b)!));
  const result = onDoubles(operation, asNumber(a)!, asNumber(b)!);
  if (type === 'int' && Number.isSafeInteger(result)) return toIntegerValue(BigInt(result), 'int');
  return toIntegerValue(onBigInts(operation, toBigInt(a), toBigInt(b)), type);
}

/** Calculates like `calculate`, but returns a double if a Long overflows. */
export function calculateOrDouble(operation: Operation, a: Value, b: Value): Value {
  return calculate(operation, a, b) ?? new Double(onDoubles(operation, asNumber(a)!, asNumber(b)!));
}

/**
 * Returns the quotient, as a decimal if one operand is a decimal, otherwise as a double. The divisor must not be zero.
 */
export function divide(a: Value, b: Value): Value {
  if (widerType(numberType(a), numberType(b)) !== 'decimal') return new Double(asNumber(a)! / asNumber(b)!);
  const [x, y] = [exactOperand(a), exactOperand(b)];
  return x && y ? toDecimal128(exactQuotient(x, y)) : nonFiniteDecimal(asNumber(a)! / asNumber(b)!);
}

/** Returns the remainder with the sign of the dividend, in the wider type. The divisor must not be zero. */
export function remainderOf(a: Value, b: Value): Value {
  const type = widerType(numberType(a), numberType(b));
  if (type === 'double') return new Double(asNumber(a)! % asNumber(b)!);
  if (type !== 'decimal') return toIntegerValue(toBigInt(a) % toBigInt(b), type)!;
  const [x, y] = [exactOperand(a), exactOperand(b)];
  if (!x || !y)
    return x && Number.isFinite(asNumber(a)!) && !Number.isNaN(asNumber(b)!)
      ? toDecimal128(x)
      : nonFiniteDecimal(Number.NaN);
  const [dividend, divisor, exponent] = alignExponents(x, y);
  return toDecimal128({ coefficient: dividend % divisor, exponent });
}

/**
 * Returns an integer as an Int32 if `type` is 'int' and it fits, otherwise as a Long; undefined if it exceeds 64 bits.
 */
export function toIntegerValue(value: bigint, type: NumberType | undefined): Value | undefined {
  if (type === 'int' && value >= -0x80000000n && value <= 0x7fffffffn) return new Int32(Number(value));
  return BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : undefined;
}

/** The value of an Int32 or Long. */
export function toBigInt(value: Value): bigint {
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
  // integers are summed as doubles while that is exact, then moved to a BigInt
  let largeSum = 0n;
  let smallSum = 0;
  let sum = 0;
  let roundingError = 0;
  let decimals: Value = new Int32(0);
  const integerTotal = () => largeSum + BigInt(smallSum);
  // Knuth's two-sum: the exact rounding error of sum + number.
  const addDouble = (number: number) => {
    const next = sum + number;
    const rounded = next - sum;
    roundingError += sum - (next - rounded) + (number - rounded);
    sum = next;
  };
  const doubleTotal = () => {
    const plain = sum + Number(integerTotal());
    const exact = sum + (roundingError + Number(integerTotal()));
    return Number.isFinite(exact) ? exact : plain;
  };
  const total = (): Value => {
    if (type === 'decimal')
      return [
        toDecimal128({ coefficient: integerTotal(), exponent: 0 }),
        decimalFrom(sum),
        decimalFrom(roundingError),
      ].reduce((a, b) => calculateOrDouble('add', a, b), decimals);
    if (type === 'double') return new Double(doubleTotal());
    return toIntegerValue(integerTotal(), type) ?? new Double(Number(integerTotal()));
  };
  return {
    add(value) {
      const added = numberType(value);
      if (!added) return;
      count++;
      type = widerType(type, added);
      if (added === 'decimal') decimals = calculateOrDouble('add', decimals, value);
      else if (added === 'double') addDouble(asNumber(value)!);
      else if (added === 'int') {
        smallSum += asNumber(value)!;
        if (!Number.isSafeInteger(smallSum * 2)) {
          largeSum += BigInt(smallSum);
          smallSum = 0;
        }
      } else largeSum += toBigInt(value);
    },
    total,
    average() {
      if (count === 0) return null;
      return type === 'decimal' ? divide(total(), new Int32(count)) : new Double(doubleTotal() / count);
    },
  };
}

const WIDTH: { [type in NumberType]: number } = { int: 0, long: 1, double: 2, decimal: 3 };

function widerType(a: NumberType | undefined, b: NumberType | undefined): NumberType {
  return WIDTH[a ?? 'double'] > WIDTH[b ?? 'double'] ? (a ?? 'double') : (b ?? 'double');
}

const onDoubles = (operation: Operation, a: number, b: number): number =>
  operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
const onBigInts = (operation: Operation, a: bigint, b: bigint): bigint =>
  operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;

function decimalResult(operation: Operation, a: Value, b: Value): Decimal128 {
  const [x, y] = [exactOperand(a), exactOperand(b)];
  if (!x || !y) return nonFiniteDecimal(onDoubles(operation, asNumber(a)!, asNumber(b)!));
  if (operation === 'multiply')
    return toDecimal128({ coefficient: x.coefficient * y.coefficient, exponent: x.exponent + y.exponent });
  const [left, right, exponent] = alignExponents(x, y);
  return toDecimal128({ coefficient: onBigInts(operation, left, right), exponent });
}

const exactOperand = (value: Value): Exact | undefined =>
  numberType(value) === 'double' ? exactOfRoundedDouble(asNumber(value)!) : exactOf(value);
const nonFiniteDecimal = (number: number): Decimal128 => Decimal128.fromString(String(number));

function decimalFrom(number: number): Decimal128 {
  const exact = exactOf(number);
  return exact ? toDecimal128(exact) : nonFiniteDecimal(number);
}

// Computes more digits than the 34 of a Decimal128. If there is a remainder, appends a digit 1, so that the quotient is
// not rounded as a tie. Removes the trailing zeros of an exact quotient.
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
