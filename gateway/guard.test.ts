import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { GUARD_LIMITS, guard } from './guard.ts';
import { assembly, BOMBS, doubled, BOMBED_SCHEMA as schema } from './testing/bombs.ts';

const everything = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
};

describe('the guard lets pass', () => {
  it.each([
    ['one document', '{ document(id: "d") { id name versions { id name artifacts { id kind } } } }'],
    ['a page of 200', '{ documents(limit: 200) { items { id name versions { id name } } nextCursor } }'],
    ['some documents by id', '{ some(ids: ["a", "b"]) { versions { artifacts { kind } } } }'],
    [
      'four levels of the assemblies of a document',
      `{ document(id: "d") { versions { ${assembly(4, 'name quantity')} } } }`,
    ],
    ['an introspection', getIntrospectionQuery()],
    ['an introspection with every option', getIntrospectionQuery(everything)],
    ['a type name', '{ __typename }'],
    ['what is no GraphQL: the parser says so better', '{ document('],
  ])('%s', (_what, query) => {
    expect(guard(query, schema).exceeded).toBeUndefined();
  });

  it('a page whose variable is small', () => {
    expect(
      guard('query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id } } } } }', schema, { n: 10 })
        .exceeded,
    ).toBeUndefined();
  });
});

describe('the guard refuses', () => {
  it.each(BOMBS)('%s', (_what, query, limit) => {
    expect(guard(query, schema, { n: 200 }).exceeded?.limit).toBe(limit);
  });
});

test('a query costs a unit for each field, as often as the lists around it are long', () => {
  expect(guard('{ document(id: "d") { id name } }', schema).cost).toBe(3);
  expect(
    guard('query ($n: Int) { documents(limit: $n) { items { id name } nextCursor } }', schema, { n: 20 }).cost,
  ).toBe(1 + 20 * (1 + 2 + 1));
  expect(guard(doubled(18, 'a#: self { ...F~ } b#: self { ...F~ }'), schema).cost).toBeGreaterThan(2 ** 18);
  expect(guard('query ($n: Int) { documents(limit: $n) { items { id } } }', schema, { n: 1 }).cost).toBeLessThan(
    guard('query ($n: Int) { documents(limit: $n) { items { id } } }', schema).cost ?? 0,
  );
});

test('a document that is known is judged like its text', () => {
  const text = 'query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id kind } } } } }';
  for (const n of [1, 10, 200])
    expect(guard(text, schema, { n }, undefined, parse(text))).toEqual(guard(text, schema, { n }));
});

test('a page has the size that is given, that its variable has by itself, or that the list has by itself', () => {
  const cost = (head: string, size: string, variables = {}) =>
    (guard(`query ${head} { documents${size} { items { id } } }`, schema, variables).cost ?? 0) - 1;
  expect(cost('', '')).toBe(50 * 2);
  expect(cost('', '(limit: null)')).toBe(50 * 2);
  expect(cost('($n: Int)', '(limit: $n)')).toBe(50 * 2);
  expect(cost('($n: Int = 7)', '(limit: $n)')).toBe(7 * 2);
  expect(cost('($n: Int = 7)', '(limit: $n)', { n: 9 })).toBe(9 * 2);
  expect(cost('($n: Int)', '(limit: $n)', { n: 'many' })).toBe(200 * 2);
  const graph = buildSchema(
    'type Query { graph(limit: Int = 300): Page } type Page { rows: [Int!]! nextCursor: String }',
  );
  expect(guard('{ graph { rows } }', graph).cost).toBe(1 + 300);
});

test('what a limit allows is allowed, and one more is told as it was found', () => {
  const long = (bytes: number) => '{ __typename } #'.padEnd(bytes, 'x');
  const many = (tokens: number) => `{ ${'__typename '.repeat(tokens - 2)}}`;
  const { bytes, tokens } = GUARD_LIMITS;
  expect(guard(long(bytes), schema).exceeded).toBeUndefined();
  expect(guard(long(bytes + 1), schema).exceeded).toEqual({ limit: 'bytes', allowed: bytes, found: bytes + 1 });
  expect(guard(many(tokens), schema).exceeded?.limit).toBe('fields');
  expect(guard(many(tokens + 1), schema).exceeded).toEqual({ limit: 'tokens', allowed: tokens, found: tokens + 1 });
});

test('of several operations the costliest counts, and of what they have a variable be by itself the most', () => {
  const [small, large] = ['documents(limit: $n) { nextCursor }', 'documents(limit: $n) { items { id } }'];
  const both = (first: string, second: string) =>
    `query A($n: Int = 9) { ${first} } query B($n: Int = 7) { ${second} }`;
  for (const text of [both(small, large), both(large, small)]) expect(guard(text, schema).cost).toBe(1 + 9 * 2);
  expect(guard('query ($constructor: Int = 9) { documents(limit: $constructor) { items { id } } }', schema).cost).toBe(
    1 + 9 * 2,
  );
});

test('a judgement is for good when no variable was looked at', () => {
  expect(guard('{ documents(limit: 3) { nextCursor } }', schema).constant).toBe(true);
  expect(guard('query ($n: Int) { documents(limit: $n) { nextCursor } }', schema, { n: 3 }).constant).toBe(false);
});

test('a list of ids is as long as it is, one that cannot be read as the longest usual page', () => {
  const cost = (head: string, ids: string, variables = {}) =>
    (guard(`query ${head} { some(ids: ${ids}) { id } }`, schema, variables).cost ?? 0) - 1;
  expect(cost('', '["a", "b", "c"]')).toBe(3);
  expect(cost('($ids: [ID!]!)', '$ids', { ids: ['a', 'b'] })).toBe(2);
  for (const ids of ['a', null]) expect(cost('($ids: [ID!]!)', '$ids', { ids })).toBe(200);
  expect(cost('', '"a"')).toBe(200);
});

test('a size below one counts as one, one above the longest page as that, a broken one as the longest usual', () => {
  const cost = (n: unknown) =>
    (guard('query ($n: Int) { documents(limit: $n) { nextCursor } }', schema, { n }).cost ?? 0) - 1;
  expect([0, -5, 1, 1000, 1001, 2.5, null].map(cost)).toEqual([1, 1, 1, 1000, 1000, 200, 50]);
});

test('`first` is a size too, a list without one counts as ten, fields of an interface and below a bare fragment count like those of a type', () => {
  const others = buildSchema(
    'interface Thing { parts: [Part!]! } type Part { id: ID! } type Query { thing: Thing parts(first: Int): [Part!]! }',
  );
  expect(guard('{ parts(first: 4) { id } }', others).cost).toBe(1 + 4);
  expect(guard('{ thing { parts { id } } }', others).cost).toBe(1 + (1 + 10));
  expect(guard('{ ... { parts(first: 4) { id } } }', others).cost).toBe(1 + 4);
});

test.each(['fields', 'interfaces', 'possibleTypes', 'inputFields'])(
  '%s of types may lie two deep in an introspection; of our own records as deep as any',
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
