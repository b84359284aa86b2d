// Compares the README with the code, and tests every supported and unsupported feature by name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BSONSymbol,
  Code,
  Decimal128,
  type Document,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import * as features from '../protocol/supported-features.ts';
import { REFUSED, REFUSED_OPTIONS } from './refused-features.ts';
import { type TestServer, testServer } from './server.ts';
import { renderSupportedFeatures } from './supported-features-text.ts';
import { type WireClient, wireClient } from './wire-client.ts';

const embedded = needs('embedded store');

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

test('names every folder and every source file in the README, and no others', () => {
  const root = join(import.meta.dirname, '..');
  const sources = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [
      `${name}/`,
      ...readdirSync(join(root, name))
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => `${name}/${file.slice(0, -'.ts'.length)}`),
    ]);
  const rows = readme.matchAll(/^\| `([a-z]+\/)` \| (.*) \|$/gm);
  const named = [...rows].flatMap(([, folder = '', text = '']) => [
    folder,
    ...[...text.matchAll(/`([a-z-]+)`/g)].map(([, file]) => folder + file),
  ]);
  expect(named.toSorted()).toEqual(sources.toSorted());
});

test('lists the supported features in the README as `node launch.mjs embedded/test/supported-features-text.ts` prints them', () => {
  const [, listed] = /<!-- supported-features -->\n(.*?)\n<!-- \/supported-features -->/s.exec(readme) ?? [];
  expect(listed).toBe(renderSupportedFeatures());
});

