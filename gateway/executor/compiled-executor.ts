// The compiled executor: Apollo's gateway plans; each operation is compiled to closures once.
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { type Sources, sourceOf } from '../sources/source.ts';
import { type CompileContext, type CompiledOperation, compileOperation } from './compile.ts';
import type { Executor, GraphqlResult } from './executor.ts';
import type { FederatedGateway } from './federated-gateway.ts';
import { LIMITS, type Limits } from './limits.ts';
import { createLruCache } from './lru-cache.ts';
import type { JsonObject } from './merge.ts';
import type { RunState } from './run.ts';
import { type WatchStore, withTimeLimit } from './with-time-limit.ts';

export type Options = {
  sources: Sources;
  limits?: Partial<Limits>;
  /**
   * Called when a response without errors has null for a non-null field: a bug of a subgraph that clients see as null.
   */
  onNullViolation?: (operation: string | undefined, fields: readonly string[]) => void;
  /** Ends reads while the store does not respond. */
  watchStore?: WatchStore;
};

/** Creates the executor for the supergraph that the gateway has loaded. */
export function createCompiledExecutor(
  { planner, schema }: Pick<FederatedGateway, 'planner' | 'schema'>,
  { sources, onNullViolation, watchStore, ...options }: Options,
): Executor {
  const limits = { ...LIMITS, ...options.limits };
  const { supergraph } = planner;
  const compileContext: CompileContext = {
    planner,
    planSchema: supergraph.apiSchema(),
    schema,
    supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
    source: (name) => sourceOf(sources, name),
    limits,
  };
  const running: RunOptions = { milliseconds: limits.milliseconds, onNullViolation, watchStore };
  const operations = createLruCache<CompiledOperation>(limits.operations);
  return {
    prepare(document, operationName) {
      let operation: CompiledOperation | undefined;
      const compiled = () => {
        operation ??= compileOperation(document, operationName, compileContext);
        return operation;
      };
      return {
        compile: () => void compiled(),
        run: (variables, request) => catchGraphqlError(() => run(compiled(), variables, request, running)),
      };
    },
    execute: ({
      document,
      queryHash,
      request: { operationName, variables = {} },
      context,
    }: GatewayGraphQLRequestContext) =>
      catchGraphqlError(() => {
        const key = operationName ? `${queryHash}:${operationName}` : queryHash;
        const operation = operations.get(key, () => compileOperation(document, operationName, compileContext));
        return run(operation, variables, context as RequestContext, running);
      }),
  };
}

type RunOptions = { milliseconds: number } & Pick<Options, 'onNullViolation' | 'watchStore'>;

function run(
  operation: CompiledOperation,
  variables: JsonObject,
  request: RequestContext,
  { milliseconds, onNullViolation, watchStore }: RunOptions,
): Promise<GraphqlResult> {
  const coerced = operation.coerce(variables);
  const limit = operation.timeLimit(variables, milliseconds);
  const client = limit.abortOnDisconnect ? request : undefined;
  const state: RunState = { root: {}, variables, context: request, client, errors: [], abortedBy: undefined };
  const complete = async (context: RequestContext): Promise<GraphqlResult> => {
    state.context = context;
    await operation.run([state.root], state);
    if (operation.introspect) Object.assign(state.root, await operation.introspect(coerced));
    const { data, nullViolations } = operation.shape(state.root, coerced);
    if (state.errors.length) return { data, errors: state.errors };
    if (nullViolations.length) onNullViolation?.(operation.name, nullViolations);
    return { data };
  };
  const stop = (reason: GraphQLError) => {
    state.abortedBy = reason;
  };
  return withTimeLimit(request, limit, complete, stop, watchStore);
}

// A GraphQLError is part of the result; anything else is unexpected and propagates.
async function catchGraphqlError(work: () => Promise<GraphqlResult>): Promise<GraphqlResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}
