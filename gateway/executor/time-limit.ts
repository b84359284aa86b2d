// Computes the time limit of an operation.
import { type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { hasUploadVariable } from './has-upload-variable.ts';
import type { JsonObject } from './merge.ts';
import type { TimeLimit } from './with-time-limit.ts';

const MAX_WAIT_SECONDS = 50;
// These mutations read and store an asm.json of up to 32 MiB. Its upload, which does the same, has no limit.
const EXTRA_SECONDS_FOR_FILES = 30;
const FILE_REWRITING_FIELDS = ['updateReferences', 'replaceInDrafts'];

/**
 * Creates the function that returns the time limit of an operation for its variables and the usual limit in
 * milliseconds. Operations that upload a file have no limit. Those that wait (argument `waitSeconds`) or rewrite files
 * get extra time.
 */
export function compileTimeLimit(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): (variables: JsonObject, defaultMilliseconds: number) => TimeLimit {
  const uploadsFile = hasUploadVariable(operation, schema);
  const abortOnDisconnect = operation.operation === 'query';
  const extraMilliseconds = compileExtraTime(operation);
  return (variables, defaultMilliseconds) => {
    const extra = extraMilliseconds(variables);
    return {
      milliseconds: uploadsFile ? undefined : defaultMilliseconds + extra,
      abortOnDisconnect,
      isWatched: abortOnDisconnect && extra === 0,
    };
  };
}

// Returns the function that computes the extra time of an operation in milliseconds.
function compileExtraTime(operation: OperationDefinitionNode): (variables: JsonObject) => number {
  const fixedSeconds: number[] = [];
  const waitVariables: string[] = [];
  visit(operation, {
    Field({ name }) {
      if (FILE_REWRITING_FIELDS.includes(name.value)) fixedSeconds.push(EXTRA_SECONDS_FOR_FILES);
    },
    Argument({ name, value }) {
      if (name.value !== 'waitSeconds') return;
      if (value.kind === Kind.INT) fixedSeconds.push(Number(value.value));
      if (value.kind === Kind.VARIABLE) waitVariables.push(value.name.value);
    },
  });
  if (fixedSeconds.length + waitVariables.length === 0) return () => 0;
  return (variables) => {
    const seconds = [...fixedSeconds, ...waitVariables.map((name) => Number(variables[name] ?? 0))];
    return 1000 * Math.min(Math.max(0, ...seconds), MAX_WAIT_SECONDS);
  };
}