describe.skipIf(embedded.isMissing)(embedded.title('the store'), () => {
  let server: TestServer;
  let wire: WireClient;
  beforeAll(async () => {
    server = await testServer();
    wire = await wireClient(server.uri);
    await server.db.collection<{ _id: number; a: number }>('c').insertMany([{ _id: 1, a: 1 }]);
  });
  afterAll(async () => {
    wire.close();
    await server.close();
  });

  const codeOf = async (command: Document): Promise<number | undefined> => {
    const reply = await wire.command({ ...command, $db: command.$db ?? server.db.databaseName });
    return reply.code ?? reply.writeErrors?.[0]?.code;
  };
  const each = async (commands: [name: string, command: Document][], code: number) => {
    const failures: string[] = [];
    for (const [name, command] of commands) {
      const actual = await codeOf(command);
      if (actual !== code) failures.push(`${name}: ${actual}`);
    }
    expect(commands.length).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  };

  // A value of each BSON type.
  const VALUES: { [type: string]: unknown } = {
    object: { a: 1 },
    array: [1],
    objectArray: [{ a: 1 }],
    emptyArray: [],
    int: 1,
    double: new Double(1),
    long: Long.fromNumber(1),
    decimal: Decimal128.fromString('1'),
    boolean: true,
    string: 'x',
    date: new Date(),
    uuid: new UUID(),
    timestamp: new Timestamp({ t: 1, i: 1 }),
    regex: /x/,
    objectId: new ObjectId(),
    minKey: new MinKey(),
    maxKey: new MaxKey(),
    code: new Code('x'),
    codeWithScope: new Code('x', { a: 1 }),
    symbol: new BSONSymbol('x'),
    null: null,
    false: false,
    zero: 0,
    emptyText: '',
  };
  const NUMBERS = ['int', 'double', 'long', 'decimal', 'zero'];
  const ACCEPTED: { [type in features.PlainType]: readonly string[] } = {
    object: ['object'],
    array: ['array', 'objectArray', 'emptyArray'],
    objectArray: ['objectArray', 'emptyArray'],
    number: NUMBERS,
    boolean: ['boolean', 'false', ...NUMBERS],
    string: ['string', 'emptyText'],
    stringOrNumber: ['string', 'emptyText', ...NUMBERS],
    namespace: ['string', 'emptyText'],
    hint: ['string', 'emptyText', 'object'],
    off: ['false'],
    offOrZero: ['false', 'zero'],
    update: ['object', 'objectArray', 'emptyArray'],
    uuid: ['uuid'],
    timestamp: ['timestamp'],
    any: Object.keys(VALUES),
  };
  const CODES: { [type: string]: number } = { namespace: 73, stringOrNumber: 9, off: 238, offOrZero: 238 };
  // A handshake may have any field.
  const commands = Object.entries(features.COMMANDS).filter(([, { optional }]) => !optional?.['*']);
  const VALID: { [type: string]: unknown } = {
    ...VALUES,
    number: 1,
    namespace: 'c',
    update: { $set: { b: 1 } },
    any: 1,
  };
  const REQUIRED: Document = {
    pipeline: [],
    cursors: [],
    indexes: [{ key: { a: 1 }, name: 'a_1' }],
    q: { _id: 9 },
    key: { a: 1 },
  };
  const complete = (name: string, { value = 'any', required = {} }: features.CommandSpec): Document => {
    const fields = Object.entries(required).map(([field, type]) => [
      field,
      (type !== 'string' && REQUIRED[field]) || VALID[type],
    ]);
    const first = name === 'explain' ? { find: 'c' } : value === 'array' ? [] : VALID[value];
    return { [name]: first, ...Object.fromEntries(fields) };
  };
  type Spec = readonly [name: string, spec: features.CommandSpec, wrap: (fields: Document) => Document];
  const bulkWrite = (op: Document): Document => ({ bulkWrite: 1, ops: [op], nsInfo: [{ ns: 'a.c' }], $db: 'admin' });
  const specs: Spec[] = [
    ...commands.map(([name, spec]): Spec => [name, spec, (fields) => fields]),
    ...commands.map(
      ([name, spec]): Spec => [name, features.COMMON, (fields) => ({ ...complete(name, spec), ...fields })],
    ),
    ['q', features.STATEMENTS.update, ({ q, ...rest }) => ({ update: 'c', updates: [{ q, ...rest }] })],
    ['q', features.STATEMENTS.delete, ({ q, ...rest }) => ({ delete: 'c', deletes: [{ q, ...rest }] })],
    ...(['insert', 'update', 'delete'] as const).map(
      (kind): Spec => [kind, features.STATEMENTS[`bulkWrite ${kind}`], bulkWrite],
    ),
    ['key', features.NESTED.index, (index) => ({ createIndexes: 'c', indexes: [{ name: 'x', ...index }] })],
    ['ns', features.NESTED.nsInfo, (info) => ({ ...bulkWrite({ delete: 0, filter: {} }), nsInfo: [info] })],
    ...Object.entries({ cursor: 'listIndexes', collation: 'find' }).map(
      ([field, command]): Spec => [
        '',
        features.NESTED[field as 'cursor' | 'collation'],
        ({ '': _, ...nested }) => ({ [command]: 'c', [field]: nested }),
      ],
    ),
    ...(['readConcern', 'writeConcern', '$readPreference', '$clusterTime', 'lsid'] as const).map(
      (field): Spec => [
        '',
        features.NESTED[field.replace('$', '') as 'lsid'],
        ({ '': _, ...nested }) => ({ find: 'c', [field]: nested }),
      ],
    ),
  ];
  const base = (name: string, spec: features.CommandSpec): Document =>
    spec === features.COMMON
      ? {}
      : complete(name, spec.required && name in spec.required ? { ...spec, value: 'any' } : spec);
  const withField = ([name, spec, wrap]: Spec, field: string, value: unknown): [string, Document] => {
    const body = wrap({
      ...base(name, spec),
      ...(spec.required && name in spec.required && { [name]: REQUIRED[name] ?? 'a.c' }),
      [field]: value,
    });
    return [`${Object.keys(body)[0]} ${name} ${field} ${JSON.stringify(value)}`, body];
  };

  test('rejects every field of a command, statement or nested document with a value of another type', async () => {
    const failures: string[] = [];
    let tried = 0;
    for (const spec of specs) {
      const [name, { value, required, optional }] = spec;
      const types = { ...(value && spec[1] !== features.COMMON && { [name]: value }), ...required, ...optional };
      for (const [field, type] of Object.entries(types)) {
        const accepted = ACCEPTED[type as features.PlainType] ?? [];
        for (const [kind, wrong] of Object.entries(VALUES)) {
          // A driver may send null for an option that is not set.
          const isUnset = kind === 'null' && optional?.[field] !== undefined && spec[1] !== features.NESTED.index;
          if (accepted.includes(kind) || isUnset) continue;
          const [text, command] = withField(spec, field, wrong);
          const code = await codeOf(command);
          tried++;
          const isNested = !Object.hasOwn(ACCEPTED, type);
          const expected = isNested ? [14, 238, 40414] : [CODES[type] ?? 14];
          if (kind === 'null' && field in { ...required }) expected[0] = 40414;
          if (kind === 'null' && spec[1] === features.NESTED.index) expected.push(14);
          if (kind === 'object' && type === 'stringOrNumber') expected[0] = 238;
          if (!expected.includes(code ?? 0)) failures.push(`${text}: ${code}`);
        }
      }
    }
    expect(tried).toBeGreaterThan(1000);
    expect(failures).toEqual([]);
  });

  const ABSENT = [{ a: 1 }, 1, 0, false, null, ''];
  test('rejects an unknown field of every command, statement and nested document, whatever its value (238)', () =>
    each(
      specs.flatMap((spec) => ABSENT.map((value) => withField(spec, 'unknown', value))),
      238,
    ));

  test('rejects every field that MongoDB supports and the store does not, whatever its value (238)', () => {
    const places: { [place: string]: features.CommandSpec } = {
      ...features.COMMANDS,
      ...features.STATEMENTS,
      ...features.NESTED,
      '': features.COMMON,
    };
    expect(Object.keys(REFUSED_OPTIONS).filter((place) => !places[place])).toEqual([]);
    const refused = Object.entries(REFUSED_OPTIONS).flatMap(([place, fields]) =>
      specs
        .filter(([name, spec]) => spec === places[place] && (spec !== features.NO_FIELDS || name === place))
        .flatMap((spec) => fields.flatMap((field) => ABSENT.map((value) => withField(spec, field, value)))),
    );
    return each(refused, 238);
  });

  test('rejects a number that is not an integer (238)', () =>
    each(
      specs.flatMap((spec) =>
        Object.entries({ ...spec[1].required, ...spec[1].optional })
          .filter(([, type]) => type === 'number')
          .flatMap(([field]) => [1.5, Number.NaN, Infinity].map((value) => withField(spec, field, value))),
      ),
      238,
    ));

  const inFilter = (operator: string): Document => ({
    find: 'c',
    filter: /^\$(where|text|json|sample|always)/.test(operator) ? { [operator]: 1 } : { a: { [operator]: 1 } },
  });
  const inProject = (name: string): Document => ({
    aggregate: 'c',
    pipeline: [{ $project: { x: { [name]: 1 } } }],
    cursor: {},
  });
  const inGroup = (name: string): Document => ({
    aggregate: 'c',
    pipeline: [{ $group: { _id: 1, x: { [name]: 1 } } }],
    cursor: {},
  });
  const inIndex = (spec: Document): Document => ({ createIndexes: 'c', indexes: [{ name: 'x', ...spec }] });
  test.each<[keyof typeof REFUSED, (name: string) => Document]>([
    ['commands', (name) => ({ [name]: 'c' })],
    ['stages', (name) => ({ aggregate: 'c', pipeline: [{ [name]: {} }], cursor: {} })],
    ['queryOperators', inFilter],
    ['updateOperators', (name) => ({ update: 'c', updates: [{ q: {}, u: { [name]: { a: 1 } } }] })],
    ['accumulators', inGroup],
    ['expressions', inProject],
    ['indexTypes', (kind) => inIndex({ key: { a: kind } })],
  ])('rejects all %s that MongoDB supports and the store does not, and unknown ones (238)', (kind, command) =>
    each(
      [...REFUSED[kind], kind === 'commands' || kind === 'indexTypes' ? 'fly' : '$fly'].map((name) => [
        name,
        command(name),
      ]),
      238,
    ),
  );

  // The kinds of values that a stage, or one of its options, accepts. Expressions accept constants of any type.
  const STAGES: { [stage: string]: readonly string[] | { [option: string]: readonly string[] } } = {
    $match: ['object'],
    $project: ['object'],
    $set: ['object'],
    $addFields: ['object'],
    $unset: ['string'],
    $sort: ['object'],
    $limit: NUMBERS.filter((kind) => kind !== 'zero'),
    $skip: NUMBERS,
    $count: ['string'],
    $group: { _id: Object.keys(VALUES), n: [] },
    $unwind: { path: [], includeArrayIndex: ['string'], preserveNullAndEmptyArrays: ['boolean', 'false'] },
    $replaceRoot: { newRoot: ['object'] },
    $replaceWith: ['object'],
    $lookup: {
      from: ['string'],
      as: ['string'],
      localField: ['string'],
      foreignField: ['string'],
      let: ['object'],
      pipeline: ['emptyArray'],
    },
  };
  const STAGE_REQUIRED: { [stage: string]: Document } = {
    $group: { _id: 1 },
    $unwind: { path: '$a' },
    $lookup: { from: 'c', as: 'x', localField: 'a', foreignField: 'a', pipeline: [] },
  };
  test('rejects a stage or an option of a stage of another type', async () => {
    expect(Object.keys(STAGES).toSorted()).toEqual([...features.STAGES].toSorted());
    const wrong: string[] = [];
    const tryStage = async (stage: Document, isAccepted: boolean) => {
      const code = await codeOf({ aggregate: 'c', pipeline: [stage], cursor: {} });
      if ((code === undefined) !== isAccepted || code === 1) wrong.push(`${JSON.stringify(stage)}: ${code}`);
    };
    for (const [name, accepted] of Object.entries(STAGES))
      for (const [kind, value] of Object.entries(VALUES)) {
        if (Array.isArray(accepted)) await tryStage({ [name]: value }, accepted.includes(kind));
        else {
          await tryStage({ [name]: value }, false);
          for (const [option, kinds] of Object.entries(accepted))
            await tryStage({ [name]: { ...STAGE_REQUIRED[name], [option]: value } }, kinds.includes(kind));
          await tryStage({ [name]: { ...STAGE_REQUIRED[name], unknown: value } }, false);
        }
      }
    expect(wrong).toEqual([]);
  });

  test('rejects search features like a server without a search service (31082)', () =>
    each(
      [...features.SEARCH_FEATURES].map((name) => [
        name,
        name.startsWith('$') ? { aggregate: 'c', pipeline: [{ [name]: {} }], cursor: {} } : { [name]: 'c' },
      ]),
      31082,
    ));

  test('rejects an unknown read concern, a collation without a locale and unsupported partial index filters', async () => {
    for (const level of features.READ_CONCERNS)
      expect([undefined, 246], level).toContain(await codeOf({ find: 'c', readConcern: { level } }));
    expect(await codeOf({ find: 'c', readConcern: { level: 'wild' } })).toBe(9);
    expect(await codeOf({ find: 'c', collation: { strength: 1 } })).toBe(40414);
    for (const partialFilterExpression of [
      { a: { $ne: 1 } },
      { a: /x/ },
      { $nor: [{ a: 1 }] },
      { a: { $exists: false } },
    ])
      expect(await codeOf(inIndex({ key: { a: 1 }, partialFilterExpression }))).toBe(67);
  });
});
