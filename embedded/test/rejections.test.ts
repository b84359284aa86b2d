import { Binary, type Document, Double, Long, UUID } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { ACCUMULATORS, COMMANDS, EXPRESSIONS, QUERY_OPERATORS, STAGES } from '../protocol/supported-features.ts';
import { type TestServer, testServer } from './server.ts';
import { type WireClient, wireClient } from './wire-client.ts';

const embedded = needs('embedded store');

let server: TestServer;
let wire: WireClient;

beforeAll(async () => {
  server = await testServer();
  wire = await wireClient(server.uri);
  await server.db.collection<{ _id: number }>('c').insertMany([{ _id: 1 }, { _id: 2 }]);
});
afterAll(async () => {
  wire.close();
  await server.close();
});

/** Sends a command as it is: a driver would correct some of these. */
const run = (command: Document): Promise<Document> =>
  wire.command({ ...command, $db: command.$db ?? server.db.databaseName });

describe.skipIf(embedded.isMissing)(embedded.title('rejects with the code of a MongoDB server'), () => {
  const cases: [what: string, command: Document, code: number][] = [
    ['an unknown command', { fly: 1 }, 238],
    ['an unsupported command', { mapReduce: 'c' }, 238],
    ['an unknown field', { find: 'c', wings: 2 }, 238],
    ['an unknown field named like a property of Object', { find: 'c', constructor: 2 }, 238],
    ['a missing field', { distinct: 'c' }, 40414],
    ['a wrong type', { find: 'c', filter: [1] }, 14],
    ['an unknown field of a statement', { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, wings: 2 }] }, 238],
    ['an unsupported option', { find: 'c', tailable: true }, 238],
    ['an unknown stage', { aggregate: 'c', pipeline: [{ $fly: 1 }], cursor: {} }, 238],
    ['two keys in one stage', { aggregate: 'c', pipeline: [{ $match: {}, $limit: 1 }], cursor: {} }, 40323],
    ['an unsupported stage', { aggregate: 'c', pipeline: [{ $out: 'd' }], cursor: {} }, 238],
    [
      'an unsupported stage in a nested pipeline',
      {
        aggregate: 'c',
        pipeline: [{ $lookup: { from: 'd', as: 'a', pipeline: [{ $merge: 'e' }] } }],
        cursor: {},
      },
      238,
    ],
    ['an unknown query operator', { find: 'c', filter: { a: { $fly: 1 } } }, 238],
    ['an unsupported query operator', { find: 'c', filter: { $where: '1' } }, 238],
    ['an unknown accumulator', { aggregate: 'c', pipeline: [{ $group: { _id: 1, a: { $fly: 1 } } }], cursor: {} }, 238],
    ['an unknown expression', { aggregate: 'c', pipeline: [{ $project: { a: { $fly: 1 } } }], cursor: {} }, 238],
    ['a snapshot read outside a transaction', { find: 'c', readConcern: { level: 'snapshot' } }, 246],
    ['a capped collection', { create: 'capped', capped: true, size: 1000 }, 238],
    ['a capped collection by a number', { create: 'capped', capped: 1, size: 1000 }, 238],
    ['a zero where MongoDB requires a boolean', { find: 'c', tailable: 0 }, 238],
    ['a text index', { createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 'a' }] }, 238],
    [
      'an index with a collation',
      { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', collation: { locale: 'de' } }] },
      238,
    ],
    ['an unknown index option', { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', wings: 2 }] }, 238],
    ['an index without fields', { createIndexes: 'c', indexes: [{ key: {}, name: 'a' }] }, 67],
    ['an invalid collection name', { find: 'a$b' }, 73],
    ['an empty batch', { insert: 'c', documents: [] }, 16],
    [
      'an upsert with $expr in its filter',
      { findAndModify: 'c', query: { $and: [{ $expr: true }] }, update: { a: 1 }, upsert: true },
      224,
    ],
    ['a delete without limit', { delete: 'c', deletes: [{ q: {} }] }, 40414],
    [
      'a transaction with autocommit: true',
      { find: 'c', lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1), autocommit: true },
      72,
    ],
    [
      'a write concern inside a transaction',
      inTransaction({ insert: 'c', documents: [{}], writeConcern: { w: 1 } }),
      72,
    ],
    ['a count inside a transaction', inTransaction({ count: 'c' }), 263],
    ['a schema change inside a transaction', inTransaction({ create: 'd' }), 263],
    [
      'a write inside a transaction to a collection that does not exist',
      inTransaction({ insert: 'nowhere', documents: [{}] }),
      263,
    ],
    ['a negative w', { insert: 'c', documents: [{}], writeConcern: { w: -1 } }, 9],
    ['a w above the maximum number of members', { insert: 'c', documents: [{}], writeConcern: { w: 51 } }, 9],
    ['a w of a wrong type', { insert: 'c', documents: [{}], writeConcern: { w: true } }, 9],
    ['a w with tags', { insert: 'c', documents: [{}], writeConcern: { w: { rack: 2 } } }, 238],
    ['a write concern with an unknown field', { insert: 'c', documents: [{}], writeConcern: { wings: 2 } }, 238],
    ['a j that is not a boolean', { insert: 'c', documents: [{}], writeConcern: { j: 'x' } }, 14],
    ['a wtimeout that is not a number', { insert: 'c', documents: [{}], writeConcern: { wtimeout: 'x' } }, 14],
    ['an unknown read preference', { find: 'c', $readPreference: { mode: 'anywhere' } }, 2],
    ['a session without an id', { ping: 1, lsid: {} }, 40414],
    ['a session id that is not a UUID', { ping: 1, lsid: { id: new Binary(Buffer.alloc(3), 4) } }, 207],
    ['a transaction number without a session', { insert: 'c', documents: [{}], txnNumber: Long.fromNumber(1) }, 72],
    [
      'a negative transaction number',
      { insert: 'c', documents: [{}], lsid: { id: new UUID() }, txnNumber: Long.fromNumber(-1) },
      72,
    ],
    ['a transaction without a number', { find: 'c', lsid: { id: new UUID() }, autocommit: false }, 72],
    [
      'startTransaction without autocommit: false',
      { find: 'c', lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1), startTransaction: true },
      72,
    ],
    ['a database with a dot in its name', { insert: 'c', documents: [{}], $db: 'a.b' }, 73],
    ['an empty database name', { ping: 1, $db: '' }, 73],
    ['a database name that is too long', { ping: 1, $db: 'x'.repeat(64) }, 73],
    ['a system collection', { insert: 'system.foo', documents: [{}] }, 73],
    ['an unknown verbosity of explain', { explain: { find: 'c' }, verbosity: 'chatty' }, 2],
    ['killCursors with an id that is not a number', { killCursors: 'c', cursors: ['a'] }, 14],
    ['getMore with an id that is not a number', { getMore: 'a', collection: 'c' }, 14],
    ['an index without a name', { createIndexes: 'c', indexes: [{ key: { a: 1 } }] }, 40414],
    ['an index named *', { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: '*' }] }, 2],
    [
      'a unique option that is not a boolean',
      { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', unique: 'yes' }] },
      14,
    ],
    ['an empty bulkWrite', { bulkWrite: 1, ops: [], nsInfo: [], $db: 'admin' }, 16],
    [
      'a bulkWrite with an unknown field',
      { bulkWrite: 1, ops: [{ insert: 0, document: {}, wings: 2 }], nsInfo: [{ ns: 't.c' }], $db: 'admin' },
      238,
    ],
    [
      'the commit of an unknown transaction',
      { commitTransaction: 1, lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1), autocommit: false },
      251,
    ],
  ];

  test.each(cases)('%s', async (_what, command, code) => {
    const reply = await run(command);
    expect(reply).toMatchObject({ ok: 0, code });
    expect(reply.codeName).toBeTypeOf('string');
    if (code === 238)
      expect(reply.errmsg).toMatch(/^embedded store: .* is not implemented; set MONGODB_URL to use a MongoDB server$/);
  });

  test('an unknown update operator, without writing anything', async () => {
    const reply = await run({ update: 'c', updates: [{ q: { _id: 1 }, u: { $fly: { a: 1 } } }] });
    expect(reply.writeErrors).toMatchObject([{ index: 0, code: 238 }]);
    expect(reply.n).toBe(0);
  });

  test('an unknown write concern mode, after the write', async () => {
    expect(await run({ insert: 'c', documents: [{ _id: 'rule' }], writeConcern: { w: 'foo' } })).toMatchObject({
      ok: 1,
      n: 1,
      writeConcernError: { code: 79 },
    });
  });

  test('an index that is unique by a number is unique', async () => {
    await run({ createIndexes: 'numbered', indexes: [{ key: { a: 1 }, name: 'a', unique: 1 }] });
    expect(await run({ insert: 'numbered', documents: [{ a: 1 }, { a: 1 }] })).toMatchObject({
      n: 1,
      writeErrors: [{ code: 11000 }],
    });
  });

  test.each([
    ['a collection that is not capped by a number', { create: 'plain', capped: 0 }],
    [
      'an index that is not hidden by a number',
      { createIndexes: 'plain', indexes: [{ key: { a: 1 }, name: 'a', hidden: new Double(0) }] },
    ],
  ])('accepts %s', async (_what, command) => {
    expect(await run(command)).toMatchObject({ ok: 1 });
  });

  test('a write concern of more than one member, after the write', async () => {
    expect(await run({ insert: 'c', documents: [{ _id: 'w' }], writeConcern: { w: 3 } })).toMatchObject({
      ok: 1,
      n: 1,
      writeConcernError: { code: 100 },
    });
  });
});

