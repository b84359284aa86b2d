// Arbitraries of filters, sorts, projections and updates.
import { BSONRegExp, Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import type { Doc, Value } from '../values/bson.ts';

const int = (n: number) => new Int32(n);
const constant = <T>(...items: [T, ...T[]]): fc.Arbitrary<T> => fc.constantFrom(...items);

const small: fc.Arbitrary<Value> = constant<Value>(
  int(0),
  int(1),
  int(2),
  int(-1),
  new Double(1),
  new Double(2.5),
  Long.fromNumber(2),
  Decimal128.fromString('2'),
  Decimal128.fromString('1.5'),
  'a',
  'b',
  'B',
  'ab',
  '',
  null,
  true,
  false,
  new Date(0),
  new Date(1_000),
  new ObjectId('000000000000000000000001'),
);

/** Values of documents and conditions: few different ones, so that conditions match. */
export const plainValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: small, weight: 6 },
    { arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 2 },
    { arbitrary: fc.dictionary(constant('b', 'c', 'd'), tie('value'), { maxKeys: 2, minKeys: 1 }), weight: 2 },
  ),
})).value;

/** Documents with the fields a, b and c, which may be missing. */
export const plainDoc: fc.Arbitrary<Doc> = fc.record(
  { a: plainValue, b: plainValue, c: plainValue },
  { requiredKeys: [] },
);

export const path: fc.Arbitrary<string> = constant('a', 'b', 'a.b', 'a.0', 'a.b.c', 'b.c', 'a.1.b');
const plainPath: fc.Arbitrary<string> = constant('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c');
const withField = <T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<Doc> => value.map((v) => ({ [name]: v }));
const typeName = constant<Value>(
  'int',
  'string',
  'array',
  'object',
  'null',
  'number',
  'bool',
  int(2),
  int(4),
  int(10),
  int(1),
  'nonsense',
);

const condition: fc.Arbitrary<Doc> = fc.letrec<{ condition: Doc }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc
      .tuple(constant('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), plainValue)
      .map(([name, value]) => ({ [name]: value })),
    fc
      .tuple(constant('$in', '$nin'), fc.array(plainValue, { maxLength: 3 }))
      .map(([name, values]) => ({ [name]: values })),
    withField('$exists', fc.boolean()),
    withField('$type', typeName),
    withField('$size', constant(int(0), int(1), int(2))),
    fc
      .tuple(constant('a', '^a', 'B$', '.'), constant('', 'i', 's'))
      .map(([pattern, options]) => ({ $regex: pattern, $options: options })),
    withField(
      '$elemMatch',
      fc.oneof(
        tie('condition'),
        withField('b', plainValue),
        fc.tuple(constant('b', 'c'), tie('condition')).map(([field, inner]) => ({ [field]: inner })),
      ),
    ),
    withField('$not', tie('condition')),
    fc.tuple(constant('$in', '$nin', '$not'), constant('^a', 'B$')).map(([name, pattern]) => {
      const regex = new BSONRegExp(pattern, '');
      return { [name]: name === '$not' ? regex : [regex, 'b'] };
    }),
    fc.tuple(plainValue, plainValue).map(([low, high]) => ({ $gte: low, $lt: high })),
  ),
})).condition;

/** Filters with all supported query operators. */
export const anyFilter: fc.Arbitrary<Doc> = fc.letrec<{ filter: Doc }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { arbitrary: fc.tuple(path, condition).map(([field, test]) => ({ [field]: test })), weight: 6 },
    { arbitrary: fc.tuple(path, plainValue).map(([field, value]) => ({ [field]: value })), weight: 3 },
    {
      arbitrary: fc
        .tuple(path, constant('^a', 'b'))
        .map(([field, pattern]) => ({ [field]: new BSONRegExp(pattern, '') })),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(constant('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 2 }))
        .map(([name, filters]) => ({ [name]: filters })),
      weight: 2,
    },
    {
      arbitrary: fc
        .tuple(
          constant('$eq', '$gt', '$lte'),
          plainPath,
          fc.oneof(
            plainPath.map((name): Value => `$${name}`),
            small,
          ),
        )
        .map(([name, left, right]) => ({ $expr: { [name]: [`$${left}`, right] } })),
      weight: 1,
    },
  ),
})).filter;

const fields = <T>(names: fc.Arbitrary<string>, value: fc.Arbitrary<T>): fc.Arbitrary<Doc> =>
  fc.array(fc.tuple(names, value), { minLength: 1, maxLength: 2 }).map((entries) => Object.fromEntries(entries));
const updatePath: fc.Arbitrary<string> = constant('a', 'b', 'c', 'a.b', 'a.0', 'b.c', 'a.b.c', 'n', 'a.$[]', 'a.$[].b');

const modifier: fc.Arbitrary<Doc> = fc.oneof(
  {
    arbitrary: fc
      .tuple(constant('$set', '$setOnInsert', '$max', '$unset'), fields(updatePath, plainValue))
      .map(([name, doc]) => ({ [name]: doc })),
    weight: 4,
  },
  {
    arbitrary: fc
      .tuple(
        constant('$inc'),
        fields(updatePath, constant<Value>(int(1), int(2), new Double(0.5), Long.fromNumber(3), int(2147483647))),
      )
      .map(([name, doc]) => ({ [name]: doc })),
    weight: 2,
  },
);

/** Updates with one or two operators, and replacements. */
export const anyUpdate: fc.Arbitrary<Doc> = fc.oneof(
  { arbitrary: modifier, weight: 5 },
  { arbitrary: fc.tuple(modifier, modifier).map(([first, second]) => ({ ...first, ...second })), weight: 2 },
  { arbitrary: plainDoc, weight: 1 },
);

/** Projections of a find command. */
export const anyProjection: fc.Arbitrary<Doc> = fc
  .tuple(
    fc.array(
      fc.tuple(
        constant('a', 'b', 'c', 'a.b', 'a.c', 'b.c', 'a.b.c'),
        constant<'flag' | 'slice' | 'expression'>('flag', 'flag', 'flag', 'slice', 'expression'),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    fc.boolean(),
    constant<Value>(undefined, int(0), int(1)),
    plainPath,
    constant(int(1), int(-1), int(2)),
  )
  .map(([parts, include, id, from, slice]) => {
    const spec: Doc = {};
    for (const [name, kind] of parts) {
      spec[name] = kind === 'flag' ? int(include ? 1 : 0) : kind === 'slice' ? { $slice: slice } : `$${from}`;
    }
    if (id !== undefined) spec._id = id;
    return spec;
  });

/** Sorts by one or two paths, then by id. */
export const anySort: fc.Arbitrary<Doc> = fc
  .tuple(fields(path, constant(int(1), int(-1))), constant(int(1), int(-1)))
  .map(([spec, _id]) => ({ ...spec, _id }));
