// Runs operations that Apollo Server has parsed, validated and run before without its pipeline, which costs several
// times as much as a small operation (plugins, batches, persisted queries, incremental delivery). The responses are
// identical, byte for byte.
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { publicError, toPublicError } from './errors.ts';
import type { Executor } from './executor/executor.ts';
import { isObject, type JsonObject } from './executor/merge.ts';
import { lruCache } from './executor/operation-cache.ts';
import { GUARD_LIMITS, type GuardResult, guard } from './guard.ts';

/**
 * A document that Apollo Server found valid, its hash there, and its guard result if that is independent of variables.
 */
export type KnownDocument = { document?: DocumentNode; hash?: string; guardResult?: GuardResult };

/** Valid documents by their text. */
export type KnownDocuments = ReturnType<typeof createKnownDocuments>;

const MAX_DOCUMENTS = 500;
export const createKnownDocuments = () => lruCache<KnownDocument>(MAX_DOCUMENTS);

/** Runs the guard on a query. Caches a result that is independent of variables. */
export function checkLimits(
  known: KnownDocument,
  text: string,
  schema: GraphQLSchema,
  variables: JsonObject | undefined,
): GuardResult {
  if (known.guardResult) return known.guardResult;
  const result = guard(text, schema, variables, GUARD_LIMITS, known.document);
  if (known.document && result.constant) known.guardResult = result;
  return result;
}

/** Returns the cost of a query as shown in the response extensions. */
export const costExtension = (cost: number) => ({
  found: Number.isFinite(cost) ? cost : null,
  allowed: GUARD_LIMITS.cost,
});

export type FastPathRequest = { body: unknown; headers: Readonly<Record<string, string | string[] | undefined>> };
export type HotResponse = { status: number; type: string; body: string };

export type FastPath = {
  /** Runs a known operation; null if Apollo Server must handle the request. */
  tryRun(request: FastPathRequest, context: RequestContext): Promise<HotResponse> | null;
  /** Records the content type with which Apollo Server responds to this Accept header. */
  recordType(accept: string | undefined, type: string): void;
};

type Options = {
  schema: GraphQLSchema;
  runDocument: NonNullable<Executor['runDocument']>;
  documents: KnownDocuments;
  log: Log;
};

const MAX_ACCEPT_HEADERS = 100;
const BODY_FIELDS = new Set(['query', 'variables', 'operationName']);
const CONDITIONAL_HEADERS = ['idempotency-key', 'if-match', 'if-none-match'];

/**
 * Creates the fast path. It accepts JSON bodies with only a query, variables and an operation name, from clients whose
 * Accept header is known, within the guard's limits, without idempotency key or conditional headers, and no long polls.
 */
export function createHotOperations({ schema, runDocument, documents, log }: Options): FastPath {
  const types = lruCache<{ type?: string }>(MAX_ACCEPT_HEADERS);

  const run = async (
    input: Parameters<typeof runDocument>[0],
    context: RequestContext,
    cost: number | undefined,
    type: string,
  ): Promise<HotResponse> => {
    const edge = { log, requestId: context.requestId };
    const { data, errors } = await runDocument(input, context).catch((error: unknown) => ({
      data: undefined,
      errors: [toPublicError(error, edge)],
    }));
    const publicErrors = errors?.length ? errors.map((error) => publicError(error, edge).toJSON()) : undefined;
    const extensions = cost === undefined ? undefined : { cost: costExtension(cost) };
    return {
      status: publicErrors && data === undefined ? 400 : 200,
      type,
      body: `${JSON.stringify({ errors: publicErrors, data, extensions })}\n`,
    };
  };

  return {
    tryRun({ body, headers }, context) {
      if (
        !isObject(body) ||
        Array.isArray(body) ||
        context.idempotency ||
        CONDITIONAL_HEADERS.some((name) => headers[name] !== undefined)
      )
        return null;
      for (const field of Object.keys(body)) if (!BODY_FIELDS.has(field)) return null;
      const { query, variables, operationName } = body;
      if (
        typeof query !== 'string' ||
        !isVariables(variables) ||
        !(operationName == null || (typeof operationName === 'string' && operationName))
      )
        return null;
      const known = documents.find(query);
      const type = types.find(headers.accept ? String(headers.accept) : '')?.type;
      if (
        !known?.document ||
        !known.hash ||
        !type ||
        !/^application\/json\b/i.test(String(headers['content-type'])) ||
        isLongPoll(query)
      )
        return null;
      const name = operationName == null ? undefined : String(operationName);
      if (!getOperationAST(known.document, name)) return null;
      const { exceeded, cost } = checkLimits(known, query, schema, variables ?? undefined);
      if (exceeded) return null;
      return run(
        { document: known.document, queryHash: known.hash, operationName: name, variables: variables ?? undefined },
        context,
        cost,
        type,
      );
    },
    recordType(accept, type) {
      types.get(accept ?? '', () => ({})).type = type;
    },
  };
}

/** Whether an operation waits for something. It counts as a long request. */
export const isLongPoll = (text: string): boolean => /\bwaitSeconds\b/.test(text);

const isVariables = (variables: unknown): variables is JsonObject | null | undefined =>
  variables == null || (isObject(variables) && !Array.isArray(variables));
