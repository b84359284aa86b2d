// A plugin of Apollo Server: runs the query guard, caches valid documents and checks headers.
import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { createLruCache } from './executor/lru-cache.ts';
import { type ExceededLimit, GUARD_LIMITS, type GuardResult, guard } from './guard.ts';

// A valid document, and its guard result if that is independent of variables.
type KnownDocument = { document: DocumentNode; guardResult?: GuardResult };

const MAX_DOCUMENTS = 500;
const PLACEHOLDER = parse('{ __typename }');

/**
 * Runs the guard on every query before it is parsed and validated, also on persisted queries, and adds the cost to the
 * response `extensions`. Apollo Server responds 500 to errors thrown before parsing; a rejected query is therefore
 * replaced with a placeholder document, and the error is thrown in the next hook. This requires Apollo's own document
 * store to be off; the plugin caches valid documents itself.
 */
export function guardPlugin(schema: GraphQLSchema): ApolloServerPlugin<RequestContext> {
  const documents = createLruCache<KnownDocument>(MAX_DOCUMENTS);
  const checkLimits = (text: string, known: KnownDocument | undefined, variables?: Record<string, unknown>) => {
    if (known?.guardResult) return known.guardResult;
    const result = guard(text, schema, variables, GUARD_LIMITS, known?.document);
    if (known && result.constant) known.guardResult = result;
    return result;
  };
  return {
    async requestDidStart() {
      let result: GuardResult = {};
      return {
        async didResolveSource(request) {
          const known = documents.find(request.source);
          result = checkLimits(request.source, known, request.request.variables);
          const document = result.exceeded ? PLACEHOLDER : known?.document;
          if (document) Object.assign(request, { document });
        },
        async didResolveOperation({ request, source, document, operation, contextValue }) {
          if (result.exceeded) throw limitExceeded(result.exceeded);
          if (operation) rejectInapplicableHeaders(operation, contextValue, request.http?.headers.get('if-none-match'));
          documents.get(source, () => ({ document }));
        },
        async willSendResponse({ response: { body } }) {
          if (result.cost === undefined || body.kind !== 'single') return;
          const cost = { found: finiteOrNull(result.cost), allowed: GUARD_LIMITS.cost };
          body.singleResult.extensions = { ...body.singleResult.extensions, cost };
        },
      };
    },
  };
}

// An idempotency key or a tag applies to one write. Headers that do not apply are rejected instead of ignored, as in
// REST.
function rejectInapplicableHeaders(
  { operation, selectionSet: { selections } }: OperationDefinitionNode,
  { idempotency, ifMatch }: RequestContext,
  ifNoneMatch?: string,
): void {
  const isWrite = operation === OperationTypeNode.MUTATION;
  const isSingleWrite = isWrite && selections.length === 1 && selections[0]?.kind === Kind.FIELD;
  if (isWrite && ifNoneMatch !== undefined)
    throw badRequest('If-None-Match applies to reads only. Use If-Match for a conditional write.', [
      { path: '/If-None-Match', message: 'applies to reads only' },
    ]);
  if (!isSingleWrite && (ifMatch !== undefined || (isWrite && idempotency)))
    throw badRequest(
      'Idempotency-Key and If-Match apply to one write. Send an operation with a single mutation field.',
    );
}

function badRequest(message: string, errors?: { path: string; message: string }[]): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'validation_failed', errors, http: { status: 400 } } });
}

function limitExceeded({ limit, allowed, found }: ExceededLimit): GraphQLError {
  const shown = Number.isFinite(found) ? String(found) : 'infinitely many';
  return new GraphQLError(`${MEASURES[limit](shown)}; the maximum is ${allowed}.`, {
    extensions: { code: 'validation_failed', limit, allowed, found: finiteOrNull(found), http: { status: 400 } },
  });
}

const MEASURES: Record<ExceededLimit['limit'], (found: string) => string> = {
  bytes: (found) => `The query has ${found} bytes`,
  tokens: (found) => `The query has at least ${found} tokens`,
  depth: (found) => `The query is nested ${found} levels deep`,
  aliases: (found) => `The query has ${found} aliases`,
  rootFields: (found) => `The query has ${found} root fields`,
  fields: (found) => `The query has ${found} fields`,
  cost: (found) => `The query has a cost of ${found}`,
  introspectionLists: (found) => `The introspection query has ${found} nested lists`,
};

const finiteOrNull = (number: number): number | null => (Number.isFinite(number) ? number : null);
