import { setTimeout } from 'node:timers/promises';
import type { Int32 } from 'bson';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPipeline } from './aggregate.ts';
import { anyFilter, anyProjection, anySort, anyUpdate, plainDoc } from './arbitrary-commands.ts';
import { anyExpression, anyPipeline, typedDoc } from './arbitrary-pipelines.ts';
import { bsonTag, type Doc, decode, encode, isDocument, typeName, type Value } from './bson.ts';
import { compileSort } from './compare.ts';
import { exactOf } from './decimal.ts';
import { StoreError } from './errors.ts';
import { compileExpression, letScope } from './expressions.ts';
import { compileFilter } from './match.ts';
import { compileProjection } from './project.ts';
import { compileUpdate } from './update.ts';

// Every operation runs here and on the server at MONGODB_URL over the same documents; answers and refusals must be the same.
// DIFFERENTIAL_RUNS batches of operations (default 6), from DIFFERENTIAL_SEED (default 1).
const url = process.env.MONGODB_URL;
const runs = Number(process.env.DIFFERENTIAL_RUNS ?? 6);
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 1);

describe.skipIf(!url)(url ? 'the same as the server at MONGODB_URL' : 'the same as a server: not run, MONGODB_URL is not set', () => {
  const client = new MongoClient(url ?? 'mongodb://127.0.0.1:1', { promoteValues: false, promoteLongs: false, bsonRegExp: true });
  const database = client.db(`differential_${process.pid}`);
  const docs = database.collection<Stored>('docs');
  const others = database.collection<Stored>('other');
  let excused: Excuse[] = [];

  beforeAll(async () => {
    await client.connect();
    const { gitVersion } = await client.db('admin').command({ buildInfo: 1 });
    if (gitVersion === 'docdb-gateway') excused = DOCUMENTDB;
    // So that the server's planner is under test too.
    await docs.createIndexes([
      { key: { a: 1 } },
      { key: { b: -1 } },
      { key: { 'a.b': 1 } },
      { key: { 'b.c': 1 }, sparse: true },
      { key: { _id: 1, c: -1 } },
    ]);
    await others.createIndexes([{ key: { a: 1 } }, { key: { 'b.c': 1 } }]);
  });
  afterAll(async () => {
    await database.dropDatabase();
    await client.close();
  });

  const seedWith = async (stored: Stored[], foreign: Stored[]) => {
    await Promise.all([docs.deleteMany({}), others.deleteMany({})]);
    await Promise.all([docs.insertMany(stored), others.insertMany(foreign)]);
  };

  // The server died of the operation; the next one waits for it.
  const seedAgain = async (stored: Stored[], foreign: Stored[]) => {
    for (let attempts = 0; ; attempts++) {
      try {
        return await seedWith(stored, foreign);
      } catch (error) {
        if (attempts === 100) throw error;
        await setTimeout(100);
      }
    }
  };

  // For each batch of documents twenty operations; `both` answers what this store and the server make of one.
  const compareBatches = <T>(
    kind: string,
    doc: fc.Arbitrary<Doc>,
    operation: fc.Arbitrary<T>,
    both: (operation: T, stored: Stored[], foreign: Stored[]) => Promise<[Value, Value]>,
  ) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(doc, { minLength: 3, maxLength: 7 }),
        fc.array(doc, { minLength: 3, maxLength: 7 }),
        fc.array(operation, { minLength: 20, maxLength: 20 }),
        async (left, right, operations) => {
          const [stored, foreign] = [left, right].map((list) =>
            list.map((fields, at) => decode(encode({ _id: decode(encode({ at })).at, ...fields }))),
          ) as [Stored[], Stored[]];
          await seedWith(stored, foreign);
          for (const given of operations) {
            const typed = decode(encode({ given })).given as T;
            const [ours, theirs] = (await both(typed, stored, foreign)).map(canonical) as [string, string];
            if (theirs === 'refused 91') await seedAgain(stored, foreign);
            if (ours === theirs || excused.some((excuse) => excuse.applies(kind, canonical(typed), ours, theirs, canonical(stored)))) continue;
            expect.soft({ operation: canonical(typed), answer: ours }).toEqual({ operation: canonical(typed), answer: theirs });
          }
        },
      ),
      { numRuns: runs, seed, endOnFailure: true },
    );

  test('filters match the same documents', () =>
    compareBatches('filter', plainDoc, anyFilter, async (filter, stored) => [
      attempt(() => {
        const { test: matches } = compileFilter(filter);
        return stored.filter((doc) => matches(doc)).map(({ _id }) => _id);
      }),
      await attemptRemote(async () => (await docs.find(filter, { sort: { _id: 1 }, projection: { _id: 1 } }).toArray()).map(({ _id }) => _id)),
    ]));

  test('sorts give the same order', () =>
    compareBatches('sort', plainDoc, anySort, async (sort, stored) => [
      attempt(() => stored.toSorted(compileSort(sort)).map(({ _id }) => _id)),
      await attemptRemote(async () =>
        (await docs.find({}, { sort: sort as { [path: string]: 1 | -1 }, projection: { _id: 1 } }).toArray()).map(({ _id }) => _id),
      ),
    ]));

  test('updates leave the same documents', () =>
    compareBatches('update', plainDoc, anyUpdate, async (update, [before]) => {
      const modifies = Object.keys(update)[0]?.startsWith('$');
      const theirs = await attemptRemote(async () =>
        modifies
          ? await docs.findOneAndUpdate({ _id: before!._id }, update, { returnDocument: 'after' })
          : await docs.findOneAndReplace({ _id: before!._id }, update, { returnDocument: 'after' }),
      );
      await docs.replaceOne({ _id: before!._id }, before!);
      return [attempt(() => compileUpdate(update, { now: new Date() }).apply(before!)), theirs];
    }));

  test('projections keep the same fields', () =>
    compareBatches('projection', plainDoc, anyProjection, async (projection, stored) => [
      attempt(() => stored.map(compileProjection(projection))),
      await attemptRemote(() => docs.find({}, { projection, sort: { _id: 1 } }).toArray()),
    ]));

  test('expressions have the same values', () =>
    compareBatches('expression', typedDoc, anyExpression, async (expression, [doc]) => [
      attempt(() => ({ r: compileExpression({ x: expression }, letScope(undefined, { now: new Date() }))(doc!) })),
      await attemptRemote(
        async () => (await docs.aggregate([{ $match: { _id: doc!._id } }, { $replaceWith: { r: { x: expression } } }]).toArray())[0],
      ),
    ]));

  test('pipelines answer the same documents', () =>
    compareBatches('pipeline', plainDoc, anyPipeline, async (stages, stored, foreign) => {
      const source = {
        find: (_: string, filter: Doc) => streamOf(foreign.filter(compileFilter(filter).test)),
        hasIndex: () => stages.length % 2 === 0,
      };
      const sorted = [{ $sort: decode(encode({ _id: 1 })) }, ...stages];
      const ours = async () => {
        const answer: Doc[] = [];
        for await (const doc of runPipeline(streamOf(stored), sorted, source, { now: new Date() })) answer.push(doc);
        return asSet(answer);
      };
      return [await attemptRemote(ours), await attemptRemote(async () => asSet(await docs.aggregate(sorted).toArray()))];
    }));
});

