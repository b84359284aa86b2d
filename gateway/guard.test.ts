import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { guard } from './guard.ts';
import { assembly, BOMBS, doubled, BOMBED_SCHEMA as schema } from './testing/bombs.ts';

const everything = { descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true };

describe('the guard lets pass', () => {
  it.each([
    ['one document', '{ document(id: "d") { id name versions { id name artifacts { id kind } } } }'],
    ['a page of 200', '{ documents(limit: 200) { items { id name versions { id name } } nextCursor } }'],
    ['some documents by id', '{ some(ids: ["a", "b"]) { versions { artifacts { kind } } } }'],
    ['four levels of the assemblies of a document', `{ document(id: "d") { versions { ${assembly(4, 'name quantity')} } } }`],
    ['an introspection', getIntrospectionQuery()],
    ['an introspection with every option', getIntrospectionQuery(everything)],
    ['a type name', '{ __typename }'],
    ['what is no GraphQL: the parser says so better', '{ document('],
  ])('%s', (_what, query) => {
    expect(guard(query, schema).exceeded).toBeUndefined();
  });

  it('a page whose variable is small', () => {
    expect(guard('query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id } } } } }', schema, { n: 10 }).exceeded).toBeUndefined();
  });
});

describe('the guard refuses', () => {
  it.each(BOMBS)('%s', (_what, query, limit) => {
    expect(guard(query, schema, { n: 200 }).exceeded?.limit).toBe(limit);
  });
});

test('a query costs a unit for each field, as often as the lists around it are long', () => {
  expect(guard('{ document(id: "d") { id name } }', schema).cost).toBe(3);
  expect(guard('query ($n: Int) { documents(limit: $n) { items { id name } nextCursor } }', schema, { n: 20 }).cost).toBe(1 + 20 * (1 + 2 + 1));
  expect(guard(doubled(18, 'a#: self { ...F~ } b#: self { ...F~ }'), schema).cost).toBeGreaterThan(2 ** 18);
  expect(guard('query ($n: Int) { documents(limit: $n) { items { id } } }', schema, { n: 1 }).cost).toBeLessThan(
    guard('query ($n: Int) { documents(limit: $n) { items { id } } }', schema).cost ?? 0,
  );
});

test('a document that is known is judged like its text', () => {
  const text = 'query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id kind } } } } }';
  for (const n of [1, 10, 200]) expect(guard(text, schema, { n }, undefined, parse(text))).toEqual(guard(text, schema, { n }));
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
  const graph = buildSchema('type Query { graph(limit: Int = 300): Page } type Page { rows: [Int!]! nextCursor: String }');
  expect(guard('{ graph { rows } }', graph).cost).toBe(1 + 300);
});
