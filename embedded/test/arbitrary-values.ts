// Arbitraries of BSON values and documents.
import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import type { Doc, Value } from '../values/bson.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', 'é', '\0', '\u0001', '\uffff', '😀', ' ', '1'),
  maxLength: 4,
});
const bytes = fc.uint8Array({ maxLength: 4 });

/** Numbers of all four types, often edge cases. */
export const anyNumber: fc.Arbitrary<Value> = fc.oneof(
  fc.oneof(fc.integer(), fc.integer({ min: -3, max: 3 })).map((n) => new Int32(n)),
  fc
    .oneof(
      fc.double(),
      fc.constantFrom(0, -0, 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 0.1, 9.5, Number.NaN, Infinity, -Infinity, 5e-324),
    )
    .map((n) => new Double(n)),
  fc
    .oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 3n, 2n ** 63n - 1n),
    )
    .map((n) => Long.fromBigInt(n)),
  fc
    .oneof(
      fc.constantFrom(
        '0',
        '-0',
        '1',
        '1.0',
        '0.1',
        '9007199254740993',
        '9007199254740993.5',
        'NaN',
        'Infinity',
        '-Infinity',
        '1E+6000',
        '-1E+6000',
        '1E-6000',
      ),
      fc
        .tuple(fc.bigInt({ min: -(10n ** 33n), max: 10n ** 33n }), fc.integer({ min: -400, max: 400 }))
        .map(([c, e]) => `${c}E${e}`),
    )
    .map((s) => Decimal128.fromString(s)),
);

const scalars: fc.Arbitrary<Value>[] = [
  anyNumber,
  text,
  fc.constantFrom<Value>(null, undefined, true, false, new MinKey(), new MaxKey()),
  fc.integer({ min: -5, max: 5 }).map((n) => new Date(n * 1000)),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((b) => new ObjectId(b)),
  fc.tuple(bytes, fc.constantFrom(0, 5)).map(([b, subtype]) => new Binary(b, subtype)),
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 ** 31 })).map(([t, i]) => new Timestamp({ t, i })),
  fc
    .tuple(fc.constantFrom('a', 'a.c', '^b'), fc.constantFrom('', 'i'))
    .map(([pattern, options]) => new BSONRegExp(pattern, options)),
  text.map((code) => new Code(code)),
];

/** Values of every sortable type except documents and arrays. */
export const anyScalar: fc.Arbitrary<Value> = fc.oneof(
  { arbitrary: anyNumber, weight: 3 },
  { arbitrary: text, weight: 2 },
  ...scalars,
);

/** Pairs of values of the same type, which `anyValue` rarely generates. */
export const twoOfAKind: fc.Arbitrary<[Value, Value]> = fc.oneof(...scalars.map((scalar) => fc.tuple(scalar, scalar)));

/** Values of every type, with nested documents and arrays. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: anyScalar, weight: 5 },
    { arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 1 },
    {
      arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'é', '$x', ''), tie('value'), { maxKeys: 3 }),
      weight: 1,
    },
  ),
})).value;

/** Documents with few different field names, so that paths often match. */
export const anyDoc: fc.Arbitrary<Doc> = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), anyValue, { maxKeys: 4 });