describe.skipIf(embedded.isMissing)(embedded.title('knows every supported name:'), () => {
  test.each(Object.keys(COMMANDS))('the command %s', async (name) => {
    const reply = await run({ [name]: 'nowhere' });
    expect(reply.errmsg ?? '').not.toMatch(/is not implemented/);
  });

  test.each(QUERY_OPERATORS)('the query operator %s', async (operator) => {
    const argument = OPERANDS[operator] ?? 1;
    const filter = TOP_LEVEL.has(operator)
      ? { [operator]: argument }
      : operator === '$options'
        ? { a: { $regex: 'a', $options: 'i' } }
        : { a: { [operator]: argument } };
    expect(await run({ find: 'c', filter })).toMatchObject({ ok: 1 });
  });

  test.each(STAGES)('the stage %s', async (stage) => {
    const reply = await run({ aggregate: 'c', pipeline: [{ [stage]: 'wrong' }], cursor: {} });
    expect(reply.code).not.toBe(238);
  });

  test.each(ACCUMULATORS)('the accumulator %s', async (name) => {
    const argument = name === '$count' ? {} : '$_id';
    expect(
      await run({ aggregate: 'c', pipeline: [{ $group: { _id: null, a: { [name]: argument } } }], cursor: {} }),
    ).toMatchObject({ ok: 1 });
  });

  test.each(EXPRESSIONS)('the expression %s', async (name) => {
    const reply = await run({ aggregate: 'c', pipeline: [{ $project: { a: { [name]: [] } } }], cursor: {} });
    expect(reply.code).not.toBe(238);
  });
});

function inTransaction(command: Document): Document {
  return {
    ...command,
    lsid: { id: new UUID() },
    txnNumber: Long.fromNumber(1),
    startTransaction: true,
    autocommit: false,
  };
}

const TOP_LEVEL = new Set(['$and', '$or', '$nor', '$expr', '$comment']);
const OPERANDS: { [operator: string]: unknown } = {
  $in: [1],
  $nin: [1],
  $and: [{}],
  $or: [{}],
  $nor: [{ a: 1 }],
  $not: { $gt: 1 },
  $exists: true,
  $type: 'string',
  $regex: 'a',
  $elemMatch: { $gt: 1 },
  $expr: { $eq: [1, 1] },
  $comment: 'why',
};
