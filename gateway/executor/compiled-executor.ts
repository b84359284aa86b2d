// The compiled executor: Apollo loads the supergraph and plans; each operation is compiled to closures once.
import { Supergraph } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { Sources } from '../sources/source.ts';
import { type CompileContext, type CompiledOperation, compileOperation } from './compile.ts';
import type { Executor, GraphqlResult, OperationInput } from './executor.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { JsonObject } from './merge.ts';
import { lruCache } from './operation-cache.ts';
import type { RunState } from './run.ts';
import { withTimeLimit } from './with-time-limit.ts';

export type Options = {
  supergraphSdl: string;
  sources: Sources;
  limits?: Partial<Limits>;
  /**
   * Called when a response without errors has null for a non-null field: a bug of a subgraph that clients see as null.
   */
  onNullViolation?: (operation: string | undefined, fields: readonly string[]) => void;
};

/**
 * Loads the supergraph (about 100 ms) and creates the executor. Throws if a subgraph of the supergraph has no source.
 */
export function createCompiledExecutor(options: Options): Executor {
  const { supergraphSdl, sources, onNullViolation } = options;
  const limits = { ...LIMITS, ...options.limits };
  const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
  const planSchema = supergraph.apiSchema();
  const schema = planSchema.toGraphQLJSSchema();
  const compileContext: CompileContext = {
    planner: new QueryPlanner(supergraph),
    planSchema,
    schema,
    supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
    source: (name) => sources[name] ?? throwMissingSource(name),
    limits,
  };
  for (const { name } of supergraph.subgraphsMetadata()) compileContext.source(name);
  const running: RunOptions = { milliseconds: limits.milliseconds, onNullViolation };
  const operations = lruCache<CompiledOperation>(limits.operations);

  const runDocument = (
    { document, queryHash, operationName, variables = {} }: OperationInput,
    request: RequestContext,
  ): Promise<GraphqlResult> =>
    catchGraphqlError(() => {
      const key = operationName ? `${queryHash}:${operationName}` : queryHash;
      const operation = operations.get(key, () => compileOperation(document, operationName, compileContext));
      return run(operation, variables, request, running);
    });
  const executor = ({ document, queryHash, request, context }: GatewayGraphQLRequestContext): Promise<GraphqlResult> =>
    runDocument(
      { document, queryHash, operationName: request.operationName, variables: request.variables },
      context as RequestContext,
    );

  return {
    schema,
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
    runDocument,
    apolloGateway: {
      load: async () => ({ executor }),
      onSchemaLoadOrUpdate(listener) {
        listener({ apiSchema: schema, coreSupergraphSdl: supergraphSdl });
        return () => undefined;
      },
      stop: async () => undefined,
    },
  };
}

type RunOptions = { milliseconds: number; onNullViolation: Options['onNullViolation'] };

function run(
  operation: CompiledOperation,
  variables: JsonObject,
  request: RequestContext,
  { milliseconds, onNullViolation }: RunOptions,
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
  return withTimeLimit(request, limit, complete, stop);
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

function throwMissingSource(name: string): never {
  throw new Error(`The supergraph contains the subgraph ${name}, but it has no source`);
}
