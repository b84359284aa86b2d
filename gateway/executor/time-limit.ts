import { type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { carriesUpload } from './carries-upload.ts';
import type { JsonObject } from './merge.ts';
import type { TimeLimit } from './within-time.ts';

const LONGEST_WAIT_SECONDS = 50;
// writes that read and store an asm.json of up to 32 MiB, as its upload does, which has no limit
const SECONDS_FOR_FILES = 30;
const REWRITES_FILES = ['updateReferences', 'replaceInDrafts'];

/**
 * Makes the function that tells how long an operation may take, given the variables and the usual limit in milliseconds. Without limit:
 * an operation that can carry a file. Longer: one with a field that waits on purpose (a worker's long poll), by its argument `waitSeconds`, and one that
 * rewrites files.
 */
export function compileTimeLimit(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): (variables: JsonObject, usual: number) => TimeLimit {
  const endless = carriesUpload(operation, schema);
  const leaveWithClient = operation.operation === 'query';
  const wait = compileWait(operation);
  return (variables, usual) => ({ milliseconds: endless ? undefined : usual + wait(variables), leaveWithClient });
}

function compileWait(operation: OperationDefinitionNode): (variables: JsonObject) => number {
  const literals: number[] = [];
  const names: string[] = [];
  visit(operation, {
    Field({ name }) {
      if (REWRITES_FILES.includes(name.value)) literals.push(SECONDS_FOR_FILES);
    },
    Argument({ name, value }) {
      if (name.value !== 'waitSeconds') return;
      if (value.kind === Kind.INT) literals.push(Number(value.value));
      if (value.kind === Kind.VARIABLE) names.push(value.name.value);
    },
  });
  if (literals.length + names.length === 0) return () => 0;
  return (variables) => {
    const seconds = [...literals, ...names.map((name) => Number(variables[name] ?? 0))];
    return 1000 * Math.min(Math.max(0, ...seconds), LONGEST_WAIT_SECONDS);
  };
}
