// Apollo's executor (GATEWAY_EXECUTOR=apollo), with the time limits of the service: for diagnosis, and the reference of
// the parity test. It is 3 to 5 times slower.
import { hash } from 'node:crypto';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { print } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { compileCoercion } from './coerce.ts';
import { requireOperation } from './compile.ts';
import type { Executor } from './executor.ts';
import { type FederatedGateway, SILENT_LOGGER } from './federated-gateway.ts';
import { LIMITS } from './limits.ts';
import { compileTimeLimit } from './time-limit.ts';
import { type WatchStore, withTimeLimit } from './with-time-limit.ts';

/** Creates the executor from the one that the gateway has. */
export function createApolloExecutor(
  { executor, schema }: FederatedGateway,
  milliseconds: number = LIMITS.milliseconds,
  watchStore?: WatchStore,
): Executor {
  const execute: Executor['execute'] = async (request) => {
    const { operationName, variables = {} } = request.request;
    const definition = requireOperation(request.document, operationName);
    // Only rejects invalid variables, with the same error as the other executor; Apollo coerces the variables itself.
    compileCoercion(definition, schema)(variables);
    const limit = compileTimeLimit(definition, schema)(variables, milliseconds);
    return withTimeLimit(
      request.context as RequestContext,
      limit,
      (context) => executor({ ...request, context }),
      () => undefined, // Apollo's executor has no way to stop early
      watchStore,
    );
  };
  return {
    execute,
    prepare(document, operationName) {
      const queryHash = hash('sha256', print(document));
      return {
        compile: () => undefined,
        run: (variables, context) =>
          execute(createRequest({ request: { operationName, variables }, document, queryHash, context })),
      };
    },
  };
}

// Apollo's executor reads only these fields.
function createRequest(
  request: Pick<GatewayGraphQLRequestContext, 'request' | 'document' | 'queryHash' | 'context'>,
): GatewayGraphQLRequestContext {
  return {
    ...request,
    metrics: {},
    logger: SILENT_LOGGER,
  } as Partial<GatewayGraphQLRequestContext> as GatewayGraphQLRequestContext;
}
