import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as promise from '../protocol/promise.ts';
import { promiseText } from '../protocol/promise-text.ts';
import { type TestServer, testServer } from './server.ts';
import { type WireClient, wireClient } from './wire-client.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

test('the README names every file in the table of layers, and no other', () => {
  const [, table = ''] = /\| layer \| files \|\n(.*?)\n\n/s.exec(readme) ?? [];
  const named = [...table.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  const folder = join(import.meta.dirname, '..');
  const files = globSync('*/*.ts', { cwd: folder, exclude: ['test/**', 'conformance/**'] });
  const sources = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => basename(file, '.ts'));
  expect(named.toSorted()).toEqual(sources.toSorted());
});

test('the README says exactly the promise; `node launch.mjs embedded/protocol/promise-text.ts` prints it', () => {
  const [, said] = /<!-- promise -->\n(.*?)\n<!-- \/promise -->/s.exec(readme) ?? [];
  expect(said).toBe(promiseText());
});

describe.skipIf(process.env.MONGODB_URL)('the promise, walked along', () => {
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
    const answer = await wire.command({ ...command, $db: server.db.databaseName });
    return answer.code ?? answer.writeErrors?.[0]?.code;
  };
  const each = async (commands: [name: string, command: Document][], code: number) => {
    const others: string[] = [];
    for (const [name, command] of commands) {
      const answered = await codeOf(command);
      if (answered !== code) others.push(`${name}: ${answered}`);
    }
    expect(commands.length).toBeGreaterThan(0);
    expect(others).toEqual([]);
  };

  const commands = Object.entries(promise.COMMANDS).filter(([name]) => name !== 'killAllSessions');
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
  const complete = (name: string, { required = {} }: promise.CommandPromise): Document => ({
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

  test('a field that a command does not have is unknown (40415)', () =>
    each(
      commands
        .filter(([, { optional }]) => !optional?.['*'])
        .map(([name, fields]) => [name, { ...complete(name, fields), wings: 2 }]),
      40415,
    ));

  test('a field of another type is refused (14)', () =>
    each(
      commands.flatMap(([name, fields]) =>
        Object.entries({
          ...fields.required,
          ...fields.optional,
          readConcern: 'object',
          comment: 'any',
        } as promise.Fields)
          .filter(([field, type]) => field !== '*' && WRONG[type] !== undefined)
          .map(([field, type]): [string, Document] => [
            `${name}.${field}`,
            { ...complete(name, fields), [field]: WRONG[type] },
          ]),
      ),
      14,
    ));

  test('a field that MongoDB has and this store not is refused (238), one of a statement too', async () => {
    const refused = (
      name: string,
      fields: promise.CommandPromise,
      wrap: (body: Document) => Document,
    ): [string, Document][] =>
      (fields.refused ?? []).map((field) => [
        `${name}.${field}`,
        wrap({ ...complete(name, fields), [field]: { a: 1 } }),
      ]);
    await each(
      commands.flatMap(([name, fields]) => refused(name, fields, (body) => body)),
      238,
    );
    const statement = promise.STATEMENTS.update ?? {};
    await each(
      refused('update', statement, ({ update: _, ...body }) => ({ update: 'c', updates: [body] })),
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
    ['command', promise.REFUSED_COMMANDS, (name) => ({ [name]: 'c' })],
    ['stage', promise.REFUSED_STAGES, (name) => ({ aggregate: 'c', pipeline: [{ [name]: {} }], cursor: {} })],
    ['query operator', promise.REFUSED_QUERY_OPERATORS, inFilter],
    [
      'update operator',
      promise.REFUSED_UPDATE_OPERATORS,
      (name) => ({ update: 'c', updates: [{ q: {}, u: { [name]: { a: 1 } } }] }),
    ],
    ['accumulator', promise.REFUSED_ACCUMULATORS, inGroup],
    ['expression', promise.REFUSED_EXPRESSIONS, inProject],
    ['index kind', promise.REFUSED_INDEX_KINDS, (kind) => inIndex({ key: { a: kind } })],
    ['index field', promise.REFUSED_INDEX_FIELDS, (field) => inIndex({ key: { a: 1 }, [field]: 1 })],
    [
      'collation field',
      promise.REFUSED_COLLATION_FIELDS,
      (field) => ({ find: 'c', collation: { locale: 'en', [field]: 'x' } }),
    ],
  ])('every %s that MongoDB has and this store not is refused (238)', (_kind, names, command) =>
    each(
      [...names].map((name) => [name, command(name)]),
      238,
    ),
  );

  test('what needs a search service is refused as by a server without one (31082)', () =>
    each(
      [...promise.SEARCH].map((name) => [
        name,
        name.startsWith('$') ? { aggregate: 'c', pipeline: [{ [name]: {} }], cursor: {} } : { [name]: 'c' },
      ]),
      31082,
    ));

  test('a read concern that is none, a collation without a language and a partial index over anything are refused', async () => {
    for (const level of promise.READ_CONCERNS)
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
