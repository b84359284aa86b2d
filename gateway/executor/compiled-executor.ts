// The compiled executor: Apollo loads the supergraph and plans, each operation becomes closures once.
import { Supergraph } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { Sources } from '../sources/source.ts';
import { type CompiledOperation, compileOperation, type Planning } from './compile.ts';
import type { Answer, Asked, Executor } from './executor.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { JsonObject } from './merge.ts';
import { leastRecentlyUsed } from './operation-cache.ts';
import type { Run } from './run.ts';
import { withinTime } from './within-time.ts';

export type Options = {
  supergraphSdl: string;
  sources: Sources;
  limits?: Partial<Limits>;
  /** Told when an answer without errors has null where the schema promises a value: a fault of a subgraph that clients see as null. */
  onBroken?: (operation: string | undefined, fields: readonly string[]) => void;
};

/** Loads the supergraph (about 100 ms) and makes the executor; every subgraph the supergraph names needs a source. */
export function createCompiledExecutor({ supergraphSdl, sources, limits: given, onBroken }: Options): Executor {
  const limits = { ...LIMITS, ...given };
  const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
  const planSchema = supergraph.apiSchema();
  const schema = planSchema.toGraphQLJSSchema();
  const planning: Planning = {
    planner: new QueryPlanner(supergraph),
    planSchema,
    schema,
    supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
    source: (name) => sources[name] ?? missing(name),
    limits,
  };
  for (const { name } of supergraph.subgraphsMetadata()) planning.source(name);
  const running: Running = { milliseconds: limits.milliseconds, onBroken };
  const operations = leastRecentlyUsed<CompiledOperation>(limits.operations);

  const direct = (
    { document, queryHash, operationName, variables = {} }: Asked,
    request: RequestContext,
  ): Promise<Answer> =>
    answered(() => {
      const key = operationName ? `${queryHash}:${operationName}` : queryHash;
      const operation = operations.get(key, () => compileOperation(document, operationName, planning));
      return run(operation, variables, request, running);
    });
  const executor = ({ document, queryHash, request, context }: GatewayGraphQLRequestContext): Promise<Answer> =>
    direct(
      { document, queryHash, operationName: request.operationName, variables: request.variables },
      context as RequestContext,
    );

  return {
    schema,
    prepare(document, operationName) {
      let operation: CompiledOperation | undefined;
      const compiled = () => {
        operation ??= compileOperation(document, operationName, planning);
        return operation;
      };
      return {
        warm: () => void compiled(),
        run: (variables, request) => answered(() => run(compiled(), variables, request, running)),
      };
    },
    direct,
    forApollo: {
      load: async () => ({ executor }),
      onSchemaLoadOrUpdate(tell) {
        tell({ apiSchema: schema, coreSupergraphSdl: supergraphSdl });
        return () => undefined;
      },
      stop: async () => undefined,
    },
  };
}

type Running = { milliseconds: number; onBroken: Options['onBroken'] };

function run(
  operation: CompiledOperation,
  variables: JsonObject,
  request: RequestContext,
  { milliseconds, onBroken }: Running,
): Promise<Answer> {
  const coerced = operation.coerce(variables);
  const limit = operation.time(variables, milliseconds);
  const client = limit.leaveWithClient ? request : undefined;
  const state: Run = { root: {}, variables, context: request, client, errors: [], stopped: undefined };
  const complete = async (context: RequestContext): Promise<Answer> => {
    state.context = context;
    await operation.run([state.root], state);
    if (operation.introspect) Object.assign(state.root, await operation.introspect(coerced));
    const { data, broken } = operation.shape(state.root, coerced);
    if (state.errors.length) return { data, errors: state.errors };
    if (broken.length) onBroken?.(operation.name, broken);
    return { data };
  };
  const stop = (reason: GraphQLError) => {
    state.stopped = reason;
  };
  return withinTime(request, limit, complete, stop);
}

// a refusal is an answer; anything else is a fault of ours and goes up
async function answered(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

function missing(name: string): never {
  throw new Error(`The supergraph names the subgraph ${name}, but there is no source for it`);
}
