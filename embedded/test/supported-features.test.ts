// Compares the README with the code, and tests every supported and unsupported feature by name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decimal128, type Document, Double, Long, MinKey, ObjectId, Timestamp, UUID } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import * as features from '../protocol/supported-features.ts';
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
  };
  const NUMBERS = ['int', 'double', 'long', 'decimal'];
  const ACCEPTED: { [type in features.PlainType]: readonly string[] } = {
    object: ['object'],
    array: ['array', 'objectArray', 'emptyArray'],
    objectArray: ['objectArray', 'emptyArray'],
    number: NUMBERS,
    boolean: ['boolean', ...NUMBERS],
    string: ['string'],
    stringOrNumber: ['string', ...NUMBERS],
    namespace: ['string'],
    hint: ['string', 'object'],
    update: ['object', 'objectArray', 'emptyArray'],
    uuid: ['uuid'],
    timestamp: ['timestamp'],
    any: Object.keys(VALUES),
  };
  const CODES: { [type: string]: number } = { namespace: 73, stringOrNumber: 9 };
  // A handshake may have any field.
  const commands = Object.entries(features.COMMANDS).filter(([, { optional }]) => !optional?.['*']);
  const VALID: { [type: string]: unknown } = {
    ...VALUES,
    number: 1,
    namespace: 'c',
    update: { $set: { b: 1 } },
    any: 1,
  };
  const REQUIRED: Document = { pipeline: [], cursors: [], indexes: [{ key: { a: 1 }, name: 'a_1' }], q: { _id: 9 } };
  const complete = (name: string, { value = 'any', required = {} }: features.CommandSpec): Document => {
    const fields = Object.entries(required).map(([field, type]) => [field, REQUIRED[field] ?? VALID[type]]);
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
          if (accepted.includes(kind)) continue;
          const [text, command] = withField(spec, field, wrong);
          const code = await codeOf(command);
          tried++;
          const isNested = !Object.hasOwn(ACCEPTED, type);
          const expected = isNested ? [14, 40414, 40415] : [CODES[type] ?? 14];
          if (kind === 'object' && type === 'stringOrNumber') expected[0] = 238;
          if (!expected.includes(code ?? 0)) failures.push(`${text}: ${code}`);
        }
      }
    }
    expect(tried).toBeGreaterThan(1000);
    expect(failures).toEqual([]);
  });

  test('rejects an unknown field of every command, statement and nested document (40415)', () =>
    each(
      specs.map((spec) => withField(spec, 'unknown', 2)),
      40415,
    ));

  test('rejects every field that MongoDB supports and the store does not (238)', () =>
    each(
      specs.flatMap((spec) => (spec[1].unsupported ?? []).map((field) => withField(spec, field, { a: 1 }))),
      238,
    ));

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
  test.each<[string, Iterable<string>, (name: string) => Document]>([
    ['command', features.UNSUPPORTED_COMMANDS, (name) => ({ [name]: 'c' })],
    ['stage', features.UNSUPPORTED_STAGES, (name) => ({ aggregate: 'c', pipeline: [{ [name]: {} }], cursor: {} })],
    ['query operator', features.UNSUPPORTED_QUERY_OPERATORS, inFilter],
    [
      'update operator',
      features.UNSUPPORTED_UPDATE_OPERATORS,
      (name) => ({ update: 'c', updates: [{ q: {}, u: { [name]: { a: 1 } } }] }),
    ],
    ['accumulator', features.UNSUPPORTED_ACCUMULATORS, inGroup],
    ['expression', features.UNSUPPORTED_EXPRESSIONS, inProject],
    ['index kind', features.UNSUPPORTED_INDEX_TYPES, (kind) => inIndex({ key: { a: kind } })],
    ['index field', features.UNSUPPORTED_INDEX_FIELDS, (field) => inIndex({ key: { a: 1 }, [field]: 1 })],
  ])('rejects every %s that MongoDB supports and the store does not (238)', (_kind, names, command) =>
    each(
      [...names].map((name) => [name, command(name)]),
      238,
    ),
  );

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