type Stored = Doc & { _id: Int32 };

async function* streamOf(docs: Doc[]): AsyncIterable<Doc> {
  yield* docs;
}

const asSet = (docs: Value[]): Value => docs.map(canonical).sort();

function attempt(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    return refusal(error);
  }
}

async function attemptRemote(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    return refusal(error);
  }
}

// A refusal by its code. The codes without a name (five digits and more) are not a promise of any server and count as BadValue.
function refusal(error: unknown): Value {
  const code = Number(String((error as { code?: unknown }).code));
  if (!(error instanceof StoreError) && !(error instanceof Error && error.name.startsWith('Mongo'))) throw error;
  return `refused ${code > 1000 ? 2 : code}`;
}

// Text that is equal for equal values of equal type; g and j are the sets of $graphLookup and $lookup. The order of fields that an operation adds is compared nowhere, nor the trailing zeros of a decimal.
function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (isDocument(value))
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${key}:${(key === 'g' || key === 'j') && Array.isArray(value[key]) ? asSet(value[key]) : canonical(value[key])}`)
      .join()}}`;
  if (typeof value === 'string') return value.startsWith('refused') || value.startsWith('{') || value.startsWith('[') ? value : JSON.stringify(value);
  const exact = bsonTag(value) === 'Decimal128' ? exactOf(value) : undefined;
  if (exact)
    return `decimal ${exact.coefficient.toString().replace(/0+$/, '')}e${exact.exponent + (/0+$/.exec(exact.coefficient.toString())?.[0].length ?? 0)}`;
  return `${typeName(value)} ${value instanceof Date ? value.getTime() : bsonTag(value) === 'BSONRegExp' ? JSON.stringify(value) : String(value)}`;
}

