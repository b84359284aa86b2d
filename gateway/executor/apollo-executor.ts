// Apollo's executor: the reference of the parity test, and a fallback (GATEWAY_EXECUTOR=apollo) for operations that the
// compiled executor does not support. It is 3 to 5 times slower.
import { hash } from 'node:crypto';
import type { GraphQLDataSource } from '@apollo/gateway';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { type DocumentNode, print } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { Sources } from '../sources/source.ts';
import { selectOperation } from './compile.ts';
import type { Executor } from './executor.ts';
import { LIMITS } from './limits.ts';
import type { JsonObject } from './merge.ts';
import { compileTimeLimit } from './time-limit.ts';
import { withTimeLimit } from './with-time-limit.ts';

export type ApolloOptions = { supergraphSdl: string; sources: Sources; milliseconds?: number };

/**
 * Creates Apollo's executor. Its package starts telemetry when loaded without APOLLO_TELEMETRY_DISABLED, so it is
 * imported here.
 */
export async function createApolloExecutor({
  supergraphSdl,
  sources,
  milliseconds = LIMITS.milliseconds,
}: ApolloOptions): Promise<Executor> {
  const { ApolloGateway } = await import('@apollo/gateway');
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => dataSource(sources, name),
    logger: SILENT_LOGGER,
  });
  const { schema } = await gateway.load();
  return {
    schema,
    prepare(document, operationName) {
      const limit = compileTimeLimit(selectOperation(document, operationName), schema);
      const queryHash = hash('sha256', print(document));
      return {
        compile: () => undefined,
        run: (variables, request) =>
          withTimeLimit(
            request,
            limit(variables, milliseconds),
            (context) => gateway.executor(requestContext({ document, operationName, queryHash, variables, context })),
            () => undefined,
          ),
      };
    },
    apolloGateway: gateway,
  };
}

// The fields of Apollo Server's request context that this executor reads.
type ApolloRequest = {
  document: DocumentNode;
  operationName: string | undefined;
  queryHash: string;
  variables: JsonObject;
  context: RequestContext;
};

function requestContext({
  document,
  operationName,
  queryHash,
  variables,
  context,
}: ApolloRequest): GatewayGraphQLRequestContext {
  const request: Partial<GatewayGraphQLRequestContext> = {
    request: { operationName, variables },
    document,
    queryHash,
    context,
    metrics: {},
    logger: SILENT_LOGGER,
  };
  return request as GatewayGraphQLRequestContext;
}

function dataSource(sources: Sources, name: string): GraphQLDataSource {
  return {
    async process({ request: { query = '', variables, operationName }, context }) {
      const source = sources[name];
      if (!source) throw new Error(`The supergraph contains the subgraph ${name}, but it has no source`);
      return source.process({ request: { query, variables, operationName }, context: context as RequestContext });
    },
  };
}

// Errors of operations are logged elsewhere.
const SILENT_LOGGER = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
