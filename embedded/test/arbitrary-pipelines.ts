import { Decimal128, Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import type { Doc, Value } from '../values/bson.ts';
import { anyFilter } from './arbitrary-commands.ts';

const int = (n: number) => new Int32(n);
const of = <T>(...items: [T, ...T[]]): fc.Arbitrary<T> => fc.constantFrom(...items);
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
const mostly = (items: Value[], other: fc.Arbitrary<Value> = value(null)) =>
  fc.oneof({ arbitrary: value(...items), weight: 6 }, { arbitrary: other, weight: 1 });
const list: fc.Arbitrary<Value> = fc.array(
  fc.oneof(mostly(numbers), value(...texts), fc.record({ k: value('x', 'y'), v: value(int(1), int(2)) })),
  {
    maxLength: 4,
  },
);

/** Documents with a number n, a text s, a list l, a document o and a date t; now and then one is null, missing or something else. */
export const typedDoc: fc.Arbitrary<Doc> = fc.record(
  {
    n: mostly(numbers, value(null, 'x', [int(1)])),
    s: mostly(texts, value(null, int(5))),
    l: fc.oneof({ arbitrary: list, weight: 6 }, { arbitrary: value(null, 'x', int(1)), weight: 1 }),
    o: fc.record({ x: value(int(1), 'a', null), y: list }, { requiredKeys: [] }),
    t: mostly(dates, value(null, int(3))),
  },
  { requiredKeys: [] },
);

type Kinds = { number: Value; text: Value; list: Value; doc: Value; date: Value; truth: Value; any: Value };

/** Expressions over the operators of the promise, mostly of the types they want. */
export const anyExpression: fc.Arbitrary<Value> = fc.letrec<Kinds>((tie) => {
  const number = tie('number');
  const text = tie('text');
  const array = tie('list');
  const any = tie('any');
  const call = (names: fc.Arbitrary<string>, ...operands: fc.Arbitrary<Value>[]) =>
    fc.tuple(names, fc.tuple(...operands)).map(([name, args]): Value => ({ [name]: args }));
  const fields = (name: string, args: { [field: string]: fc.Arbitrary<Value> }) =>
    fc.record(args).map((record): Value => ({ [name]: record }));
  const choice = (leaf: fc.Arbitrary<Value>, ...calls: fc.Arbitrary<Value>[]) =>
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: leaf, weight: calls.length + 1 },
      ...calls.map((arbitrary) => ({ arbitrary, weight: 1 })),
    );
  return {
    number: choice(
      value('$n', '$n', '$o.x', ...numbers),
      call(of('$add', '$multiply'), number, number),
      call(of('$add', '$multiply'), number, number, number),
      call(of('$subtract', '$divide', '$mod'), number, number),
      call(of('$abs', '$ceil', '$floor', '$toInt', '$toLong', '$toDouble'), number),
      call(of('$round'), number, value(int(0), int(1), int(-1))),
      call(of('$toInt', '$toLong', '$toDouble', '$strLenCP'), text),
      call(of('$size'), array),
      call(of('$indexOfArray'), array, any),
      call(of('$cmp'), any, any),
      call(of('$subtract'), tie('date'), tie('date')),
    ),
    text: choice(
      value('$s', '$s', ...texts),
      call(of('$concat'), text, text),
      call(of('$toLower', '$toUpper', '$toString'), text),
      call(of('$toString'), number),
      call(of('$type'), any),
      call(of('$substrCP'), text, value(int(0), int(1)), value(int(0), int(2), int(9))),
      fields('$trim', { input: text }),
      fields('$trim', { input: text, chars: value('a ', 'b') }),
      fields('$dateToString', { date: tie('date') }),
      fields('$dateToString', {
        date: tie('date'),
        format: value('%Y-%m-%d %H:%M:%S.%L', '%j %u %w %V %G %U', '%z %%'),
        timezone: value('+02:30', 'UTC', 'Europe/Berlin'),
      }),
    ),
    list: choice(
      value('$l', '$l', '$o.y', '$l.v', [int(1), int(2), int(2)]),
      call(of('$concatArrays'), array, array),
      // Sets have no order of their own.
      call(of('$setUnion', '$setIntersection'), array, array).map(
        (input): Value => ({ $sortArray: { input, sortBy: int(1) } }),
      ),
      call(of('$setDifference'), array, array),
      call(of('$reverseArray', '$objectToArray'), fc.oneof(array, tie('doc'))),
      call(of('$slice'), array, value(int(1), int(-2), int(0))),
      call(of('$slice'), array, value(int(1), int(-2)), value(int(1), int(2))),
      call(of('$split'), text, value(',', ' ', 'a')),
      fields('$sortArray', { input: array, sortBy: value(int(1), int(-1), { v: int(1) }) }),
      fields('$filter', {
        input: array,
        cond: fc.oneof(
          any.map((other) => ({ $gt: ['$$this', other] })),
          value({ $ne: ['$$this.v', int(1)] }),
        ),
      }),
      fields('$map', { input: array, as: value('m'), in: fc.oneof(any, value('$$m', '$$m.v', { $type: '$$m' })) }),
      fc.tuple(any, any).map((pair): Value => pair),
    ),
    doc: choice(
      value('$o', '$$ROOT', { x: '$n', y: '$missing' }),
      call(of('$mergeObjects'), tie('doc'), tie('doc')),
      call(of('$arrayToObject'), value([[['a', int(1)]]], [[{ k: 'q', v: '$n' }]])),
      fc.tuple(any, any).map(([x, y]): Value => ({ x, y })),
    ),
    date: choice(
      value('$t', '$t', ...dates),
      call(of('$toDate'), fc.oneof(value(Long.fromNumber(1e12), new Double(1.5)), text)),
      call(of('$add', '$subtract'), tie('date'), value(int(1000), Long.fromNumber(5))),
    ),
    truth: choice(
      value(true, false, '$n'),
      call(of('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), any, any),
      call(of('$and', '$or'), any, any),
      call(of('$not', '$isArray'), any),
      call(of('$in'), any, array),
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
      call(of('$ifNull'), any, any),
      call(of('$cond'), tie('truth'), any, any),
      call(of('$arrayElemAt'), array, value(int(0), int(-1), int(7))),
      call(of('$first', '$last'), array),
      fields('$reduce', {
        input: array,
        initialValue: value([]),
        in: value({ $concatArrays: ['$$value', ['$$this']] }),
      }),
      any.map((bound): Value => ({ $let: { vars: { v: bound }, in: ['$$v', '$$v.x'] } })),
      fc.tuple(tie('truth'), any, any).map(
        ([test, then, otherwise]): Value => ({
          $switch: {
            branches: [
              Object.fromEntries([
                ['case', test],
                ['then', then],
              ]),
            ],
            default: otherwise,
          },
        }),
      ),
      value({ $literal: '$n' }, { $getField: 'n' }, { $getField: { field: 'x', input: '$o' } }),
    ),
  };
}).any;

const one = <T>(name: string, argument: fc.Arbitrary<T>): fc.Arbitrary<Doc> => argument.map((v) => ({ [name]: v }));
const path: fc.Arbitrary<string> = of('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c');
const reference: fc.Arbitrary<Value> = path.map((name) => `$${name}`);
// Null represents a missing field in a group, which the reference does not do by itself.
const groupId: fc.Arbitrary<Value> = fc.oneof(
  reference.map((field): Value => ({ $ifNull: [field, null] })),
  fc.constant(null),
);
const accumulator: fc.Arbitrary<Doc> = fc.oneof(
  fc
    .tuple(
      of('$sum', '$avg', '$min', '$max', '$push', '$addToSet'),
      fc.oneof(reference, value(int(1), new Double(0.5))),
    )
    .map(([name, argument]) => ({ [name]: argument })),
  fc.constant<Doc>({ $count: {} }),
);
const computed: fc.Arbitrary<Value> = fc.oneof(
  reference,
  reference.map((field): Value => ({ $ifNull: [field, 'none'] })),
  fc.tuple(reference, reference).map((pair): Value => ({ $cond: [{ $gt: pair }, pair[0], { both: pair }] })),
  reference.map((field): Value => ({ $type: field })),
);
const limitedSort: fc.Arbitrary<Doc[]> = fc
  .tuple(of('a', 'b', 'a.b', 'b.c'), of(int(1), int(-1)), of(int(1), int(3)))
  .map(([name, direction, $limit]) => [{ $sort: { [name]: direction, _id: int(1) } }, { $limit }]);

const stage: fc.Arbitrary<Doc> = fc.oneof(
  { arbitrary: one('$match', anyFilter), weight: 2 },
  { arbitrary: computed.map((x) => ({ $project: { b: int(1), 'c.b': int(1), x } })), weight: 2 },
  { arbitrary: fc.tuple(path, computed).map(([name, x]) => ({ $set: { [name]: x } })), weight: 3 },
  { arbitrary: one('$unset', path), weight: 1 },
  {
    arbitrary: fc.tuple(reference, fc.boolean(), of({}, { includeArrayIndex: 'at' })).map(([array, keep, index]) => ({
      $unwind: { path: array, preserveNullAndEmptyArrays: keep, ...index },
    })),
    weight: 2,
  },
  { arbitrary: fc.tuple(groupId, accumulator).map(([_id, total]) => ({ $group: { _id, total } })), weight: 3 },
  {
    arbitrary: one(
      '$replaceWith',
      reference.map((x) => ({ $mergeObjects: ['$$ROOT', { x }] })),
    ),
    weight: 1,
  },
  {
    arbitrary: fc
      .tuple(path, path)
      .map(([localField, foreignField]) => ({ $lookup: { from: 'other', localField, foreignField, as: 'j' } })),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(path, path, path).map(([start, connectFromField, connectToField]) => ({
      $graphLookup: {
        from: 'other',
        startWith: `$${start}`,
        connectFromField,
        connectToField,
        as: 'g',
        // Null, which a server lets meet missing fields, is kept apart.
        restrictSearchWithMatch: { [connectToField]: { $ne: null } },
      },
    })),
    weight: 1,
  },
  {
    arbitrary: one(
      '$facet',
      anyFilter.map((filter) => ({ x: [{ $match: filter }, { $group: { _id: null, n: { $count: {} } } }] })),
    ),
    weight: 1,
  },
);

/** Pipelines over the stages of the promise; their answers have no order of their own. */
export const anyPipeline: fc.Arbitrary<Doc[]> = fc
  .array(fc.oneof({ arbitrary: stage.map((only) => [only]), weight: 6 }, { arbitrary: limitedSort, weight: 1 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((stages) => stages.flat());
