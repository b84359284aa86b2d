// Inputs for which a store can easily return a wrong result without an error.
import { Binary, BSONRegExp, Decimal128, type Document, Double, Long, MongoBulkWriteError, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { codeOf, type Item, type TestServer, testServer } from './server.ts';
import { type WireClient, wireClient } from './wire-client.ts';

const embedded = needs('embedded store');

let server: TestServer;
let wire: WireClient;
beforeAll(async () => {
  server = await testServer();
  wire = await wireClient(server.uri);
});
afterAll(async () => {
  wire.close();
  await server.close();
});

const run = (command: Document): Promise<Document> => wire.command({ ...command, $db: server.db.databaseName });
const NOT_IMPLEMENTED = 238;

describe.skipIf(embedded.isMissing)(embedded.title('sort directions'), () => {
  const directions: [unknown, number][] = [
    [1.5, 15975],
    [2, 15975],
    [0, 15975],
    [Number.NaN, 15975],
    ['x', 15974],
    [true, 15974],
    [null, 15974],
  ];
  test.each(directions)('rejects the direction %s also when an index could serve the sort', async (direction, code) => {
    const items = await server.collectionWith([{ _id: 1, a: 1 }]);
    await items.createIndex({ a: 1 });
    const name = items.collectionName;
    for (const path of ['_id', 'a', 'b']) {
      const sort = { [path]: direction };
      const update = { q: {}, u: { $set: { b: 1 } }, sort };
      expect(await run({ find: name, sort }), path).toMatchObject({ ok: 0, code });
      expect(await run({ find: name, filter: { _id: 'x' }, sort }), path).toMatchObject({ ok: 0, code });
      expect(await run({ aggregate: name, pipeline: [{ $sort: sort }], cursor: {} }), path).toMatchObject({ code });
      expect(await run({ findAndModify: name, sort, remove: true }), path).toMatchObject({ code });
      expect(await run({ update: name, updates: [update] }), path).toMatchObject({ writeErrors: [{ code }] });
    }
  });

  test('rejects a natural order with another direction or field', async () => {
    const { collectionName } = await server.collectionWith([{ _id: 1 }]);
    for (const command of [{ sort: { $natural: 2 } }, { sort: { $natural: 1, a: 1 } }, { hint: { $natural: 'x' } }])
      expect(await run({ find: collectionName, ...command })).toMatchObject({ ok: 0, code: 2 });
  });
});

describe.skipIf(embedded.isMissing)(embedded.title('regular expressions'), () => {
  const unsupported = [
    '\\Qa\\E',
    'a\\Kb',
    'a\\Rb',
    '\\p{Latin}',
    '\\P{L}',
    '(?<n>a)',
    '(?P<n>a)',
    '(a)\\1',
    '\\k<n>',
    '(?>a)',
    'a++',
    'a{,2}',
    '(?#x)a',
    '(?i:a)',
    'a(?i)b',
    '(?<=a)b',
    '(?<!a)b',
    '(*UCP)a',
    '\\X',
    '\\N',
    '\\G',
    '\\v',
    '\\h',
    '\\01',
    '\\cA',
    '[[:blank:]]',
    '[[:^alpha:]]',
    '[a-\\d]',
    '(?R)',
    '\\u0041',
    '[[.a.]]',
    '(?=a)+',
    '(?|a)',
    "(?'n'a)",
  ];
  test.each(unsupported)('refuses %s', async (pattern) => {
    const items = await server.collectionWith([{ _id: 1, text: 'a' }]);
    for (const filter of [
      { text: new BSONRegExp(pattern) },
      { text: { $not: new BSONRegExp(pattern) } },
      { text: { $in: [new BSONRegExp(pattern)] } },
      { text: { $regex: pattern } },
    ])
      expect(await run({ delete: items.collectionName, deletes: [{ q: filter, limit: 0 }] })).toMatchObject({
        writeErrors: [{ code: NOT_IMPLEMENTED, errmsg: expect.stringContaining('regular expression') }],
      });
    expect(await items.countDocuments({})).toBe(1);
  });

  test.each(['[z-a]', '(a', 'a)', '*a', 'a\\', '[a', 'a{3,1}', 'a{70000}'])(
    'rejects %s as invalid',
    async (pattern) => {
      const { collectionName } = await server.collectionWith();
      expect(await run({ find: collectionName, filter: { a: { $regex: pattern } } })).toMatchObject({ code: 51091 });
    },
  );

  // As PCRE2 10.42 matches in UTF mode.
  const matches: [pattern: string, options: string, text: string, matches: boolean][] = [
    ['a.b', '', 'a\rb', true],
    ['a.b', '', 'a\u2028b', true],
    ['a.b', '', 'a\nb', false],
    ['a.b', 's', 'a\nb', true],
    ['^b', 'm', 'a\rb', false],
    ['^b', 'm', 'a\nb', true],
    ['a$', 'm', 'a\rb', false],
    ['a$', 'm', 'a\nb', true],
    ['a$', '', 'a\n', true],
    ['a$', '', 'a\n\n', false],
    ['^$', 'm', 'a\n', false],
    ['a\\z', 'm', 'a\n', false],
    ['a\\Z', '', 'a\n', true],
    ['\\Ab', 'm', 'a\nb', false],
    ['\\s', '', '\u00a0', false],
    ['\\S', '', '\u00a0', true],
    ['[\\S]', '', '\ufeff', true],
    ['[\\s]', '', '\v', true],
    ['[^\\s]', '', '\u2003', true],
    ['[[:space:]]', '', '\u00a0', false],
    ['[\\s\\S]', '', '\u00a0', true],
    ['\\x41', '', 'A', true],
    ['\\x{e4}', '', 'ä', true],
    ['[\\x{1F600}-\\x{1F64F}]', '', '😀', true],
    ['^.$', '', '😀', true],
    ['a\\-b', '', 'a-b', true],
    ['[a\\-c]', '', 'b', false],
    ['[]a]', '', ']', true],
    ['[^]a]', '', ']', false],
    ['a{', '', 'a{', true],
    ['a{x}', '', 'a{x}', true],
    ['a{1', '', 'a{1', true],
    ['[[:alpha:]_]', '', 'x', true],
    ['[-a]', '', '-', true],
    ['\\/', '', '/', true],
    ['\\"', '', '"', true],
    ['ä', 'i', 'Ä', true],
    ['\\w', '', 'ä', false],
    ['\\bä', '', 'ä', false],
    ['(?i)ab', '', 'AB', true],
    ['k', 'i', '\u212a', true],
    ['[[]', '', '[', true],
    ['x|y', '', 'y', true],
    ['(?:ab)+?c', '', 'ababc', true],
    ['a(?!b)', '', 'ab', false],
    ['a(?=b)', '', 'ab', true],
    ['}', '', '}', true],
    [']', '', ']', true],
    ['[a-]', '', '-', true],
    ['[\\w-]', '', '-', true],
    ['[\\]]', '', ']', true],
    ['[\\b]', '', '\b', true],
  ];
  test.each(matches)('/%s/%s on %j: %s', async (pattern, options, text, isMatch) => {
    const items = await server.collectionWith([{ _id: 1, text }]);
    expect(await items.countDocuments({ text: new BSONRegExp(pattern, options) })).toBe(isMatch ? 1 : 0);
    expect(await items.countDocuments({ text: { $not: new BSONRegExp(pattern, options) } })).toBe(isMatch ? 0 : 1);
  });

  test('refuses a class of word characters without case for a text with letters that JavaScript counts as such', async () => {
    const items = await server.collectionWith([{ _id: 1, text: '\u017f' }]);
    expect(await codeOf(items.countDocuments({ text: /\w/i }))).toBe(NOT_IMPLEMENTED);
  });
});

describe.skipIf(embedded.isMissing)(embedded.title('decimals'), () => {
  test('refuses to calculate with decimals', async () => {
    const items = await server.collectionWith<Item>([
      { _id: 1, price: Decimal128.fromString('Infinity') },
      { _id: 2, price: Decimal128.fromString('1.5') },
    ]);
    for (const group of [{ $sum: '$price' }, { $avg: '$price' }, { $sum: { $add: ['$price', 1] } }])
      expect(await codeOf(items.aggregate([{ $group: { _id: null, group } }]).toArray())).toBe(NOT_IMPLEMENTED);
    const one = Decimal128.fromString('1');
    expect(await codeOf(items.updateOne({ _id: 2 }, { $inc: { price: one } }))).toBe(NOT_IMPLEMENTED);
  });

  test('stores another representation of an equal decimal', async () => {
    const items = await server.collectionWith<Item>([{ _id: 1, n: Decimal128.fromString('1.0') }]);
    await items.updateOne({ _id: 1 }, { $set: { n: Decimal128.fromString('1.00') } });
    expect(String((await items.findOne())!.n)).toBe('1.00');
  });
});

describe('hints and sorts', () => {
  test('count without a filter uses the hint', async () => {
    const items = await server.collectionWith<Item>([{ _id: 1 }, { _id: 2, a: 1 }]);
    await items.createIndex({ a: 1 }, { sparse: true });
    const { collectionName } = items;
    expect(await run({ count: collectionName, hint: 'a_1' })).toMatchObject({ n: 1 });
    expect(await run({ count: collectionName, hint: 'none' })).toMatchObject({ ok: 0, code: 2 });
  });

  test('an update of several documents rejects a sort', async () => {
    const items = await server.collectionWith([{ _id: 1 }]);
    const update = { q: {}, u: { $set: { a: 1 } }, multi: true, sort: { _id: 1 } };
    expect(await run({ update: items.collectionName, updates: [update] })).toMatchObject({
      writeErrors: [{ code: 9 }],
    });
  });
});

describe.skipIf(embedded.isMissing)(embedded.title('bulkWrite'), () => {
  const bulkWrite = (items: { namespace: string }, op: Document, fields: Document = {}) =>
    wire.command({ bulkWrite: 1, ops: [op], nsInfo: [{ ns: items.namespace }], ...fields, $db: 'admin' });

  test('rejects wrong types and unsupported options', async () => {
    const items = await server.collectionWith([{ _id: 1 }]);
    const update = { update: 0, filter: {}, updateMods: { $set: { a: 1 } } };
    for (const op of [
      { ...update, multi: 'yes' },
      { ...update, upsert: 'yes' },
      { ...update, filter: 1 },
      { ...update, arrayFilters: {} },
      { ...update, hint: 1 },
      { delete: 0, filter: {}, multi: 'yes' },
      { delete: '0', filter: {} },
      { insert: 0, document: 1 },
    ])
      expect(await bulkWrite(items, op), JSON.stringify(op)).toMatchObject({ ok: 0, code: 14 });
    const nsInfo = [{ ns: items.namespace, collectionUUID: new Binary(Buffer.alloc(16), 4) }];
    expect(await bulkWrite(items, update, { nsInfo })).toMatchObject({ ok: 0, code: NOT_IMPLEMENTED });
    expect(await bulkWrite(items, update, { cursor: { batchSize: 0 } })).toMatchObject({ code: NOT_IMPLEMENTED });
    expect(await bulkWrite(items, update, { cursor: { batchSize: 1 } })).toMatchObject({ ok: 1 });
  });
});

describe('arrays', () => {
  test.skipIf(embedded.isMissing)(
    embedded.title('refuses a projection that servers interpret differently'),
    async () => {
      const items = await server.collectionWith<Item>([{ _id: 1, a: [1, 2], d: { c: [1, 2], e: 1 } }]);
      const projection = { _id: 1, 'd.c': { $slice: 1 } } as const;
      expect(await codeOf(items.findOne({}, { projection }))).toBe(NOT_IMPLEMENTED);
      const { _id, ...named } = projection;
      expect(await items.findOne({}, { projection: named })).toEqual({ _id: 1, a: [1, 2], d: { c: [1], e: 1 } });
    },
  );

  test.skipIf(embedded.isMissing)(embedded.title('refuses $elemMatch in a projection'), async () => {
    const { collectionName: find } = await server.collectionWith<Item>([{ _id: 1, arr: [{ b: 1 }, { b: 2 }] }]);
    for (const others of [{}, { _id: 0 }, { _id: 1 }, { x: 1 }, { x: 0 }])
      for (const projection of [
        { ...others, arr: { $elemMatch: { b: 2 } } },
        { arr: { $elemMatch: { b: 2 } }, ...others },
      ])
        expect(await run({ find, projection }), JSON.stringify(projection)).toMatchObject({
          ok: 0,
          code: NOT_IMPLEMENTED,
          errmsg: expect.stringContaining('$elemMatch'),
        });
  });

  test.skipIf(embedded.isMissing)(
    embedded.title('refuses a positional projection and a positional update'),
    async () => {
      const items = await server.collectionWith<Item>([{ _id: 1, arr: [1, 2, 3] }]);
      const find = items.collectionName;
      for (const filter of [{ arr: 2 }, { $and: [{ arr: { $gt: 1 } }, { arr: { $lt: 3 } }] }, {}]) {
        const refused = { ok: 0, code: NOT_IMPLEMENTED, errmsg: expect.stringContaining('positional') };
        for (const projection of [{ 'arr.$': 1 }, { _id: 0, 'arr.$': 1 }, { 'arr.$': 0 }])
          expect(await run({ find, filter, projection })).toMatchObject(refused);
        const updates = [{ q: filter, u: { $set: { 'arr.$': 0 } } }];
        expect(await run({ update: find, updates })).toMatchObject({ writeErrors: [{ code: NOT_IMPLEMENTED }] });
      }
      expect(await items.findOne({})).toEqual({ _id: 1, arr: [1, 2, 3] });
    },
  );

  test.skipIf(embedded.isMissing)(embedded.title('refuses fractions and NaN as counts'), async () => {
    const { collectionName: name } = await server.collectionWith([{ _id: 1 }]);
    for (const number of [1.5, Number.NaN, Number.POSITIVE_INFINITY, Decimal128.fromString('NaN')]) {
      for (const projection of [
        { a: { $slice: number } },
        { a: { $slice: [number, 2] } },
        { a: { $slice: [1, number] } },
      ])
        expect(await run({ find: name, projection })).toMatchObject({ ok: 0, code: NOT_IMPLEMENTED });
      for (const option of ['skip', 'limit', 'batchSize'])
        expect(await run({ find: name, [option]: number }), option).toMatchObject({ ok: 0, code: NOT_IMPLEMENTED });
      for (const option of ['skip', 'limit'])
        expect(await run({ count: name, [option]: number }), option).toMatchObject({ ok: 0, code: NOT_IMPLEMENTED });
    }
  });
});

describe('values', () => {
  test('rejects results above 16 MiB', async () => {
    const text = 'x'.repeat(6 * 2 ** 20);
    const items = await server.collectionWith([1, 2, 3].map((_id) => ({ _id, text: `${_id}${text}` })));
    expect(await codeOf(items.aggregate([{ $group: { _id: null, all: { $push: '$text' } } }]).toArray())).toBe(10334);
    expect(await codeOf(items.distinct('text'))).toBe(17217);
    const texts = { a: '$text', b: '$text', c: '$text' };
    expect(await codeOf(items.find({ _id: 1 }, { projection: texts }).toArray())).toBe(10334);
  });

  test.skipIf(embedded.isMissing)(
    embedded.title('refuses Timestamp(0, 0), which MongoDB replaces with the current time'),
    async () => {
      const items = await server.collectionWith<Item>([{ _id: 1 }]);
      const zero = new Timestamp({ t: 0, i: 0 });
      const insert = await items.insertMany([{ _id: 2, at: zero }]).catch((error: unknown) => error);
      expect(insert).toBeInstanceOf(MongoBulkWriteError);
      expect((insert as MongoBulkWriteError).code).toBe(NOT_IMPLEMENTED);
      for (const change of [{ $set: { at: zero } }, [{ $set: { at: { $literal: zero } } }]])
        expect(await codeOf(items.updateOne({ _id: 1 }, change))).toBe(NOT_IMPLEMENTED);
      expect(await codeOf(items.replaceOne({ _id: 1 }, { at: zero }))).toBe(NOT_IMPLEMENTED);
      await items.insertOne({ _id: 3, nested: { at: zero } });
    },
  );

  // The document with a number as it is stored: a driver shows 0 for -0.0.
  const rawNumber = async (items: { collectionName: string }, _id: number): Promise<unknown> => {
    const find = { find: items.collectionName, filter: { _id }, $db: server.db.databaseName };
    const { cursor } = await wire.command(find, 0, { promoteValues: false });
    return cursor.firstBatch[0].n;
  };

  test('keeps and compares the sign of zero', async () => {
    const negative = new Double(-0);
    const items = await server.collectionWith<Item>([
      { _id: 1, n: negative },
      { _id: 2, n: new Double(0) },
      { _id: 3, n: 0 },
    ]);
    const isNegative = async (_id: number) => Object.is(((await rawNumber(items, _id)) as Double).value, -0);
    expect([await isNegative(1), await isNegative(2)]).toEqual([true, false]);
    for (const options of [{}, { hint: 'n_1' }]) {
      if (options.hint) await items.createIndex({ n: 1 });
      for (const n of [negative, new Double(0), 0, Decimal128.fromString('-0')])
        expect(await items.countDocuments({ n }, options)).toBe(3);
      expect(await items.countDocuments({ n: { $lt: negative } }, options)).toBe(0);
      expect(await items.countDocuments({ n: { $gt: negative } }, options)).toBe(0);
    }
    await items.createIndex({ m: 1 }, { unique: true, sparse: true });
    await items.insertOne({ _id: 4, m: negative });
    expect(await codeOf(items.insertOne({ _id: 5, m: 0 }))).toBe(11000);
    // Replacing a zero by the other one changes the document; -0.0 + 0 is 0.0, and -0.0 * 1 is -0.0.
    expect(await items.updateOne({ _id: 2 }, { $set: { n: negative } })).toMatchObject({ modifiedCount: 1 });
    expect(await isNegative(2)).toBe(true);
    expect(await items.updateOne({ _id: 1 }, { $inc: { n: 0 } })).toMatchObject({ modifiedCount: 1 });
    expect(await isNegative(1)).toBe(false);
    await items.updateOne({ _id: 1 }, [{ $set: { n: { $multiply: ['$n', negative] } } }]);
    expect(await isNegative(1)).toBe(true);
    const groups = await items.aggregate([{ $match: { _id: { $lte: 3 } } }, { $group: { _id: '$n' } }]).toArray();
    expect(groups).toHaveLength(1);
  });

  test('orders binary data of subtype 2 by its stored length', async () => {
    const items = await server.collectionWith<Item>([
      { _id: 1, data: new Binary(Buffer.from('ab'), 2) },
      { _id: 2, data: new Binary(Buffer.from('abcd'), 0) },
      { _id: 3, data: new Binary(Buffer.from('abcdefg'), 0) },
    ]);
    const ids = async () => (await items.find({}, { sort: { data: 1 } }).toArray()).map(({ _id }) => _id);
    expect(await ids()).toEqual([2, 1, 3]);
    await items.createIndex({ data: 1 });
    expect(await ids()).toEqual([2, 1, 3]);
    expect(await items.find({ data: { $gt: new Binary(Buffer.from('abcd'), 0) } }).toArray()).toHaveLength(2);
  });

  test.skipIf(embedded.isMissing)(
    embedded.title('answers null, NaN and huge numbers without an internal error'),
    async () => {
      const { collectionName: name } = await server.collectionWith<Item>([{ _id: 1, a: [1] }]);
      const odd = [
        null,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        -1,
        1e300,
        Long.MIN_VALUE,
        Decimal128.fromString('NaN'),
        {},
        [],
        '',
        true,
      ];
      const commands = (value: unknown): Document[] => [
        { getMore: value, collection: name },
        { getMore: Long.ONE, collection: name, batchSize: value },
        { killCursors: name, cursors: [value] },
        { killCursors: name, cursors: value },
        { bulkWrite: 1, ops: [value], nsInfo: [{ ns: 'a.b' }] },
        { bulkWrite: 1, ops: [{ delete: value, filter: {} }], nsInfo: [{ ns: 'a.b' }] },
        { bulkWrite: 1, ops: [{ delete: 0, filter: {} }], nsInfo: [value] },
        { bulkWrite: 1, ops: [{ delete: 0, filter: {} }], nsInfo: [{ ns: value }] },
        { insert: name, documents: [value] },
        { insert: name, documents: value },
        { update: name, updates: [{ q: {}, u: { $set: { b: 1 } }, arrayFilters: [value] }] },
        { update: name, updates: [{ q: {}, u: [value] }] },
        { update: name, updates: [{ q: {}, u: value }] },
        { update: name, updates: [{ q: value, u: { $set: { b: 1 } } }] },
        { update: name, updates: [value] },
        ...['$set', '$unset', '$inc', '$max', '$setOnInsert', '$rename', '$currentDate'].flatMap((op) => [
          { update: name, updates: [{ q: {}, u: { [op]: value } }] },
          { update: name, updates: [{ q: {}, u: { [op]: { a: value } } }] },
          { update: name, updates: [{ q: {}, u: { [op]: { a: { $each: value } } } }] },
          {
            update: name,
            updates: [{ q: {}, u: { [op]: { a: { $each: [1], $slice: value, $sort: value, $position: value } } } }],
          },
        ]),
        { delete: name, deletes: [{ q: { _id: 5 }, limit: value }] },
        { createIndexes: name, indexes: [value] },
        { createIndexes: name, indexes: [{ key: value, name: 'x' }] },
        { createIndexes: name, indexes: [{ key: { a: value }, name: 'x' }] },
        { createIndexes: name, indexes: [{ key: { b: 1 }, name: value, partialFilterExpression: value }] },
        { createIndexes: name, indexes: [{ key: { b: 1 }, name: 'b', expireAfterSeconds: value }] },
        { dropIndexes: name, index: value === '' ? 'x' : value },
        { aggregate: name, pipeline: [value], cursor: {} },
        { aggregate: name, pipeline: value, cursor: {} },
        { aggregate: name, pipeline: [], cursor: { batchSize: value } },
        ...[
          '$match',
          '$project',
          '$sort',
          '$limit',
          '$skip',
          '$count',
          '$group',
          '$unwind',
          '$lookup',
          '$set',
          '$unset',
          '$replaceRoot',
          '$replaceWith',
        ].map((stage) => ({ aggregate: name, pipeline: [{ [stage]: value }], cursor: {} })),
        { aggregate: name, pipeline: [{ $group: { _id: value, n: { $sum: value } } }], cursor: {} },
        {
          aggregate: name,
          pipeline: [{ $lookup: { from: name, as: 'x', pipeline: [value], let: value } }],
          cursor: {},
        },
        { find: name, filter: value },
        { find: name, filter: { a: { $in: value } } },
        ...['$and', '$or', '$nor', '$expr'].map((op) => ({ find: name, filter: { [op]: value } })),
        ...['$and', '$or', '$nor'].map((op) => ({ find: name, filter: { [op]: [value] } })),
        ...['$mod', '$size', '$type', '$regex', '$elemMatch', '$not', '$exists', '$gt', '$nin'].flatMap((op) => [
          { find: name, filter: { a: { [op]: value } } },
          { find: name, filter: { a: { [op]: [value, value] } } },
        ]),
        { find: name, projection: { a: { $slice: value } } },
        { find: name, projection: { a: { $elemMatch: value } } },
        { find: name, hint: value },
        { find: name, let: value },
        { find: name, let: { a: value }, filter: { $expr: '$$a' } },
        { find: name, maxTimeMS: value },
        { find: name, collation: value },
        { find: name, collation: { locale: 'en', strength: value } },
        { find: name, lsid: value, txnNumber: value },
        { insert: name, documents: [{}], lsid: { id: new Binary(Buffer.alloc(16), 4) }, txnNumber: value },
        { find: name, readConcern: value },
        { find: name, readConcern: { level: value, afterClusterTime: value } },
        { find: name, $readPreference: value },
        { find: name, $clusterTime: value },
        { insert: name, documents: [{}], writeConcern: { w: value, wtimeout: value } },
        { distinct: name, key: value },
        { explain: value },
        { explain: { find: name }, verbosity: value },
        { listCollections: 1, filter: value, cursor: { batchSize: value } },
        { [value === null ? 'find' : 'count']: value },
      ];
      for (const value of odd) {
        for (const command of commands(value)) {
          const body = command.bulkWrite ? { ...command, $db: 'admin' } : { ...command, $db: server.db.databaseName };
          const reply = await wire.command(body);
          expect(reply.code, `${JSON.stringify(command)}: ${reply.errmsg}`).not.toBe(1);
          for (const { code, errmsg } of reply.writeErrors ?? [])
            expect(code, `${JSON.stringify(command)}: ${errmsg}`).not.toBe(1);
        }
      }
    },
  );
});
