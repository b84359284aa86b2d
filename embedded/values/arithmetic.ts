import { Decimal128, Double, Int32, Long } from 'bson';
import { asNumber, bsonTag, type Value } from './bson.ts';
import { aligned, decimalOf, type Exact, exactOf, exactOfRoundedDouble } from './decimal.ts';

export type NumberType = 'int' | 'long' | 'double' | 'decimal';
type Operation = 'add' | 'subtract' | 'multiply';

/** Which of the four number types a value has; undefined for everything else. */
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
 * `a` and `b` added, subtracted or multiplied in the wider of their types; an Int32 that overflows becomes a Long.
 * Undefined if a Long overflows: an update refuses that, an expression answers a double (`approximate`).
 */
export function calculate(operation: Operation, a: Value, b: Value): Value | undefined {
  const type = widest(numberType(a), numberType(b));
  if (type === 'decimal') return decimalResult(operation, a, b);
  if (type === 'double') return new Double(onDoubles(operation, asNumber(a)!, asNumber(b)!));
  const quick = onDoubles(operation, asNumber(a)!, asNumber(b)!);
  if (type === 'int' && Number.isSafeInteger(quick)) return wholeOf(BigInt(quick), 'int');
  return wholeOf(onBigInts(operation, wholeValue(a), wholeValue(b)), type);
}

/** The same, with a double where a Long overflows. */
export function approximate(operation: Operation, a: Value, b: Value): Value {
  return calculate(operation, a, b) ?? new Double(onDoubles(operation, asNumber(a)!, asNumber(b)!));
}

/** The quotient, as a double unless one of the two is a decimal; the divisor must not be zero. */
export function divide(a: Value, b: Value): Value {
  if (widest(numberType(a), numberType(b)) !== 'decimal') return new Double(asNumber(a)! / asNumber(b)!);
  const [x, y] = [operand(a), operand(b)];
  return x && y ? decimalOf(exactQuotient(x, y)) : specialDecimal(asNumber(a)! / asNumber(b)!);
}

/** The remainder with the sign of the dividend, in the wider type; the divisor must not be zero. */
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

/** A whole number as Int32 if the type asks for it and it fits, else as Long; undefined if it does not fit 64 bits. */
export function wholeOf(value: bigint, type: NumberType | undefined): Value | undefined {
  if (type === 'int' && value >= -0x80000000n && value <= 0x7fffffffn) return new Int32(Number(value));
  return BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : undefined;
}

/** The value of an Int32 or Long. */
export function wholeValue(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  return bsonTag(value) === 'Long' ? (value as Long).toBigInt() : BigInt(asNumber(value)!);
}

/** Adds up numbers of any type; other values are passed over. Doubles are summed with the lost digits carried along, as a server does, so 0.1 + 0.2 + 0.3 is 0.6. */
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
  // Knuth's two-sum: what rounding took from sum + number, exactly.
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
      const given = numberType(value);
      if (!given) return;
      count++;
      type = widest(type, given);
      if (given === 'decimal') decimals = approximate('add', decimals, value);
      else if (given === 'double') addDouble(asNumber(value)!);
      else if (given === 'int') {
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

// Enough digits for 34, one of them sticky so that rounding sees what division leaves over; an exact quotient drops its zeros.
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
