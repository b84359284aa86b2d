import { parse } from 'graphql';
import { expect, it } from 'vitest';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import { compose } from '../compose.ts';
import { createSampleGateway } from '../testing/sample-gateway.ts';

const HIDDEN = { __typename: 'Hidden', name: 'hidden' };
const OPEN = { __typename: 'Open', name: 'open' };
const SUBGRAPH: Subgraph = {
  name: 'shapes',
  typeDefs: parse(`
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@inaccessible"])
    interface Named { name: String! }
    type Open implements Named { name: String! }
    type Hidden implements Named @inaccessible { name: String! }
    union Shape = Open | Hidden
    type Query { one: Named, list: [Named], required: [Named!], shapes: [Shape] }`),
  resolvers: {
    Query: { one: () => HIDDEN, list: () => [OPEN, HIDDEN], required: () => [HIDDEN], shapes: () => [OPEN, HIDDEN] },
  },
  context: () => ({}),
};

it.each(['compiled', 'apollo'] as const)('hides objects of inaccessible types in the executor %s', async (executor) => {
  const { supergraphSdl } = compose([SUBGRAPH]);
  const { ask } = await createSampleGateway({ executor, subgraphs: [SUBGRAPH], supergraphSdl });
  const data = async (fields: string) => {
    const result = await ask(`query Q { ${fields} }`);
    expect(result.errors).toBeUndefined();
    return JSON.parse(JSON.stringify(result.data));
  };
  expect(await data('one { name } list { name } required { name }')).toEqual({
    one: null,
    list: [{ name: 'open' }, null],
    required: null,
  });
  expect(await data('one { __typename } shapes { ... on Open { name } }')).toEqual({
    one: null,
    shapes: [{ name: 'open' }, null],
  });
  expect(
    await data('named: __type(name: "Named") { possibleTypes { name } } hidden: __type(name: "Hidden") { name }'),
  ).toEqual({ named: { possibleTypes: [{ name: 'Open' }] }, hidden: null });
});
