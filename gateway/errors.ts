// The edge of the graph: what of an error may leave the service.
import { GraphQLError } from 'graphql';
import { CATALOGUE, DomainError } from '../subgraphs/core/domain/errors.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';

/** What the GraphQL server says about the request itself. */
export const OF_THE_PROTOCOL = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);
// unexpected, but logged already: by the subgraph that failed, or of no interest because nobody waits for the answer
const SETTLED = new Set(['internal', 'client_left']);

/**
 * Makes an error fit to leave: names of subgraphs, stack traces and addresses stay. A refusal of the catalogue keeps its text and data;
 * anything unexpected is logged under the request's id and answered as `internal` without its text.
 */
export function publicError(error: GraphQLError, { log, requestId }: { log: Log; requestId: string }): GraphQLError {
  const refusal = refusalBehind(error);
  if (refusal)
    return new GraphQLError(refusal.message, {
      path: error.path,
      extensions: { ...refusal.details, code: refusal.code },
    });
  const { serviceName, stacktrace: _stacktrace, http: _http, ...extensions } = error.extensions;
  const code = String(extensions.code);
  const known = Object.hasOwn(CATALOGUE, code) || OF_THE_PROTOCOL.has(code) || SETTLED.has(code);
  if (!known || code === 'unavailable')
    log.error({ err: error.originalError ?? error, subgraph: serviceName, path: error.path, requestId }, error.message);
  const shown = known ? error.message : `Something went wrong; the log has it under ${requestId}.`;
  return new GraphQLError(shown, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: known ? extensions : { code: 'internal' },
  });
}

/** The same for whatever was thrown; a DomainError is a refusal, all else is unexpected. */
export function publicErrorOf(thrown: unknown, edge: { log: Log; requestId: string }): GraphQLError {
  if (thrown instanceof GraphQLError) return publicError(thrown, edge);
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  return publicError(new GraphQLError(cause.message, { originalError: cause }), edge);
}

// a refusal that no subgraph translated: one thrown here, or by a stream in the middle of a resolver
function refusalBehind({ originalError }: GraphQLError): DomainError | undefined {
  if (originalError instanceof DomainError) return originalError;
  return originalError instanceof GraphQLError ? refusalBehind(originalError) : undefined;
}
