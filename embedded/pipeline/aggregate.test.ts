import { Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFilter } from '../query/match.ts';
import { anyFilter, anySort, plainDoc } from '../test/arbitrary-commands.ts';
import { anyPipeline } from '../test/arbitrary-pipelines.ts';
import { type Doc, decode, encode } from '../values/bson.ts';
import { runPipeline, type Source, splitPipeline } from './aggregate.ts';

const int = (n: number) => new Int32(n);
const long = (n: number) => Long.fromNumber(n);
const refusal = (code: number) => expect.objectContaining({ code });
const parts: Doc[] = [
  { _id: int(1), kind: 'bolt', mass: int(2), tags: ['m8', 'steel'] },
  { _id: int(2), kind: 'bolt', mass: new Double(1.5), tags: [] },
  { _id: int(3), kind: 'plate', mass: int(10), parent: int(1) },
  { _id: int(4), kind: 'plate', parent: int(3) },
];

async function* stream(docs: Iterable<Doc>): AsyncIterable<Doc> {
  yield* docs;
}
const source = (indexed: boolean): Source => ({
  find: (_, filter) => stream(parts.filter((doc) => compileFilter(filter).test(doc))),
  hasIndex: () => indexed,
});

async function run(
  stages: Doc[],
  { input = parts, indexed = true }: { input?: Iterable<Doc>; indexed?: boolean } = {},
): Promise<Doc[]> {
  const answer: Doc[] = [];
  for await (const doc of runPipeline(stream(input), stages, source(indexed), { now: new Date() })) answer.push(doc);
  return answer;
}
const ids = (docs: Doc[]) => docs.map(({ _id }) => Number(_id));

describe('splitPipeline', () => {
  test('splits off leading $match, $sort, $skip and $limit stages and moves a $match before the sort', () => {
    expect(
      splitPipeline([
        { $match: { a: 1 } },
        { $sort: { b: 1 } },
        { $match: { c: 1 } },
        { $skip: int(2) },
        { $limit: int(3) },
        { $count: 'n' },
      ]),
    ).toEqual({
      filter: { $and: [{ a: 1 }, { c: 1 }] },
      sort: { b: 1 },
      skip: 2,
      limit: 3,
      rest: [{ $count: 'n' }],
    });
  });

  test('splits off nothing that would change the result', () => {
    expect(splitPipeline([{ $limit: int(3) }, { $match: { a: 1 } }])).toEqual({
      filter: undefined,
      sort: undefined,
      skip: undefined,
      limit: 3,
      rest: [{ $match: { a: 1 } }],
    });
    expect(splitPipeline([{ $limit: int(3) }, { $skip: int(1) }]).rest).toEqual([{ $skip: int(1) }]);
    expect(splitPipeline([{ $limit: int(0) }]).rest).toEqual([{ $limit: int(0) }]);
    expect(splitPipeline([{ $group: { _id: null } }, { $match: { a: 1 } }]).filter).toBeUndefined();
  });
});

test('returns the same result with and without splitting', async () => {
  const leading = fc.array(
    fc.oneof(
      anyFilter.map(($match): Doc => ({ $match })),
      anySort.map(($sort): Doc => ({ $sort })),
      fc.nat({ max: 3 }).map((n): Doc => ({ $skip: int(n) })),
      fc.integer({ min: 1, max: 4 }).map((n): Doc => ({ $limit: int(n) })),
    ),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(plainDoc, { maxLength: 8 }), leading, anyPipeline, async (fields, first, more) => {
      const input = fields.map((doc, at) => decode(encode({ _id: int(at), ...doc })));
      const { filter, sort, skip, limit, rest } = splitPipeline([...first, ...more]);
      const before: Doc[] = [{ $match: filter ?? {} }];
      if (sort) before.push({ $sort: sort });
      if (skip) before.push({ $skip: int(skip) });
      if (limit) before.push({ $limit: int(limit) });
      const answer = async (stages: Doc[]) => {
        try {
          return (await run(stages, { input })).map((doc) => Buffer.from(encode(doc)).toString('hex'));
        } catch (error) {
          expect(error).toMatchObject({ code: expect.any(Number) });
          return [];
        }
      };
      expect(await answer([...before, ...rest])).toEqual(await answer([...first, ...more]));
    }),
    { numRuns: 400 },
  );
});