type Excuse = { reason: string; applies(kind: string, operation: string, ours: string, theirs: string, docs: string): boolean };
const both =
  (...codes: string[]) =>
  (ours: string, theirs: string) =>
    codes.includes(`${ours}/${theirs}`.replaceAll('refused ', ''));

// Where the DocumentDB engine differs from MongoDB; on a MongoDB server nothing is excused.
const DOCUMENTDB: Excuse[] = [
  {
    reason: 'an empty array sorts as null, an index over nested arrays as missing',
    applies: (kind, operation, _ours, _theirs, docs) => (kind === 'sort' || operation.includes('$sort')) && /\[\]|\[\[/.test(docs),
  },
  { reason: 'some operations take the engine down', applies: (_kind, _operation, _ours, theirs) => theirs === 'refused 91' },
  {
    reason: 'decimals with a fraction never equal doubles in $in, $lookup and $group',
    applies: (_, operation) => /decimal -?\d+e-/.test(operation) && /\$n?in|lookup|graph|addToSet/.test(operation),
  },
  {
    reason: '$[] over a value that is no array is PathNotViable, or nothing for $unset',
    applies: (kind, operation, ours, theirs) =>
      kind === 'update' && operation.includes('$[]') && ours === 'refused 2' && !theirs.startsWith('refused 2'),
  },
  {
    reason: 'a name inside an empty array is FailedToParse or passed over',
    applies: (kind, _, ours, theirs) => kind === 'update' && (both('28/9')(ours, theirs) || (ours === 'refused 28' && !theirs.startsWith('refused'))),
  },
  {
    reason: 'what refuses first when two things are wrong',
    applies: (kind, _, ours, theirs) =>
      kind === 'update' && both('2/40', '28/40', '2/28', '2/9', '14/28', '14/40', '40/2', '40/28', '40/9', '28/2', '40/14')(ours, theirs),
  },
  {
    reason: '$pop of a value that is no array is BadValue',
    applies: (kind, operation, ours, theirs) => kind === 'update' && operation.includes('$pop') && both('14/2')(ours, theirs),
  },
  {
    reason: '$push and $addToSet of nothing do not create the array',
    applies: (kind, operation) => kind === 'update' && /\$each:\[\]|\$slice:int 0/.test(operation),
  },
  {
    reason: '$setOnInsert takes no part in conflicts',
    applies: (kind, operation, ours) => kind === 'update' && operation.includes('$setOnInsert') && ours === 'refused 40',
  },
  {
    reason: '$unset through an array by name is refused',
    applies: (kind, operation, _, theirs) => kind === 'update' && operation.includes('$unset') && theirs === 'refused 28',
  },
  {
    reason: '$pop and $pull of what is missing create its parents',
    applies: (kind, operation, _ours, theirs) => kind === 'update' && /\$pop|\$pull/.test(operation) && /[ab]:\{\}/.test(theirs),
  },
  {
    reason: '$unset inside elements that are no documents is refused',
    applies: (kind, operation, _ours, theirs) => kind === 'update' && /\$unset.*\$\[\]/.test(operation) && theirs === 'refused 2',
  },
  {
    reason: '$unset and a following $set are taken for one stage',
    applies: (kind, operation, _ours, _theirs) => kind === 'pipeline' && /\$unset.*\$set/.test(operation),
  },
  {
    reason: '$inc and $mul replace a boolean',
    applies: (kind, operation, ours, theirs) =>
      kind === 'update' && /\$inc|\$mul/.test(operation) && ours === 'refused 14' && !theirs.startsWith('refused'),
  },
  {
    reason: '$rename of an index beyond the array is refused',
    applies: (kind, operation, _, theirs) => kind === 'update' && operation.includes('$rename') && theirs === 'refused 2',
  },
  {
    reason: 'branches that are not taken are evaluated',
    applies: (kind, _, ours, theirs) => kind === 'expression' && theirs.startsWith('refused') && !ours.startsWith('refused'),
  },
  {
    reason: 'the first of several refusals',
    applies: (kind, _, ours, theirs) => kind === 'expression' && both('2/241', '241/2', '14/2', '2/14', '14/241', '241/14')(ours, theirs),
  },
  {
    reason: '$arrayElemAt beyond a constant array is null',
    applies: (kind, operation, ours, theirs) =>
      kind === 'expression' && operation.includes('$arrayElemAt') && !ours.startsWith('refused') && !theirs.startsWith('refused'),
  },
];
