// What Apollo Server gets: the executor with its errors made fit to leave, and the guard as its first hook.
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
import { publicError, publicErrorOf } from './errors.ts';
import type { Exceeded, Judgement } from './guard.ts';
import { type AdmittedTexts, costOf, judged } from './hot-operations.ts';

/** The same gateway; each error of an operation is cleaned and logged under the id of its request. */
export function cleaned(gateway: GatewayInterface, log: Log): GatewayInterface {
  const clean = (executor: GatewayExecutor): GatewayExecutor => {
    return async (request) => {
      const edge = { log, requestId: (request.context as RequestContext).requestId };
      try {
        const { data, errors } = await executor(request);
        return errors?.length ? { data, errors: errors.map((error) => publicError(error, edge)) } : { data };
      } catch (error) {
        return { errors: [publicErrorOf(error, edge)] };
      }
    };
  };
  return {
    async load(options) {
      const { executor } = await gateway.load(options);
      return { executor: executor && clean(executor) };
    },
    onSchemaLoadOrUpdate: (tell) => gateway.onSchemaLoadOrUpdate(tell),
    stop: () => gateway.stop(),
  };
}

const REFUSED = parse('{ __typename }');

/**
 * Runs the guard on every query before it is parsed and validated, also when only its hash was sent, and tells in the answer's `extensions`
 * what the query costs. Apollo Server answers what is thrown there with 500 and no text, so a query that is refused gets a harmless document
 * in its place and the refusal at the next hook. For this its own store of documents is off; texts that are known to be valid are `admitted`.
 */
export function guardPlugin(schema: GraphQLSchema, admitted: AdmittedTexts): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let judgement: Judgement = {};
      return {
        async didResolveSource(request) {
          const known = admitted.find(request.source) ?? {};
          judgement = judged(known, request.source, schema, request.request.variables);
          const document = judgement.exceeded ? REFUSED : known.document;
          if (document) Object.assign(request, { document });
        },
        async didResolveOperation({ request, source, queryHash: hash, document, operation, contextValue }) {
          if (judgement.exceeded) throw tooCostly(judgement.exceeded);
          if (operation) refuseHeaders(operation, contextValue, request.http?.headers.get('if-none-match'));
          Object.assign(
            admitted.get(source, () => ({})),
            { document, hash },
          );
        },
        async willSendResponse({ response: { body } }) {
          if (judgement.cost === undefined || body.kind !== 'single') return;
          body.singleResult.extensions = { ...body.singleResult.extensions, cost: costOf(judgement.cost) };
        },
      };
    },
  };
}

// Under one key, and with one tag, there can be one write. What would be passed over is refused, as in REST.
function refuseHeaders(
  { operation, selectionSet: { selections } }: OperationDefinitionNode,
  { once, ifMatch }: RequestContext,
  ifNoneMatch?: string,
): void {
  const writes = operation === OperationTypeNode.MUTATION;
  const one = writes && selections.length === 1 && selections[0]?.kind === Kind.FIELD;
  if (writes && ifNoneMatch !== undefined)
    throw badRequest('If-None-Match is for reading. A write that must not overwrite takes If-Match.', [
      { path: '/If-None-Match', message: 'is for reading' },
    ]);
  if (!one && (ifMatch !== undefined || (writes && once)))
    throw badRequest(
      'An Idempotency-Key or If-Match is for one write: send an operation with a single mutation field.',
    );
}

function badRequest(message: string, errors?: { path: string; message: string }[]): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'validation_failed', errors, http: { status: 400 } } });
}

function tooCostly({ limit, allowed, found }: Exceeded): GraphQLError {
  const shown = Number.isFinite(found) ? String(found) : 'without end';
  return new GraphQLError(`The query is too large: its ${limit} is ${shown}, allowed is ${allowed}.`, {
    extensions: { code: 'validation_failed', limit, allowed, found: finite(found), http: { status: 400 } },
  });
}

const finite = (number: number): number | null => (Number.isFinite(number) ? number : null);
