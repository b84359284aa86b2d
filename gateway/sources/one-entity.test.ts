import { execute, GraphQLError, parse } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { requestOf } from '../testing/sample-gateway.ts';
import { localSource, schemaOf } from './local-source.ts';
import { entitySchema, onOneEntity } from './one-entity.ts';

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
const asked = (fields: string, more = '') =>
  `query Q($representations: [_Any!]!${more}) { _entities(representations: $representations) { ${fields} } }`;
const representations = ['a', 'none', 'refused', 'light', 'b'].map((id) => ({ __typename: 'Part', id }));

describe('entities of one type', () => {
  it.each([
    ['with fields', asked('... on Part { __typename id name }'), { representations }],
    [
      'with variables',
      asked('... on Part { w: weight(unit: $unit) }', ', $unit: Unit'),
      { representations, unit: 'kg' },
    ],
    [
      'with a fragment',
      `${asked('... on Part { ...F }')} fragment F on Part { name ... on Named { name } }`,
      { representations },
    ],
    [
      'that are what names them',
      asked('... on Stub { id size }'),
      { representations: [{ __typename: 'Stub', id: 'four' }] },
    ],
    ['that are resolved together', asked('... on Tool { name }'), tools('a', 'none', 'nameless', 'a', 'b')],
    ['that cannot be resolved, all of them', asked('... on Tool { name }'), tools('broken', 'broken')],
    ['and of none', asked('... on Part { id }'), { representations: [] }],
    [
      'among several',
      asked('... on Part { id } ... on Stub { size }'),
      { representations: [...representations, { __typename: 'Stub', id: 'four' }] },
    ],
  ])(
    '%s are answered as the package answers them, with their errors in their places',
    async (_what, query, variables) => {
      const source = localSource(subgraph);
      const process = () => source.process({ request: { query, variables }, context: requestOf() });
      const expected = await execute({
        schema: schemaOf(subgraph),
        document: parse(query),
        variableValues: variables,
        contextValue: {},
      });
      expect(plain(await process())).toEqual(plain(expected));
      expect(plain(await process())).toEqual(plain(expected));
    },
  );

  it('leave what was loaded as it is', async () => {
    const part = Object.freeze({ id: 'a', name: 'Part a' });
    const source = localSource({ ...subgraph, resolvers: { Part: { __resolveReference: async () => part } } });
    const request = {
      query: asked('... on Part { name }'),
      variables: { representations: [{ __typename: 'Part', id: 'a' }] },
    };
    await source.process({ request, context: requestOf() });
    expect(await source.process({ request, context: requestOf() })).toEqual({
      data: { _entities: [{ name: 'Part a' }] },
    });
  });
});

test('only an operation that asks for one object type and nothing else runs on the field of that type', () => {
  const entities = entitySchema(schemaOf(subgraph))!;
  const taken = (query: string) => onOneEntity(parse(query), undefined, entities) !== undefined;
  expect(taken(asked('... on Part { id }'))).toBe(true);
  for (const fields of [
    '... on Part { id } ... on Stub { id }',
    '... on Named { name }',
    '__typename ... on Part { id }',
    '... on Part @skip(if: true) { id }',
  ])
    expect([fields, taken(asked(fields))]).toEqual([fields, false]);
  expect(taken('{ part { id } }')).toBe(false);
});

type Shown = { data?: unknown; errors?: readonly { message: string; path?: unknown; extensions?: unknown }[] };

function plain({ data, errors = [] }: Shown): unknown {
  const faults = errors.map(({ message, path, extensions }) => JSON.stringify([message, path, extensions ?? {}]));
  return { data: JSON.parse(JSON.stringify(data)), faults: faults.sort() };
}
