// Arbitraries of documents, expressions and aggregation pipelines.
import { Decimal128, Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import type { Doc, Value } from '../values/bson.ts';
import { anyFilter } from './arbitrary-commands.ts';

const int = (n: number) => new Int32(n);
const constant = <T>(...items: [T, ...T[]]): fc.Arbitrary<T> => fc.constantFrom(...items);
const value = (...items: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...items);

const numbers = [
  int(0),
  int(1),
  int(2),
  int(-3),
  int(2147483647),
  new Double(2.5),
  new Double(-0.5),
  Long.fromNumber(2),
  Long.fromString('9223372036854775807'),
  Decimal128.fromString('1.5'),
  Decimal128.fromString('-2'),
];
const texts = ['', 'a', 'b c', ' Ab ', 'a,b', '12', '-7', '1.5', 'é😀', '2020-02-29T12:34:56.789Z', '2021-03-01'];
const dates = [new Date(0), new Date('2020-02-29T12:34:56.789Z'), new Date('1969-12-31T23:59:59.999Z')];
const usually = (items: Value[], other: fc.Arbitrary<Value> = value(null)) =>
  fc.oneof({ arbitrary: value(...items), weight: 6 }, { arbitrary: other, weight: 1 });
const list: fc.Arbitrary<Value> = fc.array(
  fc.oneof(usually(numbers), value(...texts), fc.record({ k: value('x', 'y'), v: value(int(1), int(2)) })),
  {
    maxLength: 4,
  },
);

/**
 * Documents with a number `n`, a string `s`, an array `l`, a document `o` and a date `t`. A field is sometimes null,
 * missing or of another type.
 */
export const typedDoc: fc.Arbitrary<Doc> = fc.record(
  {
    n: usually(numbers, value(null, 'x', [int(1)])),
    s: usually(texts, value(null, int(5))),
    l: fc.oneof({ arbitrary: list, weight: 6 }, { arbitrary: value(null, 'x', int(1)), weight: 1 }),
    o: fc.record({ x: value(int(1), 'a', null), y: list }, { requiredKeys: [] }),
    t: usually(dates, value(null, int(3))),
  },
  { requiredKeys: [] },
);

type Kinds = { number: Value; text: Value; list: Value; doc: Value; date: Value; truth: Value; any: Value };

/** Expressions with the supported operators, mostly with operands of the types that the operators require. */
export const anyExpression: fc.Arbitrary<Value> = fc.letrec<Kinds>((tie) => {
  const number = tie('number');
  const text = tie('text');
  const array = tie('list');
  const any = tie('any');
  const call = (names: fc.Arbitrary<string>, ...operands: fc.Arbitrary<Value>[]) =>
    fc.tuple(names, fc.tuple(...operands)).map(([name, args]): Value => ({ [name]: args }));
  const choice = (leaf: fc.Arbitrary<Value>, ...calls: fc.Arbitrary<Value>[]) =>
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: leaf, weight: calls.length + 1 },
      ...calls.map((arbitrary) => ({ arbitrary, weight: 1 })),
    );
  return {
    number: choice(
      value('$n', '$n', '$o.x', ...numbers),
      call(constant('$add', '$multiply'), number, number),
      call(constant('$add', '$multiply'), number, number, number),
      call(constant('$subtract'), number, number),
      call(constant('$size'), array),
      call(constant('$subtract'), tie('date'), tie('date')),
    ),
    text: choice(value('$s', '$s', ...texts)),
    list: choice(
      value('$l', '$l', '$o.y', '$l.v', [int(1), int(2), int(2)]),
      call(constant('$slice'), array, value(int(2), int(-1))),
      fc.tuple(any, any).map((pair): Value => pair),
    ),
    doc: choice(
      value('$o', '$$ROOT', { x: '$n', y: '$missing' }),
      fc.tuple(any, any).map(([x, y]): Value => ({ x, y })),
    ),
    date: choice(
      value('$t', '$t', ...dates),
      call(constant('$add', '$subtract'), tie('date'), value(int(1000), Long.fromNumber(5))),
    ),
    truth: choice(
      value(true, false, '$n'),
      call(constant('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), any, any),
      call(constant('$and', '$or'), any, any),
      call(constant('$not'), any),
    ),
    any: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      number,
      text,
      array,
      tie('doc'),
      tie('date'),
      tie('truth'),
      value('$missing', '$$REMOVE', null),
      call(constant('$ifNull'), any, any),
      call(constant('$cond'), tie('truth'), any, any),
      value({ $literal: '$n' }),
    ),
  };
}).any;

const withField = <T>(name: string, argument: fc.Arbitrary<T>): fc.Arbitrary<Doc> =>
  argument.map((v) => ({ [name]: v }));
const path: fc.Arbitrary<string> = constant('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c');
const reference: fc.Arbitrary<Value> = path.map((name) => `$${name}`);
// Replaces a missing field with null, because the reference server treats them as different groups.
const groupId: fc.Arbitrary<Value> = fc.oneof(
  reference.map((field): Value => ({ $ifNull: [field, null] })),
  fc.constant(null),
);
const accumulator: fc.Arbitrary<Doc> = fc.oneof(
  fc
    .tuple(
      constant('$sum', '$avg', '$min', '$max', '$push', '$addToSet'),
      fc.oneof(reference, value(int(1), new Double(0.5))),
    )
    .map(([name, argument]) => ({ [name]: argument })),
  fc.constant<Doc>({ $count: {} }),
);
const computed: fc.Arbitrary<Value> = fc.oneof(
  reference,
  reference.map((field): Value => ({ $ifNull: [field, 'none'] })),
  fc.tuple(reference, reference).map((pair): Value => ({ $cond: [{ $gt: pair }, pair[0], { both: pair }] })),
);
const limitedSort: fc.Arbitrary<Doc[]> = fc
  .tuple(constant('a', 'b', 'a.b', 'b.c'), constant(int(1), int(-1)), constant(int(1), int(3)))
  .map(([name, direction, $limit]) => [{ $sort: { [name]: direction, _id: int(1) } }, { $limit }]);

const stage: fc.Arbitrary<Doc> = fc.oneof(
  { arbitrary: withField('$match', anyFilter), weight: 2 },
  { arbitrary: computed.map((x) => ({ $project: { b: int(1), 'c.b': int(1), x } })), weight: 2 },
  { arbitrary: fc.tuple(path, computed).map(([name, x]) => ({ $set: { [name]: x } })), weight: 3 },
  { arbitrary: withField('$unset', path), weight: 1 },
  {
    arbitrary: fc
      .tuple(reference, fc.boolean(), constant<Doc>({}, { includeArrayIndex: 'at' }))
      .map(([array, keep, index]) => ({
        $unwind: { path: array, preserveNullAndEmptyArrays: keep, ...index },
      })),
    weight: 2,
  },
  { arbitrary: fc.tuple(groupId, accumulator).map(([_id, total]) => ({ $group: { _id, total } })), weight: 3 },
  {
    arbitrary: withField(
      '$replaceWith',
      reference.map((x) => ({ _id: '$_id', x })),
    ),
    weight: 1,
  },
  {
    arbitrary: fc
      .tuple(path, path)
      .map(([localField, foreignField]) => ({ $lookup: { from: 'other', localField, foreignField, as: 'j' } })),
    weight: 2,
  },
);

/** Pipelines with the supported stages. The order of their results is not defined. */
export const anyPipeline: fc.Arbitrary<Doc[]> = fc
  .array(fc.oneof({ arbitrary: stage.map((only) => [only]), weight: 6 }, { arbitrary: limitedSort, weight: 1 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((stages) => stages.flat());
