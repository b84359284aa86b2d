// Compares this store with the server at MONGODB_URL: the same random commands on the same documents and indexes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../test/support/needs.ts';
import { type StoreHandle, startStore } from '../../process/supervisor.ts';
import { bsonTag, type Doc, decode, encode, isDocument, typeName, type Value } from '../../values/bson.ts';
import { exactOf } from '../../values/decimal.ts';
import { anyFilter, anyProjection, anySort, anyUpdate, plainDoc } from '../arbitrary-commands.ts';
import { anyExpression, anyPipeline, typedDoc } from '../arbitrary-pipelines.ts';
import { anyRead, anyWrite } from '../arbitrary-writes.ts';
import { type Difference, DOCUMENTDB } from './differences.ts';

// Runs STORE_RUNS batches of twenty commands of each kind (default 6), generated from STORE_SEED (default 1).
const url = process.env.MONGODB_URL;
const runs = Number(process.env.STORE_RUNS ?? 6);
const seed = Number(process.env.STORE_SEED ?? 1);

const server = needs('MongoDB server');
describe.skipIf(server.isMissing)(
  server.title('the store and the server at MONGODB_URL'),
  { timeout: 60_000 * runs },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-differential-'));
    const clients: MongoClient[] = [];
    let store: StoreHandle;
    let ours: Db;
    let theirs: Db;
    let excused: readonly Difference[] = [];

    beforeAll(async () => {
      store = await startStore({ dataDir: folder, log: () => undefined, onFatal: (reason) => expect.fail(reason) });
      [ours, theirs] = (await Promise.all([store.uri, url ?? ''].map(open))) as [Db, Db];
      const { gitVersion } = await theirs.admin().command({ buildInfo: 1 });
      if (gitVersion === 'docdb-gateway') excused = DOCUMENTDB;
    });
    afterAll(async () => {
      await theirs.dropDatabase();
      for (const client of clients) await client.close();
      await store.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function open(uri: string): Promise<Db> {
      const client = await MongoClient.connect(uri, { ...TYPED, serverSelectionTimeoutMS: 5_000 });
      clients.push(client);
      const db = client.db(`differential_${process.pid}`);
      // With indexes, so that the planners are tested too.
      const keys = [{ a: 1 }, { b: -1 }, { 'a.b': 1 }, { 'b.c': 1 }, { _id: 1, c: -1 }] as const;
      await db.collection('docs').createIndexes(keys.map((key) => ({ key, ...('b.c' in key && { sparse: true }) })));
      await db.collection('other').createIndexes([{ key: { a: 1 } }]);
      return db;
    }

    async function fill(db: Db, stored: Doc[], foreign: Doc[]): Promise<void> {
      // The server may have crashed on the previous command: wait for its restart.
      for (let attempts = 0; ; attempts++) {
        try {
          await Promise.all([db.collection('docs').deleteMany({}), db.collection('other').deleteMany({})]);
          await Promise.all([db.collection('docs').insertMany(stored), db.collection('other').insertMany(foreign)]);
          return;
        } catch (error) {
          if (attempts === 100) throw error;
          await setTimeout(100);
        }
      }
    }

    // Runs twenty commands on each batch of documents and compares the results of `ask`.
    const compare = (
      kind: string,
      doc: fc.Arbitrary<Doc>,
      command: fc.Arbitrary<Doc>,
      ask: (db: Db, command: Doc) => Promise<Value>,
    ) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(doc, { minLength: 3, maxLength: 7 }),
          fc.array(doc, { minLength: 3, maxLength: 7 }),
          fc.array(command, { minLength: 20, maxLength: 20 }),
          async (left, right, commands) => {
            const [stored, foreign] = [left, right].map((list) =>
              list.map((fields, at) => typed({ _id: at, ...fields })),
            ) as [Doc[], Doc[]];
            await Promise.all([fill(ours, stored, foreign), fill(theirs, stored, foreign)]);
            for (const command of commands.map(typed)) {
              const [actual, expected] = (
                await Promise.all([ours, theirs].map((db) => attempt(() => ask(db, command))))
              ).map(canonical) as [string, string];
              if (expected === 'refused 91' || WRITES.has(kind))
                await Promise.all([fill(ours, stored, foreign), fill(theirs, stored, foreign)]);
              if (actual === NOT_IMPLEMENTED) continue;
              // Which document of a multi-document update fails first is not specified.
              if (command.command === 'update' && actual.startsWith('refused') && expected.startsWith('refused'))
                continue;
              const text = canonical(command);
              if (
                actual === expected ||
                excused.some((excuse) => excuse.applies(kind, text, actual, expected, canonical(stored)))
              )
                continue;
              expect
                .soft({ kind, command: text, actual, stored: canonical(stored) })
                .toEqual({ kind, command: text, actual: expected, stored: canonical(stored) });
            }
          },
        ),
        { numRuns: runs, seed, endOnFailure: true },
      );

    test('return the same documents in the same order for reads', () => compare('read', plainDoc, anyRead, read));
    test('match the same documents with filters', () =>
      compare('filter', plainDoc, withField('filter', anyFilter), (db, { filter }) =>
        read(db, { command: 'find', filter, sort: { _id: 1 }, projection: { _id: 1 } }),
      ));
    test('return the same order for sorts', () =>
      compare('sort', plainDoc, withField('sort', anySort), (db, { sort }) => read(db, { command: 'find', sort })));
    test('return the same fields for projections', () =>
      compare('projection', plainDoc, withField('projection', anyProjection), (db, { projection }) =>
        read(db, { command: 'find', projection, sort: { _id: 1 } }),
      ));
    test('store the same document after updates', () =>
      compare('update', plainDoc, withField('update', anyUpdate), (db, { update }) =>
        write(db, { command: 'findAndModify', query: { _id: 0 }, update, new: true }),
      ));
    test('return the same result and store the same documents for writes', () =>
      compare('write', plainDoc, anyWrite, write));
    test('compute the same values for expressions', () =>
      compare('expression', typedDoc, withField('expression', anyExpression), (db, { expression }) =>
        read(db, {
          command: 'aggregate',
          pipeline: [{ $match: { _id: 0 } }, { $replaceWith: { r: { x: expression } } }],
          cursor: {},
        }),
      ));
    test('return the same documents for pipelines', () =>
      compare('pipeline', plainDoc, withField('pipeline', anyPipeline), async (db, { pipeline }) =>
        asSet(
          await read(db, {
            command: 'aggregate',
            pipeline: [{ $sort: { _id: 1 } }, ...(pipeline as Doc[])],
            cursor: {},
          }),
        ),
      ));
  },
);