describe('stages', () => {
  test('$match, $sort, $skip and $limit', async () => {
    expect(ids(await run([{ $match: { mass: { $gt: int(1) } } }, { $sort: { mass: int(-1) } }]))).toEqual([3, 1, 2]);
    expect(ids(await run([{ $sort: { kind: int(-1), _id: int(1) } }, { $skip: int(1) }, { $limit: int(2) }]))).toEqual([
      4, 1,
    ]);
  });

  test('returns the first documents of a stable sort when a limit follows', async () => {
    const input = Array.from({ length: 7000 }, (_, at) => ({ _id: int(at), k: int((at * 7919) % 101) }));
    const all = await run([{ $sort: { k: int(1) } }], { input });
    expect(ids(await run([{ $sort: { k: int(1) } }, { $limit: int(50) }], { input }))).toEqual(ids(all).slice(0, 50));
    expect(ids(all)).toEqual(ids(input.toSorted((a, b) => a.k.value - b.k.value)));
  });

  test('$group computes every accumulator', async () => {
    const total = {
      sum: { $sum: '$mass' },
      average: { $avg: '$mass' },
      n: { $count: {} },
      least: { $min: '$mass' },
      largest: { $max: '$mass' },
      all: { $push: '$mass' },
      first: { $first: '$_id' },
      last: { $last: '$mass' },
    };
    expect(await run([{ $group: { _id: '$kind', ...total } }])).toEqual([
      {
        _id: 'bolt',
        sum: new Double(3.5),
        average: new Double(1.75),
        n: int(2),
        least: new Double(1.5),
        largest: int(2),
        all: [int(2), new Double(1.5)],
        first: int(1),
        last: new Double(1.5),
      },
      {
        _id: 'plate',
        sum: int(10),
        average: new Double(10),
        n: int(2),
        least: int(10),
        largest: int(10),
        all: [int(10)],
        first: int(3),
        last: null,
      },
    ]);
    expect(await run([{ $group: { _id: '$none', kinds: { $addToSet: '$kind' } } }])).toEqual([
      { _id: null, kinds: ['bolt', 'plate'] },
    ]);
  });

  test('$group combines equal numbers of different types', async () => {
    const input = [{ n: int(1) }, { n: new Double(1) }, { n: long(1) }];
    expect(await run([{ $group: { _id: '$n', n: { $sum: int(1) } } }], { input })).toEqual([
      { _id: int(1), n: int(3) },
    ]);
  });

  test('$unwind returns one document per element, optionally empty ones and an index', async () => {
    expect((await run([{ $unwind: '$tags' }])).map(({ tags }) => tags)).toEqual(['m8', 'steel']);
    const kept = await run([{ $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'at' } }]);
    expect(kept.map(({ tags, at }) => [tags, at])).toEqual([
      ['m8', long(0)],
      ['steel', long(1)],
      [undefined, null],
      [undefined, null],
      [undefined, null],
    ]);
  });

  test('$project, $set, $unset, $replaceWith and $count', async () => {
    expect(
      await run([{ $limit: int(1) }, { $set: { 'x.y': '$mass', mass: '$$REMOVE' } }, { $unset: ['tags', 'kind'] }]),
    ).toEqual([{ _id: int(1), x: { y: int(2) } }]);
    expect(
      await run([{ $limit: int(1) }, { $project: { _id: int(0), k: '$kind' } }, { $replaceWith: { a: '$$ROOT' } }]),
    ).toEqual([{ a: { k: 'bolt' } }]);
    expect(await run([{ $count: 'n' }])).toEqual([{ n: int(4) }]);
    expect(await run([{ $match: { none: true } }, { $count: 'n' }])).toEqual([]);
    await expect(run([{ $replaceWith: '$kind' }])).rejects.toThrow(refusal(40228));
  });
});

