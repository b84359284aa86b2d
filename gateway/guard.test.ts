import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { guard } from './guard.ts';

const schema = buildSchema(`
  type Query { document(id: ID!): Document documents(limit: Int, cursor: String): DocumentPage! some(ids: [ID!]!): [Document!]! }
  type DocumentPage { items: [Document!]! nextCursor: String }
  type Document { id: ID! name: String! self: Document! versions: [Version!]! }
  type Version { id: ID! name: String! artifacts: [Artifact!]! bomLines: [BomLine!]! }
  type BomLine { name: String! quantity: Int! version: Version }
  type Artifact { id: ID! kind: String! }`);

const times = (count: number, text: string) => Array.from({ length: count }, (_, index) => text.replaceAll('#', String(index))).join(' ');
const nested = (count: number, field: string) => `${`${field} { `.repeat(count)}id${' }'.repeat(count)}`;
const doubled = (levels: number, step: string) => {
  const fragments = Array.from({ length: levels }, (_, index) => step.replaceAll('#', String(index)).replaceAll('~', String(index + 1)));
  return `query { document(id: "d") { ...F0 } } ${fragments.map((text, index) => `fragment F${index} on Document { ${text} }`).join(' ')} fragment F${levels} on Document { id }`;
};
const assembly = (levels: number, fields: string): string => (levels ? `bomLines { ${fields} version { ${assembly(levels - 1, fields)} } }` : 'id');
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
  it.each([
    ['1,000 aliases', `{ ${times(1000, 'a#: document(id: "d") { id }')} }`, 'tokens'],
    ['10,000 aliases', `{ ${times(10_000, 'a#: documents { nextCursor }')} }`, 'bytes'],
    [
      '21 aliases in a fragment',
      `{ document(id: "d") { ...F self { ...F self { ...F } } } } fragment F on Document { ${times(7, 'a#: id')} }`,
      'aliases',
    ],
    ['a depth of 100', `{ document(id: "d") { ${nested(100, 'self')} } }`, 'depth'],
    ['a depth of 2,000', `{ document(id: "d") { ${nested(2000, 'self')} } }`, 'tokens'],
    ['fragments doubled 18 times', doubled(18, 'a#: self { ...F~ } b#: self { ...F~ }'), 'depth'],
    ['fragments doubled 60 times', doubled(60, '...F~ ...F~'), 'fields'],
    ['a cycle of fragments', '{ document(id: "d") { ...A } } fragment A on Document { ...B } fragment B on Document { ...A }', 'depth'],
    ['5,000 directives', `{ document(id: "d") { id ${times(5000, '@include(if: true)')} } }`, 'bytes'],
    ['a megabyte of braces', '{'.repeat(1e6), 'bytes'],
    ['lists in lists', '{ documents(limit: 200) { items { versions { artifacts { id kind } } } } }', 'cost'],
    ['many fields on many levels of many assemblies', `{ documents(limit: 5) { items { versions { ${assembly(5, 'name quantity')} } } } }`, 'cost'],
    ['a page size that a variable hides', 'query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id kind } } } } }', 'cost'],
    ['21 root fields', `{ ${times(21, '__typename')} }`, 'rootFields'],
    ['introspection in circles', `{ __schema { types { ${times(5, 'fields { type { name')} ${'} }'.repeat(5)} } } }`, 'introspectionLists'],
    [
      'introspection in circles of fragments',
      `{ __schema { types { ...F0 } } } ${times(4, 'fragment F# on __Type { fields { type { ...G# } } }')} ${[0, 1, 2, 3].map((index) => `fragment G${index} on __Type { ...F${index + 1} }`).join(' ')} fragment F4 on __Type { name }`,
      'introspectionLists',
    ],
  ])('%s', (_what, query, limit) => {
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
