import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { GUARD_LIMITS, guard } from './guard.ts';
import { assembly, BOMBS, doubled, BOMB_SCHEMA as schema } from './testing/bombs.ts';

const everything = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
};

describe('the guard accepts', () => {
  it.each([
    ['one document', '{ document(id: "d") { id name versions { id name artifacts { id kind } } } }'],
    ['a page of 200', '{ documents(limit: 200) { items { id name versions { id name } } nextCursor } }'],
    ['some documents by id', '{ some(ids: ["a", "b"]) { versions { artifacts { kind } } } }'],
    [
      'four levels of the assemblies of a document',
      `{ document(id: "d") { versions { ${assembly(4, 'name quantity')} } } }`,
    ],
    ['an introspection query', getIntrospectionQuery()],
    ['an introspection query with every option', getIntrospectionQuery(everything)],
    ['a type name', '{ __typename }'],
    ['a query that does not parse, which the parser reports', '{ document('],
  ])('%s', (_what, query) => {
    expect(guard(query, schema).exceeded).toBeUndefined();
  });

  it('accepts a page whose size variable is small', () => {
    expect(
      guard('query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id } } } } }', schema, { n: 10 })
        .exceeded,
    ).toBeUndefined();
  });
});

describe('the guard rejects', () => {
  it.each(BOMBS)('%s', (_what, query, limit) => {
    expect(guard(query, schema, { n: 200 }).exceeded?.limit).toBe(limit);
  });
});

test('charges one unit per field, times the sizes of the lists around it', () => {
  expect(guard('{ document(id: "d") { id name } }', schema).cost).toBe(3);
  expect(
    guard('query ($n: Int) { documents(limit: $n) { items { id name } nextCursor } }', schema, { n: 20 }).cost,
  ).toBe(1 + 20 * (1 + 2 + 1));
  expect(guard(doubled(18, 'a#: self { ...F~ } b#: self { ...F~ }'), schema).cost).toBeGreaterThan(2 ** 18);
  expect(guard('query ($n: Int) { documents(limit: $n) { items { id } } }', schema, { n: 1 }).cost).toBeLessThan(
    guard('query ($n: Int) { documents(limit: $n) { items { id } } }', schema).cost ?? 0,
  );
});

test('gives the same result for a parsed document as for its text', () => {
  const text = 'query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id kind } } } } }';
  for (const n of [1, 10, 200])
    expect(guard(text, schema, { n }, undefined, parse(text))).toEqual(guard(text, schema, { n }));
});

test('uses the given page size, else the default of its variable, else that of the list', () => {
  const cost = (head: string, size: string, variables = {}) =>
    (guard(`query ${head} { documents${size} { items { id } } }`, schema, variables).cost ?? 0) - 1;
  expect(cost('', '')).toBe(50 * 2);
  expect(cost('', '(limit: null)')).toBe(50 * 2);
  expect(cost('($n: Int)', '(limit: $n)')).toBe(50 * 2);
  expect(cost('($n: Int = 7)', '(limit: $n)')).toBe(7 * 2);
  expect(cost('($n: Int = 7)', '(limit: $n)', { n: 9 })).toBe(9 * 2);
  expect(cost('($n: Int)', '(limit: $n)', { n: 'invalid' })).toBe(200 * 2);
  const graph = buildSchema(
    'type Query { graph(limit: Int = 300): Page } type Page { rows: [Int!]! nextCursor: String }',
  );
  expect(guard('{ graph { rows } }', graph).cost).toBe(1 + 300);
});

