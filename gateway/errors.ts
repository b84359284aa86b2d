// Converts errors into those that clients may see.
import type { GatewayExecutor } from '@apollo/server-gateway-interface';
import { GraphQLError } from 'graphql';
import { internalErrorMessage } from '../http/response/problem.ts';
import { CATALOGUE, DomainError } from '../subgraphs/core/domain/errors.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';

/** Error codes of the GraphQL protocol, which Apollo Server sets. */
export const PROTOCOL_CODES = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);
// Not logged here: the subgraph has logged `internal`, and a client that disconnected does not need the response.
const UNLOGGED_CODES = new Set(['internal', 'client_left']);

/**
 * Returns an error without subgraph names, stack traces and addresses. An error of the catalogue keeps its message and
 * data; an unexpected error is logged with the request id and becomes `internal`, without its message.
 */
export function publicError(error: GraphQLError, { log, requestId }: { log: Log; requestId: string }): GraphQLError {
  const domainError = originalDomainError(error);
  if (domainError)
    return new GraphQLError(domainError.message, {
      path: error.path,
      extensions: { ...domainError.details, code: domainError.code },
    });
  const { serviceName, stacktrace: _stacktrace, http: _http, ...extensions } = error.extensions;
  const code = String(extensions.code);
  const isKnown = Object.hasOwn(CATALOGUE, code) || PROTOCOL_CODES.has(code) || UNLOGGED_CODES.has(code);
  if (!isKnown || code === 'unavailable')
    log.error({ err: error.originalError ?? error, subgraph: serviceName, path: error.path, requestId }, error.message);
  return new GraphQLError(isKnown ? error.message : internalErrorMessage(requestId), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: isKnown ? extensions : { code: 'internal' },
  });
}

/** Returns the public error for any thrown value. A DomainError is expected, everything else is not. */
export function toPublicError(thrown: unknown, context: { log: Log; requestId: string }): GraphQLError {
  if (thrown instanceof GraphQLError) return publicError(thrown, context);
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  return publicError(new GraphQLError(cause.message, { originalError: cause }), context);
}

/** Wraps an executor: its errors become public errors, and unexpected ones are logged with the request id. */
export function withPublicErrors(execute: GatewayExecutor, log: Log): GatewayExecutor {
  return async (request) => {
    const context = { log, requestId: (request.context as RequestContext).requestId };
    try {
      const { data, errors } = await execute(request);
      return errors?.length ? { data, errors: errors.map((error) => publicError(error, context)) } : { data };
    } catch (error) {
      return { errors: [toPublicError(error, context)] };
    }
  };
}

// A DomainError that no subgraph converted: thrown in this process, or by a stream within a resolver.
function originalDomainError({ originalError }: GraphQLError): DomainError | undefined {
  if (originalError instanceof DomainError) return originalError;
  return originalError instanceof GraphQLError ? originalDomainError(originalError) : undefined;
}
