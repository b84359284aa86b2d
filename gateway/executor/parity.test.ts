// Compares our executor, on graphql-jit, with Apollo's stock gateway, on graphql-js, over the same subgraphs.
import { execute, type GraphQLSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import { compose, readSubgraphs } from '../compose.ts';
import { localSource } from '../sources/local-source.ts';
import type { Source } from '../sources/source.ts';
import { createInventedSchema } from '../testing/invented-subgraphs.ts';
import { randomOperation, seeded } from '../testing/random-operations.ts';
import { sampleSubgraphs, VIEWER } from '../testing/sample.ts';
import { createApolloExecutor } from './apollo-executor.ts';
import { createCompiledExecutor } from './compiled-executor.ts';
import type { Executor, GraphqlResult } from './executor.ts';
import { loadFederatedGateway } from './federated-gateway.ts';

const COUNT = Number(process.env.PDM_TEST_PARITY_OPERATIONS ?? 150);
const SEED = Number(process.env.PDM_TEST_PARITY_SEED ?? 1);
const SUBGRAPHS = new URL('../../subgraphs/', import.meta.url);

describe('random operations have the same results as in the stock gateway', () => {
  it.each([
    ['with the sample', () => sampleSubgraphs()],
    [
      'with the subgraphs of the product',
      () => readSubgraphs(SUBGRAPHS).map((subgraph): Subgraph => ({ ...subgraph, resolvers: {}, context: () => ({}) })),
    ],
  ])('%s', { timeout: 300_000 }, async (_where, subgraphs) => {
    const gateways = await bothGateways(subgraphs());
    const random = seeded(SEED);
    const found = { same: 0, withErrors: 0, withData: 0 };
    while (found.same < COUNT) {
      const query = randomOperation(gateways.schema, random);
      const document = parse(query);
      if (validate(gateways.schema, document).length) continue;
      const expected = await gateways.stock.prepare(document).run({ no: false }, request());
      const compiled = gateways.compiled.prepare(document);
      expect(exact(await compiled.run({ no: false }, request())), query).toEqual(exact(expected));
      expect(comparable(await compiled.run({ no: false }, request())), `second run: ${query}`).toEqual(
        comparable(expected),
      );
      found.same += 1;
      if (expected.errors?.length) found.withErrors += 1;
      if (expected.data) found.withData += 1;
    }
    expect(found.withErrors).toBeGreaterThan(COUNT / 20); // comparing empty results would prove nothing
    expect(found.withData).toBeGreaterThan(COUNT / 5);
  });
});

async function bothGateways(
  subgraphs: readonly Subgraph[],
): Promise<{ schema: GraphQLSchema; stock: Executor; compiled: Executor }> {
  const { supergraphSdl } = compose(subgraphs);
  const schemas = subgraphs.map((subgraph) => ({ subgraph, schema: createInventedSchema(subgraph) }));
  const interpreted = Object.fromEntries(
    schemas.map(({ subgraph, schema }) => [subgraph.name, interpretedSource(schema)]),
  );
  const jitted = Object.fromEntries(
    schemas.map(({ subgraph, schema }) => [subgraph.name, localSource(subgraph, schema)]),
  );
  const gateway = await loadFederatedGateway(supergraphSdl, interpreted);
  return {
    schema: gateway.schema,
    stock: createApolloExecutor(gateway),
    compiled: createCompiledExecutor(gateway, { sources: jitted }),
  };
}

const request = () => ({ actor: VIEWER, requestId: 'r1', signal: new AbortController().signal });

function interpretedSource(schema: GraphQLSchema): Source {
  return {
    async process({ request: { query, variables, operationName } }) {
      const result = await execute({ schema, document: parse(query), variableValues: variables, operationName });
      return JSON.parse(JSON.stringify(result));
    },
    close: async () => undefined,
  };
}

function exact({ data, errors = [] }: GraphqlResult) {
  const comparableErrors = errors.map(({ message, path, extensions }) =>
    JSON.stringify([message, path ?? null, extensions.code, extensions.serviceName]),
  );
  return { data: JSON.parse(JSON.stringify(data ?? null)), errors: comparableErrors.sort() };
}

// If several errors make the same object null, graphql-js reports the first and graphql-jit all; the specification
// allows both.
function comparable(result: GraphqlResult) {
  const failing = new Set((result.errors ?? []).map(({ extensions }) => extensions.serviceName));
  return { data: exact(result).data, failing: [...failing].sort() };
}
