// One fetch of a plan: picks representations, asks the subgraph, merges what it answers, puts its errors where the client can place them.
import type { FetchNode } from '@apollo/query-planner';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Source, SubgraphAnswer, SubgraphError } from '../sources/source.ts';
import { type Limits, tooLarge } from './limits.ts';
import { isObject, type JsonObject, merge } from './merge.ts';
import { pathsOf, type ResponsePath } from './places.ts';
import { compileRepresentation } from './representation.ts';
import { compileRewrites } from './rewrites.ts';
import type { Run, Step } from './run.ts';
import { clientLeft, hasLeft } from './within-time.ts';

/** What plans are compiled against. */
export type Surroundings = { supergraphSchema: GraphQLSchema; source(subgraph: string): Source; limits: Limits };

/** Makes the step that runs one fetch of a plan for all entities at its place at once. */
export function compileFetch(node: FetchNode, { supergraphSchema, source: sourceOf, limits }: Surroundings): Step {
  if (node.contextRewrites?.length) throw new Error('Plans with @fromContext arguments are not supported');
  const represent = node.requires && compileRepresentation(node.requires, supergraphSchema);
  const rewriteInput = compileRewrites(node.inputRewrites, supergraphSchema);
  const rewriteOutput = compileRewrites(node.outputRewrites, supergraphSchema);
  const source = sourceOf(node.serviceName);
  const usages = node.variableUsages ?? [];

  const ask = async (run: Run, variables: JsonObject): Promise<SubgraphAnswer | undefined> => {
    if (run.stopped) throw run.stopped;
    if (run.client && hasLeft(run.client)) throw clientLeft();
    try {
      return await source.process({
        request: { query: node.operation, variables, operationName: node.operationName },
        context: run.context,
      });
    } catch (error) {
      run.errors.push(error instanceof GraphQLError ? error : unreachable(node.serviceName, error));
      return undefined;
    }
  };

  const fetchRoot: Step = async (targets, run) => {
    if (targets.length === 0) return;
    const answer = await ask(run, usedVariables(usages, run.variables));
    if (!answer) return;
    for (const error of answer.errors ?? []) run.errors.push(located(error, node.serviceName, error.path));
    if (!answer.data) return;
    rewriteOutput?.(answer.data);
    for (const target of targets) merge(target, answer.data);
  };
  if (!represent) return fetchRoot;

  return async (entities, run) => {
    const variables = usedVariables(usages, run.variables);
    const targets: JsonObject[] = [];
    const representations: JsonObject[] = [];
    for (const entity of entities) {
      const representation = represent(entity);
      if (!isObject(representation) || !representation.__typename) continue;
      rewriteInput?.(representation);
      representations.push(representation);
      targets.push(entity);
    }
    if (targets.length === 0) return;
    if (targets.length > limits.representations) throw tooLarge('representations', limits.representations);
    const answer = await ask(run, { ...variables, representations });
    if (!answer) return;
    if (answer.errors?.length)
      run.errors.push(...locatedInEntities(answer.errors, node.serviceName, pathsOf(run.root, targets)));
    if (!answer.data) return;
    const found = answer.data._entities;
    if (!Array.isArray(found) || found.length !== targets.length) {
      run.errors.push(
        located({ message: `Expected ${targets.length} entities of ${node.serviceName}` }, node.serviceName, undefined),
      );
      return;
    }
    for (const [index, target] of targets.entries()) {
      const entity: unknown = found[index];
      if (!isObject(entity)) continue;
      rewriteOutput?.(entity);
      merge(target, entity);
    }
  };
}

function usedVariables(names: readonly string[], given: JsonObject): JsonObject {
  const used: JsonObject = {};
  for (const name of names) if (given[name] !== undefined) used[name] = given[name];
  return used;
}

function locatedInEntities(
  errors: readonly SubgraphError[],
  subgraph: string,
  paths: readonly ResponsePath[],
): GraphQLError[] {
  return errors.map((error) => {
    const index = error.path?.[1];
    return located(
      error,
      subgraph,
      typeof index === 'number' ? [...(paths[index] ?? []), ...(error.path ?? []).slice(2)] : error.path,
    );
  });
}

function located(error: SubgraphError, subgraph: string, path: ResponsePath | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    originalError: error instanceof Error ? error : undefined,
    path,
    extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', ...error.extensions, serviceName: subgraph },
  });
}

// the address of the subgraph stays in the log: only the cause has it
function unreachable(subgraph: string, cause: unknown): GraphQLError {
  return new GraphQLError(`The ${subgraph} part of the service does not answer.`, {
    originalError: cause instanceof Error ? cause : new Error(String(cause)),
    extensions: { code: 'unavailable', part: subgraph },
  });
}
