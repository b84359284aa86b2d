// Arithmetic with MongoDB's number types except Decimal128.

import { Double, Int32, Long } from 'bson';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { asNumber, bsonTag, type Value } from './bson.ts';

type NumberType = 'int' | 'long' | 'double' | 'decimal';
type Operation = 'add' | 'subtract' | 'multiply';

/** The number type of a value; undefined if it is not a number. */
function numberType(value: Value): NumberType | undefined {
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
 * undefined if a Long overflows. Throws NotImplemented (238) for decimals.
 */
export function calculate(operation: Operation, a: Value, b: Value): Value | undefined {
  const type = widerType(requireType(a), requireType(b));
  const result = onDoubles(operation, asNumber(a)!, asNumber(b)!);
  if (type === 'double') return new Double(result);
  if (type === 'int' && Number.isSafeInteger(result)) return toIntegerValue(BigInt(result), 'int');
  return toIntegerValue(onBigInts(operation, toBigInt(a), toBigInt(b)), type);
}

/** Subtracts like `calculate`, but returns a double if a Long overflows. */
export function subtractOrDouble(a: Value, b: Value): Value {
  return calculate('subtract', a, b) ?? new Double(asNumber(a)! - asNumber(b)!);
}

/**
 * Adds or multiplies numbers from left to right: integers exactly while the result fits in 64 bits, then doubles, as
 * the server's ExpressionAdd and ExpressionMultiply do. Throws NotImplemented (238) for decimals.
 */
export function calculateAll(operation: 'add' | 'multiply', numbers: readonly Value[]): Value {
  let type: NumberType = 'int';
  let exact = operation === 'add' ? 0n : 1n;
  let double = Number(exact);
  for (const number of numbers) {
    type = widerType(type, requireType(number));
    double = onDoubles(operation, double, asNumber(number)!);
    if (type === 'double') continue;
    exact = onBigInts(operation, exact, toBigInt(number));
    if (!fitsInLong(exact)) type = 'double';
    // A sum continues with the exact value, a product with the product of doubles.
    else if (operation === 'add') double = Number(exact);
  }
  return type === 'double' ? new Double(double) : toIntegerValue(exact, type);
}

/** Rounds milliseconds half away from zero. Throws Overflow (15) for NaN and infinities, 238 for decimals. */
export function toMilliseconds(number: Value): bigint {
  if (requireType(number) !== 'double') return toBigInt(number);
  const value = asNumber(number)!;
  if (!Number.isFinite(value)) throw storeError(15, 'date overflow');
  return BigInt(Math.sign(value) * Math.round(Math.abs(value)));
}

/**
 * Returns an integer as an Int32 if `type` is 'int' and it fits, otherwise as a Long; undefined if it exceeds 64 bits.
 */
export function toIntegerValue(value: bigint, type: NumberType | undefined): Value | undefined {
  if (type === 'int' && value >= -0x80000000n && value <= 0x7fffffffn) return new Int32(Number(value));
  return fitsInLong(value) ? Long.fromBigInt(value) : undefined;
}

const fitsInLong = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/**
 * Sums numbers and ignores other values, for accumulators: they sum doubles with compensation, as in MongoDB, so that
 * 0.1 + 0.2 + 0.3 is 0.6. Throws NotImplemented (238) for decimals.
 */
type Summation = { add(value: Value): void; total(): Value; average(): Value | null };

export function startSummation(): Summation {
  let type: NumberType = 'int';
  let count = 0;
  // integers are summed as doubles while that is exact, then moved to a BigInt
  let largeSum = 0n;
  let smallSum = 0;
  let sum = 0;
  let roundingError = 0;
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
  return {
    add(value) {
      if (!numberType(value)) return;
      const added = requireType(value);
      count++;
      type = widerType(type, added);
      if (added === 'double') addDouble(asNumber(value)!);
      else if (added === 'int') {
        smallSum += asNumber(value)!;
        if (!Number.isSafeInteger(smallSum * 2)) {
          largeSum += BigInt(smallSum);
          smallSum = 0;
        }
      } else largeSum += toBigInt(value);
    },
    total: () =>
      type === 'double'
        ? new Double(doubleTotal())
        : (toIntegerValue(integerTotal(), type) ?? new Double(Number(integerTotal()))),
    average: () => (count === 0 ? null : new Double(doubleTotal() / count)),
  };
}

const WIDTH: { [type in NumberType]: number } = { int: 0, long: 1, double: 2, decimal: 3 };

const widerType = (a: NumberType, b: NumberType): NumberType => (WIDTH[a] > WIDTH[b] ? a : b);

function requireType(value: Value): NumberType {
  const type = numberType(value) ?? 'double';
  if (type === 'decimal') throw notImplemented('arithmetic with Decimal128');
  return type;
}

function toBigInt(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  return bsonTag(value) === 'Long' ? (value as Long).toBigInt() : BigInt(asNumber(value)!);
}

const onDoubles = (operation: Operation, a: number, b: number): number =>
  operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
const onBigInts = (operation: Operation, a: bigint, b: bigint): bigint =>
  operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
