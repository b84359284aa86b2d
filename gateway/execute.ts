// Runs prepared operations for the REST adapter.
import { type DocumentNode, type GraphQLError, type GraphQLSchema, Kind, validate } from 'graphql';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { publicError, toPublicError } from './errors.ts';
import type { Executor, Prepared } from './executor/executor.ts';

export type { Actor } from '../subgraphs/core/domain/access/actor.ts';
export type { RequestContext } from '../subgraphs/core/work.ts';

/** A valid operation of the service itself. It is planned at most once. */
export type Operation = { readonly name: string; readonly document: DocumentNode; readonly prepared: Prepared };

export type Result = { data?: Record<string, unknown> | null; errors?: readonly GraphQLError[] };

/** Runs an operation. Never throws: errors have a catalogued `extensions.code` and data, or the code `internal`. */
export type Execute = (
  operation: Operation,
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<Result>;

/**
 * Creates `prepare`, which validates a document with exactly one named operation and throws all validation errors at
 * once.
 */
export function createPrepare(schema: GraphQLSchema, executor: Executor): (document: DocumentNode) => Operation {
  return (document) => {
    const name = operationName(document);
    const errors = validate(schema, document);
    if (errors.length)
      throw new Error(`The operation ${name} is not valid:\n${errors.map(({ message }) => `- ${message}`).join('\n')}`);
    return { name, document, prepared: executor.prepare(document) };
  };
}

/** Creates `execute`. */
export function createExecute(log: Log): Execute {
  return async ({ name, prepared }, variables, request) => {
    const errorContext = () => ({ log: log.child({ operation: name }), requestId: request.requestId });
    try {
      const result = await prepared.run(variables, request);
      if (!result.errors?.length) return result;
      const context = errorContext();
      return { data: result.data, errors: result.errors.map((error) => publicError(error, context)) };
    } catch (error) {
      return { errors: [toPublicError(error, errorContext())] };
    }
  };
}

function operationName({ definitions }: DocumentNode): string {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const name = operations[0]?.name?.value;
  if (operations.length !== 1 || !name)
    throw new Error('A prepared operation must be a document with exactly one operation, which has a name');
  return name;
}