describe.each([true, false])('joins, foreign index: %s', (indexed) => {
  test('$lookup joins by field, null with missing, and arrays by element', async () => {
    const joined = await run([{ $lookup: { from: 'parts', localField: 'parent', foreignField: '_id', as: 'up' } }], {
      indexed,
    });
    expect(joined.map(({ up }) => ids(up as Doc[]))).toEqual([[], [], [1], [3]]);
    const byNull = await run(
      [
        { $match: { _id: int(1) } },
        { $lookup: { from: 'parts', localField: 'none', foreignField: 'parent', as: 'x.up' } },
      ],
      {
        indexed,
      },
    );
    expect(ids((byNull[0]!.x as { up: Doc[] }).up)).toEqual([1, 2]);
    const byTag = await run(
      [
        { $limit: int(1) },
        { $set: { want: ['steel', 'x'] } },
        { $lookup: { from: 'parts', localField: 'want', foreignField: 'tags', as: 'up' } },
      ],
      { indexed },
    );
    expect(ids(byTag[0]!.up as Doc[])).toEqual([1]);
  });

  test('$lookup runs a pipeline with variables of the outer document', async () => {
    const pipeline = [{ $match: { $expr: { $lt: ['$mass', '$$m'] } } }, { $project: { _id: int(1) } }];
    const joined = await run(
      [{ $match: { _id: int(1) } }, { $lookup: { from: 'parts', let: { m: '$mass' }, pipeline, as: 'lighter' } }],
      {
        indexed,
      },
    );
    expect(ids(joined[0]!.lighter as Doc[])).toEqual([2, 4]);
    const both = await run(
      [
        {
          $lookup: {
            from: 'parts',
            localField: '_id',
            foreignField: 'parent',
            pipeline: [{ $count: 'n' }],
            as: 'children',
          },
        },
      ],
      {
        indexed,
      },
    );
    expect(both.map(({ children }) => children)).toEqual([[{ n: int(1) }], [], [{ n: int(1) }], []]);
  });
});

describe('errors', () => {
  test('throws 292 when a sort or group exceeds 100 MiB', async () => {
    const text = 'x'.repeat(1 << 20);
    const input = Array.from({ length: 101 }, (_, at) => ({ _id: int(at), text }));
    await expect(run([{ $sort: { _id: int(1) } }], { input })).rejects.toThrow(refusal(292));
    await expect(run([{ $group: { _id: null, all: { $push: '$text' } } }], { input })).rejects.toThrow(refusal(292));
    expect(
      await run([{ $sort: { _id: int(-1) } }, { $limit: int(1) }, { $project: { _id: int(1) } }], { input }),
    ).toEqual([{ _id: int(100) }]);
  });

  test('rejects invalid stages, accumulators and arguments before reading the input', () => {
    const compile = (stages: Doc[]) => () => runPipeline(stream([]), stages, source(true), { now: new Date() });
    expect(compile([{ $foo: {} }])).toThrow(refusal(238));
    expect(compile([{ $group: { _id: null, n: { $foo: int(1) } } }])).toThrow(refusal(238));
    expect(compile([{ $group: { n: { $sum: int(1) } } }])).toThrow(refusal(15955));
    expect(compile([{ $limit: int(0) }])).toThrow(refusal(15958));
    expect(compile([{ $sort: { a: int(2) } }])).toThrow(refusal(15975));
    expect(compile([{ $unwind: 'a' }])).toThrow(refusal(28818));
    expect(compile([{ $lookup: { from: 'x', as: 'y' } }])).toThrow(refusal(9));
    expect(compile([{ $count: 'a.b' }])).toThrow(refusal(40160));
  });
});
