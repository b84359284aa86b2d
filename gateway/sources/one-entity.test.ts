import { execute, GraphQLError, parse } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { createRequest } from '../testing/sample-gateway.ts';
import { buildSchema, localSource } from './local-source.ts';
import { entitySchema, toEntityQuery } from './one-entity.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])';
const typeDefs = parse(`${LINK}
  interface Named { name: String }
  type Part implements Named @key(fields: "id") { id: ID! name: String weight(unit: Unit): String! }
  type Tool @key(fields: "id") { id: ID! name: String! }
  type Stub @key(fields: "id") { id: ID! size: Int }
  enum Unit { kg g }
  type Query { part: Part }`);
type Reference = { id: string };
const toolOf = (id: string) => {
  if (id === 'broken') throw new GraphQLError('The store is gone.', { extensions: { code: 'unavailable' } });
  return id === 'none' ? null : { id, name: id === 'nameless' ? null : `Tool ${id}` };
};
const tools = (...ids: string[]) => ({ representations: ids.map((id) => ({ __typename: 'Tool', id })) });
const resolvers = {
  Part: {
    __resolveReference: async ({ id }: Reference) => {
      if (id === 'refused')
        throw new GraphQLError('Not for you.', { extensions: { code: 'forbidden', why: 'because' } });
      return id === 'none' ? null : { id, name: `Part ${id}` };
    },
    weight: ({ id }: Reference, { unit }: { unit?: string }) => (id === 'light' ? null : `1 ${unit}`),
  },
  Tool: {
    __resolveReference: Object.assign(async ({ id }: Reference) => toolOf(id), {
      all: async (all: Reference[]) => all.map(({ id }) => toolOf(id)),
    }),
  },
  Stub: { size: ({ id }: Reference) => id.length },
};
const subgraph = { name: 'parts', typeDefs, resolvers, context: () => ({}) };
const query = (fields: string, more = '') =>
  `query Q($representations: [_Any!]!${more}) { _entities(representations: $representations) { ${fields} } }`;
const representations = ['a', 'none', 'refused', 'light', 'b'].map((id) => ({ __typename: 'Part', id }));

describe('entities of one type', () => {
  it.each([
    ['with fields', query('... on Part { __typename id name }'), { representations }],
    [
      'with variables',
      query('... on Part { w: weight(unit: $unit) }', ', $unit: Unit'),
      { representations, unit: 'kg' },
    ],
    [
      'with a fragment',
      `${query('... on Part { ...F }')} fragment F on Part { name ... on Named { name } }`,
      { representations },
    ],
    [
      'without a reference resolver',
      query('... on Stub { id size }'),
      { representations: [{ __typename: 'Stub', id: 'four' }] },
    ],
    ['resolved in one batch', query('... on Tool { name }'), tools('a', 'none', 'nameless', 'a', 'b')],
    ['that all fail', query('... on Tool { name }'), tools('broken', 'broken')],
    ['without entities', query('... on Part { id }'), { representations: [] }],
    [
      'with another type',
      query('... on Part { id } ... on Stub { size }'),
      { representations: [...representations, { __typename: 'Stub', id: 'four' }] },
    ],
  ])('returns the same result and error paths as @apollo/subgraph for %s', async (_what, text, variables) => {
    const source = localSource(subgraph);
    const process = () => source.process({ request: { query: text, variables }, context: createRequest() });
    const expected = await execute({
      schema: buildSchema(subgraph),
      document: parse(text),
      variableValues: variables,
      contextValue: {},
    });
    expect(plain(await process())).toEqual(plain(expected));
    expect(plain(await process())).toEqual(plain(expected));
  });

  it('does not modify loaded records', async () => {
    const part = Object.freeze({ id: 'a', name: 'Part a' });
    const source = localSource({ ...subgraph, resolvers: { Part: { __resolveReference: async () => part } } });
    const request = {
      query: query('... on Part { name }'),
      variables: { representations: [{ __typename: 'Part', id: 'a' }] },
    };
    await source.process({ request, context: createRequest() });
    expect(await source.process({ request, context: createRequest() })).toEqual({
      data: { _entities: [{ name: 'Part a' }] },
    });
  });
});

test('rewrites only operations that select one object type and nothing else', () => {
  const entities = entitySchema(buildSchema(subgraph))!;
  const isRewritten = (text: string) => toEntityQuery(parse(text), undefined, entities) !== undefined;
  expect(isRewritten(query('... on Part { id }'))).toBe(true);
  for (const fields of [
    '... on Part { id } ... on Stub { id }',
    '... on Named { name }',
    '__typename ... on Part { id }',
    '... on Part @skip(if: true) { id }',
  ])
    expect([fields, isRewritten(query(fields))]).toEqual([fields, false]);
  expect(isRewritten('{ part { id } }')).toBe(false);
});

type Shown = { data?: unknown; errors?: readonly { message: string; path?: unknown; extensions?: unknown }[] };

function plain({ data, errors = [] }: Shown): unknown {
  const comparable = errors.map(({ message, path, extensions }) => JSON.stringify([message, path, extensions ?? {}]));
  return { data: JSON.parse(JSON.stringify(data)), errors: comparable.sort() };
}
