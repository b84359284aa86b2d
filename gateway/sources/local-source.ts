// A subgraph in this process. Its operations are compiled by graphql-jit from their second use on; the first runs on graphql-js.
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
import { leastRecentlyUsed } from '../executor/operation-cache.ts';
import { entitySchema, onOneEntity } from './one-entity.ts';
import type { Source, SubgraphAnswer } from './source.ts';

type Runnable = (variables: Record<string, unknown>, context: object) => Promise<ExecutionResult> | ExecutionResult;

const OPERATIONS = 1000;

// The contexts hang on the request itself: in a WeakMap they would outlive it until the next full garbage collection, at twice the cost of an operation.
const MADE = Symbol('the contexts of the subgraphs');
type Holding = RequestContext & { [MADE]?: Map<string, object> };

/** Builds the executable schema of a subgraph, with its entity resolver. */
export function schemaOf({ typeDefs, resolvers }: Pick<Subgraph, 'typeDefs' | 'resolvers'>): GraphQLSchema {
  return buildSubgraphSchema([{ typeDefs, resolvers: resolvers as GraphQLResolverMap<unknown> }]);
}

/**
 * Runs a subgraph's operations in this process. Its context, and with it its loaders, is made once per operation of the client, so
 * that the fetches of one operation share their loaders and no two operations do. A write makes all contexts anew: what follows it
 * reads what it left.
 */
export function localSource(subgraph: Subgraph, schema: GraphQLSchema = schemaOf(subgraph)): Source {
  const operations = leastRecentlyUsed<{ run: Runnable; writes: boolean }>(OPERATIONS);
  const entities = entitySchema(schema);
  const contextOf = (request: Holding): object => {
    request[MADE] ??= new Map();
    let context = request[MADE].get(subgraph.name);
    if (!context) {
      context = subgraph.context(request);
      request[MADE].set(subgraph.name, context);
    }
    return context;
  };
  return {
    process({ request: { query, operationName, variables = {} }, context }) {
      const operation = operations.get(query, () => {
        const document = parse(query);
        return {
          run: firstSlowThenFast({ schema, entities }, document, operationName),
          writes: isMutation(document, operationName),
        };
      });
      if (operation.writes) (context as Holding)[MADE] = undefined;
      const answer = operation.run(variables, contextOf(context));
      return answer instanceof Promise ? answer.then(refusedAsInvalid) : Promise.resolve(refusedAsInvalid(answer));
    },
    close: async () => undefined,
  };
}

function isMutation(document: DocumentNode, operationName: string | undefined): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
}

type Schemas = { schema: GraphQLSchema; entities: GraphQLSchema | undefined };

function firstSlowThenFast(
  { schema, entities }: Schemas,
  document: DocumentNode,
  operationName: string | undefined,
): Runnable {
  const interpreted: Runnable = (variables, contextValue) =>
    execute({ schema, document, operationName, variableValues: variables, contextValue });
  let uses = 0;
  let fast: Runnable | undefined;
  return (variables, context) => {
    uses += 1;
    if (uses === 1) return interpreted(variables, context);
    if (!fast) {
      const one = entities && onOneEntity(document, operationName, entities);
      fast =
        (entities && one && compiled(entities, one, operationName)) ??
        compiled(schema, document, operationName) ??
        interpreted;
    }
    return fast(variables, context);
  };
}

// undefined: graphql-jit cannot compile it, graphql-js then goes on answering
function compiled(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Runnable | undefined {
  const operation = compileQuery(schema, document, operationName);
  return isCompiledQuery(operation)
    ? (variables, context) => operation.query(undefined, context, variables)
    : undefined;
}

// errors without data: execution never began, because a variable did not fit (a scalar of the subgraph refused it)
function refusedAsInvalid(answer: ExecutionResult): SubgraphAnswer {
  if (answer.data !== undefined || !answer.errors) return answer;
  return {
    errors: answer.errors.map((error) => ({
      message: error.message,
      path: error.path,
      extensions: { code: 'validation_failed', ...error.extensions },
    })),
  };
}
