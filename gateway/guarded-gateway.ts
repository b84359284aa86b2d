// Additions to Apollo Server's pipeline: public errors, the query guard and header checks.
import type { ApolloServerPlugin } from '@apollo/server';
import type { GatewayExecutor, GatewayInterface } from '@apollo/server-gateway-interface';
import {
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { publicError, toPublicError } from './errors.ts';
import type { ExceededLimit, GuardResult } from './guard.ts';
import { checkLimits, costExtension, type KnownDocuments } from './hot-operations.ts';

/**
 * Wraps a gateway: the errors of operations become public errors, and unexpected ones are logged with the request id.
 */
export function withPublicErrors(gateway: GatewayInterface, log: Log): GatewayInterface {
  const wrap = (executor: GatewayExecutor): GatewayExecutor => {
    return async (request) => {
      const edge = { log, requestId: (request.context as RequestContext).requestId };
      try {
        const { data, errors } = await executor(request);
        return errors?.length ? { data, errors: errors.map((error) => publicError(error, edge)) } : { data };
      } catch (error) {
        return { errors: [toPublicError(error, edge)] };
      }
    };
  };
  return {
    async load(options) {
      const { executor } = await gateway.load(options);
      return { executor: executor && wrap(executor) };
    },
    onSchemaLoadOrUpdate: (listener) => gateway.onSchemaLoadOrUpdate(listener),
    stop: () => gateway.stop(),
  };
}

const PLACEHOLDER = parse('{ __typename }');

/**
 * Runs the guard on every query before it is parsed and validated, also on persisted queries, and adds the cost to the
 * response `extensions`. Apollo Server responds 500 to errors thrown before parsing; a refused query is therefore
 * replaced with a placeholder document, and the error is thrown in the next hook. This requires Apollo's own document
 * store to be off; valid documents are cached in `documents`.
 */
export function guardPlugin(schema: GraphQLSchema, documents: KnownDocuments): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let result: GuardResult = {};
      return {
        async didResolveSource(request) {
          const known = documents.find(request.source) ?? {};
          result = checkLimits(known, request.source, schema, request.request.variables);
          const document = result.exceeded ? PLACEHOLDER : known.document;
          if (document) Object.assign(request, { document });
        },
        async didResolveOperation({ request, source, queryHash: hash, document, operation, contextValue }) {
          if (result.exceeded) throw limitExceeded(result.exceeded);
          if (operation) rejectInapplicableHeaders(operation, contextValue, request.http?.headers.get('if-none-match'));
          Object.assign(
            documents.get(source, () => ({})),
            { document, hash },
          );
        },
        async willSendResponse({ response: { body } }) {
          if (result.cost === undefined || body.kind !== 'single') return;
          body.singleResult.extensions = { ...body.singleResult.extensions, cost: costExtension(result.cost) };
        },
      };
    },
  };
}

// An idempotency key or a tag applies to one write. Headers that do not apply are refused instead of ignored, as in
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
  const shown = Number.isFinite(found) ? String(found) : 'infinite';
  return new GraphQLError(`The query exceeds a limit: ${limit} is ${shown}, the maximum is ${allowed}.`, {
    extensions: { code: 'validation_failed', limit, allowed, found: finiteOrNull(found), http: { status: 400 } },
  });
}

const finiteOrNull = (number: number): number | null => (Number.isFinite(number) ? number : null);