test('accepts the maximum and reports the value above it', () => {
  const queryOfBytes = (bytes: number) => '{ __typename } #'.padEnd(bytes, 'x');
  const queryOfTokens = (tokens: number) => `{ ${'__typename '.repeat(tokens - 2)}}`;
  const { bytes, tokens } = GUARD_LIMITS;
  expect(guard(queryOfBytes(bytes), schema).exceeded).toBeUndefined();
  expect(guard(queryOfBytes(bytes + 1), schema).exceeded).toEqual({ limit: 'bytes', allowed: bytes, found: bytes + 1 });
  expect(guard(queryOfTokens(tokens), schema).exceeded?.limit).toBe('fields');
  expect(guard(queryOfTokens(tokens + 1), schema).exceeded).toEqual({
    limit: 'tokens',
    allowed: tokens,
    found: tokens + 1,
  });
});

test('uses the most expensive operation and the largest default of a variable', () => {
  const [small, large] = ['documents(limit: $n) { nextCursor }', 'documents(limit: $n) { items { id } }'];
  const both = (first: string, second: string) =>
    `query A($n: Int = 9) { ${first} } query B($n: Int = 7) { ${second} }`;
  for (const text of [both(small, large), both(large, small)]) expect(guard(text, schema).cost).toBe(1 + 9 * 2);
  expect(guard('query ($constructor: Int = 9) { documents(limit: $constructor) { items { id } } }', schema).cost).toBe(
    1 + 9 * 2,
  );
});

test('marks a result as constant if it used no variable', () => {
  expect(guard('{ documents(limit: 3) { nextCursor } }', schema).constant).toBe(true);
  expect(guard('query ($n: Int) { documents(limit: $n) { nextCursor } }', schema, { n: 3 }).constant).toBe(false);
});

test('counts a list of ids by its length, an unreadable one as 200', () => {
  const cost = (head: string, ids: string, variables = {}) =>
    (guard(`query ${head} { some(ids: ${ids}) { id } }`, schema, variables).cost ?? 0) - 1;
  expect(cost('', '["a", "b", "c"]')).toBe(3);
  expect(cost('($ids: [ID!]!)', '$ids', { ids: ['a', 'b'] })).toBe(2);
  for (const ids of ['a', null]) expect(cost('($ids: [ID!]!)', '$ids', { ids })).toBe(200);
  expect(cost('', '"a"')).toBe(200);
});

test('counts a page size below 1 as 1, above 1000 as 1000, an invalid one as 200', () => {
  const cost = (n: unknown) =>
    (guard('query ($n: Int) { documents(limit: $n) { nextCursor } }', schema, { n }).cost ?? 0) - 1;
  expect([0, -5, 1, 1000, 1001, 2.5, null].map(cost)).toEqual([1, 1, 1, 1000, 1000, 200, 50]);
});

test('supports `first`, unpaged lists, interfaces and fragments without type condition', () => {
  const others = buildSchema(
    'interface Thing { parts: [Part!]! } type Part { id: ID! } type Query { thing: Thing parts(first: Int): [Part!]! }',
  );
  expect(guard('{ parts(first: 4) { id } }', others).cost).toBe(1 + 4);
  expect(guard('{ thing { parts { id } } }', others).cost).toBe(1 + (1 + 10));
  expect(guard('{ ... { parts(first: 4) { id } } }', others).cost).toBe(1 + 4);
});

test.each(['fields', 'interfaces', 'possibleTypes', 'inputFields'])(
  'allows two nested %s in introspection, and any number in own types',
  (name) => {
    const nested = (levels: number): string =>
      levels ? `${name} { ... on __Type { ${nested(levels - 1)} } }` : 'name';
    const own = buildSchema(`type Query { form: Form! } type Form { name: String! ${name}: [Form!]! }`);
    const form = (levels: number): string => (levels ? `${name} { ${form(levels - 1)} }` : 'name');
    expect(guard(`{ __schema { types { ${nested(2)} } } }`, schema).exceeded).toBeUndefined();
    expect(guard(`{ __schema { types { ${nested(3)} } } }`, schema).exceeded?.limit).toBe('introspectionLists');
    expect(guard(`{ form { ${form(3)} } }`, own).exceeded).toBeUndefined();
  },
);
