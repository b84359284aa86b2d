// Runs one fetch of a plan: collects representations, calls the subgraph, merges its response and converts its errors.
import type { FetchNode } from '@apollo/query-planner';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Source, SubgraphError, SubgraphResponse } from '../sources/source.ts';
import { type Limits, limitExceeded } from './limits.ts';
import { isObjectOrList, type JsonObject, merge } from './merge.ts';
import { findPaths, type ResponsePath } from './paths.ts';
import { compileRepresentation } from './representation.ts';
import { compileRewrites } from './rewrites.ts';
import type { RunState, Step } from './run.ts';
import { clientDisconnected, isDisconnected } from './with-time-limit.ts';

/** The context in which a plan is compiled. */
export type PlanContext = { supergraphSchema: GraphQLSchema; source(subgraph: string): Source; limits: Limits };

/** Creates the step that runs one fetch of a plan for all its entities in one request. */
export function compileFetch(node: FetchNode, { supergraphSchema, source: sourceOf, limits }: PlanContext): Step {
  if (node.contextRewrites?.length) throw new Error('Plans with @fromContext arguments are not supported');
  const represent = node.requires && compileRepresentation(node.requires, supergraphSchema);
  const rewriteInput = compileRewrites(node.inputRewrites, supergraphSchema);
  const rewriteOutput = compileRewrites(node.outputRewrites, supergraphSchema);
  const source = sourceOf(node.serviceName);
  const usages = node.variableUsages ?? [];

  const request = async (run: RunState, variables: JsonObject): Promise<SubgraphResponse | undefined> => {
    if (run.abortedBy) throw run.abortedBy;
    if (run.client && isDisconnected(run.client)) throw clientDisconnected();
    try {
      return await source.process({
        request: { query: node.operation, variables, operationName: node.operationName },
        context: run.context,
      });
    } catch (error) {
      run.errors.push(error instanceof GraphQLError ? error : subgraphUnreachable(node.serviceName, error));
      return undefined;
    }
  };

  const fetchRoot: Step = async (targets, run) => {
    if (targets.length === 0) return;
    const response = await request(run, usedVariables(usages, run.variables));
    if (!response) return;
    for (const error of response.errors ?? []) run.errors.push(withPath(error, node.serviceName, error.path));
    if (!response.data) return;
    rewriteOutput?.(response.data);
    for (const target of targets) merge(target, response.data);
  };
  if (!represent) return fetchRoot;

  return async (entities, run) => {
    const variables = usedVariables(usages, run.variables);
    const targets: JsonObject[] = [];
    const representations: JsonObject[] = [];
    for (const entity of entities) {
      const representation = represent(entity);
      if (!isObjectOrList(representation) || !representation.__typename) continue;
      rewriteInput?.(representation);
      representations.push(representation);
      targets.push(entity);
    }
    if (targets.length === 0) return;
    if (targets.length > limits.representations) throw limitExceeded('representations', limits.representations);
    const response = await request(run, { ...variables, representations });
    if (!response) return;
    if (response.errors?.length)
      run.errors.push(...withEntityPaths(response.errors, node.serviceName, findPaths(run.root, targets)));
    if (!response.data) return;
    const found = response.data._entities;
    if (!Array.isArray(found) || found.length !== targets.length) {
      run.errors.push(
        withPath(
          { message: `Expected ${targets.length} entities of ${node.serviceName}` },
          node.serviceName,
          undefined,
        ),
      );
      return;
    }
    for (const [index, target] of targets.entries()) {
      const entity: unknown = found[index];
      if (!isObjectOrList(entity)) continue;
      rewriteOutput?.(entity);
      merge(target, entity);
    }
  };
}

function usedVariables(names: readonly string[], variables: JsonObject): JsonObject {
  const used: JsonObject = {};
  for (const name of names) if (variables[name] !== undefined) used[name] = variables[name];
  return used;
}

function withEntityPaths(
  errors: readonly SubgraphError[],
  subgraph: string,
  paths: readonly ResponsePath[],
): GraphQLError[] {
  return errors.map((error) => {
    const index = error.path?.[1];
    return withPath(
      error,
      subgraph,
      typeof index === 'number' ? [...(paths[index] ?? []), ...(error.path ?? []).slice(2)] : error.path,
    );
  });
}

function withPath(error: SubgraphError, subgraph: string, path: ResponsePath | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    originalError: error instanceof Error ? error : undefined,
    path,
    extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', ...error.extensions, serviceName: subgraph },
  });
}

// The subgraph's address is in the cause, which is logged only.
function subgraphUnreachable(subgraph: string, cause: unknown): GraphQLError {
  return new GraphQLError(`The ${subgraph} part of the service does not respond. Try again in a moment.`, {
    originalError: cause instanceof Error ? cause : new Error(String(cause)),
    extensions: { code: 'unavailable', part: subgraph },
  });
}
