// The stock gateway is the oracle: it answers on graphql-js, ours on graphql-jit, with the same subgraphs behind both.
import { execute, type GraphQLSchema, parse, validate } from 'graphql';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import { compose, readSubgraphs } from '../compose.ts';
import { localSource } from '../sources/local-source.ts';
import type { Source } from '../sources/source.ts';
import { inventedSchema } from '../testing/invented-subgraphs.ts';
import { randomOperation, seeded } from '../testing/random-operations.ts';
import { NOBODY, sampleSubgraphs } from '../testing/sample.ts';
import { createApolloExecutor } from './apollo-executor.ts';
import { createCompiledExecutor } from './compiled-executor.ts';
import type { Answer, Executor } from './executor.ts';

const COUNT = Number(process.env.PDM_TEST_PARITY_OPERATIONS ?? 150);
const SEED = Number(process.env.PDM_TEST_PARITY_SEED ?? 1);
const ours = new URL('../../subgraphs/', import.meta.url);

beforeAll(() => {
  vi.stubEnv('APOLLO_TELEMETRY_DISABLED', 'true');
  vi.stubEnv('NODE_ENV', 'production');
});

describe('random operations are answered as the stock gateway answers them', () => {
  it.each([
    ['on the sample', () => sampleSubgraphs()],
    [
      'on the subgraphs of the product',
      () => readSubgraphs(ours).map((read): Subgraph => ({ ...read, resolvers: {}, context: () => ({}) })),
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
      const ours = gateways.compiled.prepare(document);
      expect(exact(await ours.run({ no: false }, request())), query).toEqual(exact(expected));
      expect(byJit(await ours.run({ no: false }, request())), `the second time: ${query}`).toEqual(byJit(expected));
      found.same += 1;
      if (expected.errors?.length) found.withErrors += 1;
      if (expected.data) found.withData += 1;
    }
    expect(found.withErrors).toBeGreaterThan(COUNT / 20); // a comparison of empty answers would prove nothing
    expect(found.withData).toBeGreaterThan(COUNT / 5);
  });
});

async function bothGateways(
  subgraphs: readonly Subgraph[],
): Promise<{ schema: GraphQLSchema; stock: Executor; compiled: Executor }> {
  const { supergraphSdl } = compose(subgraphs);
  const schemas = subgraphs.map((subgraph) => ({ subgraph, schema: inventedSchema(subgraph) }));
  const interpreted = Object.fromEntries(
    schemas.map(({ subgraph, schema }) => [subgraph.name, interpretedSource(schema)]),
  );
  const jitted = Object.fromEntries(
    schemas.map(({ subgraph, schema }) => [subgraph.name, localSource(subgraph, schema)]),
  );
  const compiled = createCompiledExecutor({ supergraphSdl, sources: jitted });
  return {
    schema: compiled.schema,
    stock: await createApolloExecutor({ supergraphSdl, sources: interpreted }),
    compiled,
  };
}

const request = () => ({ actor: NOBODY, requestId: 'r1', signal: new AbortController().signal });

function interpretedSource(schema: GraphQLSchema): Source {
  return {
    async process({ request: { query, variables, operationName } }) {
      const answer = await execute({ schema, document: parse(query), variableValues: variables, operationName });
      return JSON.parse(JSON.stringify(answer));
    },
    close: async () => undefined,
  };
}

function exact({ data, errors = [] }: Answer) {
  const faults = errors.map(({ message, path, extensions }) =>
    JSON.stringify([message, path ?? null, extensions.code, extensions.serviceName]),
  );
  return { data: JSON.parse(JSON.stringify(data ?? null)), faults: faults.sort() };
}

// Of several errors that null the same object graphql-js reports the first and graphql-jit all: the language allows both.
function byJit(answer: Answer) {
  const failing = new Set((answer.errors ?? []).map(({ extensions }) => extensions.serviceName));
  return { data: exact(answer).data, failing: [...failing].sort() };
}
