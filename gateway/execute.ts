// The one way for the REST adapter into the graph: an operation prepared at start, its variables, and who asks.
import { type DocumentNode, type GraphQLError, Kind, validate } from 'graphql';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { publicError, publicErrorOf } from './errors.ts';
import type { Executor, Prepared } from './executor/executor.ts';

export type { Actor } from '../subgraphs/core/domain/access/actor.ts';
export type { RequestContext } from '../subgraphs/core/work.ts';

/** An operation of the service's own: valid, and planned at most once. */
export type Operation = { readonly name: string; readonly document: DocumentNode; readonly prepared: Prepared };

export type Result = { data?: Record<string, unknown> | null; errors?: readonly GraphQLError[] };

/** Runs an operation. Never throws: errors carry `extensions.code` of the catalogue with the case's data, or `internal` without text. */
export type Execute = (
  operation: Operation,
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<Result>;

/** Makes `prepare`: checks a document with exactly one named operation against the schema of the API; throws all faults at once. */
export function preparation(executor: Executor): (document: DocumentNode) => Operation {
  return (document) => {
    const name = nameOf(document);
    const faults = validate(executor.schema, document);
    if (faults.length)
      throw new Error(`The operation ${name} is not valid:\n${faults.map(({ message }) => `- ${message}`).join('\n')}`);
    return { name, document, prepared: executor.prepare(document) };
  };
}

/** Makes `execute`. */
export function execution(log: Log): Execute {
  return async ({ name, prepared }, variables, context) => {
    const edge = () => ({ log: log.child({ operation: name }), requestId: context.requestId });
    try {
      const answer = await prepared.run(variables, context);
      if (!answer.errors?.length) return answer;
      const shown = edge();
      return { data: answer.data, errors: answer.errors.map((error) => publicError(error, shown)) };
    } catch (error) {
      return { errors: [publicErrorOf(error, edge())] };
    }
  };
}

function nameOf({ definitions }: DocumentNode): string {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const name = operations[0]?.name?.value;
  if (operations.length !== 1 || !name)
    throw new Error('A stored operation is a document with one operation, which has a name');
  return name;
}
