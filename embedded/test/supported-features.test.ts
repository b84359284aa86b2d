// Compares the README with the code, and tests every supported and unsupported feature by name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as features from '../protocol/supported-features.ts';
import { renderSupportedFeatures } from '../protocol/supported-features-text.ts';
import { type TestServer, testServer } from './server.ts';
import { type WireClient, wireClient } from './wire-client.ts';

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

test('lists the supported features in the README as `node launch.mjs embedded/protocol/supported-features-text.ts` prints them', () => {
  const [, listed] = /<!-- supported-features -->\n(.*?)\n<!-- \/supported-features -->/s.exec(readme) ?? [];
  expect(listed).toBe(renderSupportedFeatures());
});

describe.skipIf(process.env.MONGODB_URL)('the store', () => {
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
    const reply = await wire.command({ ...command, $db: server.db.databaseName });
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

  const commands = Object.entries(features.COMMANDS).filter(([name]) => name !== 'killAllSessions');
  const REQUIRED: { [field: string]: unknown } = {
    pipeline: [],
    cursors: [],
    key: 'a',
    collection: 'c',
    indexes: [],
    index: 'a',
    q: {},
    u: {},
    limit: 1,
  };
  const complete = (name: string, { required = {} }: features.CommandSpec): Document => ({
    [name]: 'c',
    ...Object.fromEntries(Object.keys(required).map((field) => [field, REQUIRED[field]])),
  });
  const WRONG: { [type: string]: unknown } = {
    object: 'x',
    array: 'x',
    number: 'x',
    boolean: 'x',
    string: 1,
    hint: 1,
    update: 1,
  };

  test('rejects an unknown field of a command (40415)', () =>
    each(
      commands
        .filter(([, { optional }]) => !optional?.['*'])
        .map(([name, fields]) => [name, { ...complete(name, fields), unknown: 2 }]),
      40415,
    ));

  test('rejects a field of a wrong type (14)', () =>
    each(
      commands.flatMap(([name, fields]) =>
        Object.entries({
          ...fields.required,
          ...fields.optional,
          readConcern: 'object',
          comment: 'any',
        } as features.Fields)
          .filter(([field, type]) => field !== '*' && WRONG[type] !== undefined)
          .map(([field, type]): [string, Document] => [
            `${name}.${field}`,
            { ...complete(name, fields), [field]: WRONG[type] },
          ]),
      ),
      14,
    ));

  test('rejects a field that MongoDB supports and the store does not (238), also in a statement', async () => {
    const unsupported = (
      name: string,
      fields: features.CommandSpec,
      wrap: (body: Document) => Document,
    ): [string, Document][] =>
      (fields.unsupported ?? []).map((field) => [
        `${name}.${field}`,
        wrap({ ...complete(name, fields), [field]: { a: 1 } }),
      ]);
    await each(
      commands.flatMap(([name, fields]) => unsupported(name, fields, (body) => body)),
      238,
    );
    const statement = features.STATEMENTS.update ?? {};
    await each(
      unsupported('update', statement, ({ update: _, ...body }) => ({ update: 'c', updates: [body] })),
      238,
    );
  });

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
    [
      'collation field',
      features.UNSUPPORTED_COLLATION_FIELDS,
      (field) => ({ find: 'c', collation: { locale: 'en', [field]: 'x' } }),
    ],
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
