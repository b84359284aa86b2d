// Apollo's own executor behind the same port: the oracle of the parity test, and the way out (GATEWAY_EXECUTOR=apollo) when an
// operation needs what the compiled executor does not do. Slower by a factor of 3 to 5.
import { hash } from 'node:crypto';
import type { GraphQLDataSource } from '@apollo/gateway';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { type DocumentNode, print } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { Sources } from '../sources/source.ts';
import { operationOf } from './compile.ts';
import type { Executor } from './executor.ts';
import { LIMITS } from './limits.ts';
import type { JsonObject } from './merge.ts';
import { compileTimeLimit } from './time-limit.ts';
import { withinTime } from './within-time.ts';

export type ApolloOptions = { supergraphSdl: string; sources: Sources; milliseconds?: number };

/** Makes the stock executor. Its package starts telemetry when it is loaded without APOLLO_TELEMETRY_DISABLED, so it is loaded here and not before. */
export async function createApolloExecutor({
  supergraphSdl,
  sources,
  milliseconds = LIMITS.milliseconds,
}: ApolloOptions): Promise<Executor> {
  const { ApolloGateway } = await import('@apollo/gateway');
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => dataSource(sources, name),
    logger: SILENT,
  });
  const { schema } = await gateway.load();
  return {
    schema,
    prepare(document, operationName) {
      const limit = compileTimeLimit(operationOf(document, operationName), schema);
      const queryHash = hash('sha256', print(document));
      return {
        warm: () => undefined,
        run: (variables, request) =>
          withinTime(
            request,
            limit(variables, milliseconds),
            (context) => gateway.executor(requestContext({ document, operationName, queryHash, variables, context })),
            () => undefined,
          ),
      };
    },
    forApollo: gateway,
  };
}

// what the stock executor reads of Apollo Server's request
type Asked = {
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
}: Asked): GatewayGraphQLRequestContext {
  const asked: Partial<GatewayGraphQLRequestContext> = {
    request: { operationName, variables },
    document,
    queryHash,
    context,
    metrics: {},
    logger: SILENT,
  };
  return asked as GatewayGraphQLRequestContext;
}

function dataSource(sources: Sources, name: string): GraphQLDataSource {
  return {
    async process({ request: { query = '', variables, operationName }, context }) {
      const source = sources[name];
      if (!source) throw new Error(`The supergraph names the subgraph ${name}, but there is no source for it`);
      return source.process({ request: { query, variables, operationName }, context: context as RequestContext });
    },
  };
}

// it logs errors of operations, which the edges log too
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