const TYPED = { promoteValues: false, promoteLongs: false, bsonRegExp: true };
const NOT_IMPLEMENTED = 'refused 238';
const WRITES = new Set(['update', 'write']);

const withField = <T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<Doc> =>
  value.map((inner) => ({ [name]: inner }));
const typed = (doc: Doc): Doc => decode(encode(doc));

async function read(db: Db, { command, ...fields }: Doc): Promise<Value> {
  const { cursor, values, n } = await db.command({ [String(command)]: 'docs', ...fields }, TYPED);
  return cursor ? cursor.firstBatch : values ? asSet(values) : n;
}

async function write(db: Db, { command, ...fields }: Doc): Promise<Value> {
  const { value, n, nModified, upserted, writeErrors, lastErrorObject } = await db.command(
    { [String(command)]: 'docs', ...fields },
    TYPED,
  );
  if (writeErrors) return `refused ${nameless(writeErrors[0].code)}`;
  const left = await db
    .collection('docs')
    .find({}, { sort: { _id: 1 } })
    .toArray();
  return { value, n, nModified, upserted, updatedExisting: lastErrorObject?.updatedExisting, left } satisfies Document;
}

const asSet = (docs: Value): Value => (Array.isArray(docs) ? docs.map(canonical).sort() : docs);

// Returns `refused CODE` for an error. Codes without a name (five digits) differ between servers and count as BadValue.
async function attempt(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && error.name.startsWith('Mongo'))) throw error;
    return `refused ${nameless('code' in error ? error.code : undefined)}`;
  }
}

const nameless = (code: unknown): number => (Number(code) > 1000 ? 2 : Number(code));

// Equal text for equal values of equal type, ignoring the order of fields, trailing zeros of decimals, generated ids
// and the order of the array j ($lookup).
function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (isDocument(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${key}:${canonicalField(key, value[key])}`)
      .join()}}`;
  }
  if (typeof value === 'string') return /^(refused|\{|\[)/.test(value) ? value : JSON.stringify(value);
  if (value instanceof Date) return `${typeName(value)} ${value.getTime()}`;
  const exact = bsonTag(value) === 'Decimal128' ? exactOf(value) : undefined;
  if (exact) {
    const [, digits = '', zeros = ''] = /^(.*?)(0*)$/.exec(exact.coefficient.toString()) ?? [];
    return `decimal ${digits}e${exact.exponent + zeros.length}`;
  }
  if (bsonTag(value) === 'ObjectId' && !String(value).startsWith('000000')) return 'objectId generated';
  return `${typeName(value)} ${bsonTag(value) === 'BSONRegExp' ? JSON.stringify(value) : String(value)}`;
}

function canonicalField(name: string, value: Value): string {
  return name === 'j' && Array.isArray(value) ? String(asSet(value)) : canonical(value);
}
