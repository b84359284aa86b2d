// Runs the operations of a subgraph in this process: the first time on graphql-js, then compiled by graphql-jit.
import { buildSubgraphSchema, type GraphQLResolverMap } from '@apollo/subgraph';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  parse,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { createLruCache } from '../executor/lru-cache.ts';
import { entitySchema, toEntityQuery } from './one-entity.ts';
import type { Source, SubgraphResponse } from './source.ts';

type ExecuteCompiled = (
  variables: Record<string, unknown>,
  context: object,
) => Promise<ExecutionResult> | ExecutionResult;

const MAX_OPERATIONS = 1000;

// Contexts are stored on the request: entries of a WeakMap survive until the next full garbage collection, which
// doubles the cost of an operation.
const CONTEXTS = Symbol('subgraph contexts');
type RequestWithContexts = RequestContext & { [CONTEXTS]?: Map<string, object> };

/** Builds the executable schema of a subgraph, with its entity resolver. */
export function buildSchema({ typeDefs, resolvers }: Pick<Subgraph, 'typeDefs' | 'resolvers'>): GraphQLSchema {
  return buildSubgraphSchema([{ typeDefs, resolvers: resolvers as GraphQLResolverMap<unknown> }]);
}

/**
 * Creates the source of a subgraph in this process. All fetches of one client operation share a context and its
 * loaders; no two operations do. A write discards the contexts, so that later fetches read its result.
 */
export function localSource(subgraph: Subgraph, schema: GraphQLSchema = buildSchema(subgraph)): Source {
  const operations = createLruCache<{ run: ExecuteCompiled; writes: boolean }>(MAX_OPERATIONS);
  const entities = entitySchema(schema);
  const contextOf = (request: RequestWithContexts): object => {
    request[CONTEXTS] ??= new Map();
    let context = request[CONTEXTS].get(subgraph.name);
    if (!context) {
      context = subgraph.context(request);
      request[CONTEXTS].set(subgraph.name, context);
    }
    return context;
  };
  return {
    process({ request: { query, operationName, variables = {} }, context }) {
      const operation = operations.get(query, () => {
        const document = parse(query);
        return {
          run: compileOnSecondRun({ schema, entities }, document, operationName),
          writes: isMutation(document, operationName),
        };
      });
      if (operation.writes) (context as RequestWithContexts)[CONTEXTS] = undefined;
      const result = operation.run(variables, contextOf(context));
      return result instanceof Promise ? result.then(withValidationCode) : Promise.resolve(withValidationCode(result));
    },
    close: async () => undefined,
  };
}

function isMutation(document: DocumentNode, operationName: string | undefined): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
}

type Schemas = { schema: GraphQLSchema; entities: GraphQLSchema | undefined };

function compileOnSecondRun(
  { schema, entities }: Schemas,
  document: DocumentNode,
  operationName: string | undefined,
): ExecuteCompiled {
  const interpreted: ExecuteCompiled = (variables, contextValue) =>
    execute({ schema, document, operationName, variableValues: variables, contextValue });
  let runs = 0;
  let compiled: ExecuteCompiled | undefined;
  return (variables, context) => {
    runs += 1;
    if (runs === 1) return interpreted(variables, context);
    if (!compiled) {
      const entityQuery = entities && toEntityQuery(document, operationName, entities);
      compiled =
        (entities && entityQuery && compileWithJit(entities, entityQuery, operationName)) ??
        compileWithJit(schema, document, operationName) ??
        interpreted;
    }
    return compiled(variables, context);
  };
}

// Undefined if graphql-jit cannot compile the operation; graphql-js continues to run it.
function compileWithJit(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): ExecuteCompiled | undefined {
  const operation = compileQuery(schema, document, operationName);
  return isCompiledQuery(operation)
    ? (variables, context) => operation.query(undefined, context, variables)
    : undefined;
}

// Errors without data mean that execution did not start because a variable was invalid.
function withValidationCode(result: ExecutionResult): SubgraphResponse {
  if (result.data !== undefined || !result.errors) return result;
  return {
    errors: result.errors.map((error) => ({
      message: error.message,
      path: error.path,
      extensions: { code: 'validation_failed', ...error.extensions },
    })),
  };
}
