// Malicious queries, each with the guard limit that stops it. Shared by the guard's test and bench/guard.ts.
import { buildSchema } from 'graphql';

export const BOMB_SCHEMA = buildSchema(`
  type Query { document(id: ID!): Document documents(limit: Int, cursor: String): DocumentPage! some(ids: [ID!]!): [Document!]! }
  type DocumentPage { items: [Document!]! nextCursor: String }
  type Document { id: ID! name: String! self: Document! versions: [Version!]! }
  type Version { id: ID! name: String! artifacts: [Artifact!]! bomLines: [BomLine!]! }
  type BomLine { name: String! quantity: Int! version: Version }
  type Artifact { id: ID! kind: String! }`);

const times = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => text.replaceAll('#', String(index))).join(' ');
const nested = (count: number, field: string) => `${`${field} { `.repeat(count)}id${' }'.repeat(count)}`;
export const doubled = (levels: number, step: string) => {
  const fragments = Array.from({ length: levels }, (_, index) =>
    step.replaceAll('#', String(index)).replaceAll('~', String(index + 1)),
  );
  return `query { document(id: "d") { ...F0 } } ${fragments.map((text, index) => `fragment F${index} on Document { ${text} }`).join(' ')} fragment F${levels} on Document { id }`;
};
export const assembly = (levels: number, fields: string): string =>
  levels ? `bomLines { ${fields} version { ${assembly(levels - 1, fields)} } }` : 'id';

/** Name, query and exceeded limit; the variable `n` is 200. */
export const BOMBS: readonly (readonly [name: string, query: string, limit: string])[] = [
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
  [
    'a cycle of fragments',
    '{ document(id: "d") { ...A } } fragment A on Document { ...B } fragment B on Document { ...A }',
    'depth',
  ],
  ['5,000 directives', `{ document(id: "d") { id ${times(5000, '@include(if: true)')} } }`, 'bytes'],
  ['a megabyte of braces', '{'.repeat(1e6), 'bytes'],
  ['lists in lists', '{ documents(limit: 200) { items { versions { artifacts { id kind } } } } }', 'cost'],
  [
    'many fields on many levels of many assemblies',
    `{ documents(limit: 5) { items { versions { ${assembly(5, 'name quantity')} } } } }`,
    'cost',
  ],
  [
    'a large page size in a variable',
    'query ($n: Int) { documents(limit: $n) { items { versions { artifacts { id kind } } } } }',
    'cost',
  ],
  ['21 root fields', `{ ${times(21, '__typename')} }`, 'rootFields'],
  [
    'nested introspection lists',
    `{ __schema { types { ${times(5, 'fields { type { name')} ${'} }'.repeat(5)} } } }`,
    'introspectionLists',
  ],
  [
    'nested introspection lists in fragments',
    `{ __schema { types { ...F0 } } } ${times(4, 'fragment F# on __Type { fields { type { ...G# } } }')} ${[0, 1, 2, 3].map((index) => `fragment G${index} on __Type { ...F${index + 1} }`).join(' ')} fragment F4 on __Type { name }`,
    'introspectionLists',
  ],
];
