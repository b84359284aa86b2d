// What goes past the pipeline of Apollo Server: an operation that it has parsed, validated and answered before. Its answer is the same to the byte; what is
// left out is what the pipeline does for plugins, batches, persisted queries and incremental delivery, several times the cost of a small operation.
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { publicError, publicErrorOf } from './errors.ts';
import type { Executor } from './executor/executor.ts';
import { isObject, type JsonObject } from './executor/merge.ts';
import { leastRecentlyUsed } from './executor/operation-cache.ts';
import { GUARD_LIMITS, guard, type Judgement } from './guard.ts';

/** A text that Apollo Server found to be a valid document, under the hash it has there. */
export type Admitted = { document?: DocumentNode; hash?: string; judgement?: Judgement };

/** The documents that are known to be valid, by their text. */
export type AdmittedTexts = ReturnType<typeof admittedTexts>;

const DOCUMENTS = 500;
export const admittedTexts = () => leastRecentlyUsed<Admitted>(DOCUMENTS);

/** What the guard says of an admitted text; what does not depend on variables is said once. */
export function judged(
  admitted: Admitted,
  text: string,
  schema: GraphQLSchema,
  variables: JsonObject | undefined,
): Judgement {
  if (admitted.judgement) return admitted.judgement;
  const judgement = guard(text, schema, variables, GUARD_LIMITS, admitted.document);
  if (admitted.document && judgement.constant) admitted.judgement = judgement;
  return judgement;
}

/** What the answer tells of its cost. */
export const costOf = (cost: number) => ({ found: Number.isFinite(cost) ? cost : null, allowed: GUARD_LIMITS.cost });

export type HotRequest = { body: unknown; headers: Readonly<Record<string, string | string[] | undefined>> };
export type HotAnswer = { status: number; type: string; body: string };

export type HotOperations = {
  /** Runs what is hot; null for what is Apollo Server's to answer. */
  answer(request: HotRequest, context: RequestContext): Promise<HotAnswer> | null;
  /** Notes as which type Apollo Server answered a client that accepts this. */
  noteType(accept: string | undefined, type: string): void;
};

type Options = { schema: GraphQLSchema; direct: NonNullable<Executor['direct']>; admitted: AdmittedTexts; log: Log };

const ACCEPTED = 100;
const FIELDS = new Set(['query', 'variables', 'operationName']);
const CONDITIONS = ['idempotency-key', 'if-match', 'if-none-match'];

/**
 * Makes the short way. It takes what was sent as JSON with nothing but a query, its variables and the name of an operation, by a client whose Accept
 * has been answered before, when the guard lets it pass and it asks for no more than to run: no key against repetition, no tag to hold to, no long wait.
 */
export function hotOperations({ schema, direct, admitted, log }: Options): HotOperations {
  const types = leastRecentlyUsed<{ type?: string }>(ACCEPTED);

  const run = async (
    asked: Parameters<typeof direct>[0],
    context: RequestContext,
    cost: number | undefined,
    type: string,
  ): Promise<HotAnswer> => {
    const edge = { log, requestId: context.requestId };
    const { data, errors } = await direct(asked, context).catch((error: unknown) => ({
      data: undefined,
      errors: [publicErrorOf(error, edge)],
    }));
    const shown = errors?.length ? errors.map((error) => publicError(error, edge).toJSON()) : undefined;
    const extensions = cost === undefined ? undefined : { cost: costOf(cost) };
    return {
      status: shown && data === undefined ? 400 : 200,
      type,
      body: `${JSON.stringify({ errors: shown, data, extensions })}\n`,
    };
  };

  return {
    answer({ body, headers }, context) {
      if (
        !isObject(body) ||
        Array.isArray(body) ||
        context.once ||
        CONDITIONS.some((name) => headers[name] !== undefined)
      )
        return null;
      for (const field of Object.keys(body)) if (!FIELDS.has(field)) return null;
      const { query, variables, operationName } = body;
      if (
        typeof query !== 'string' ||
        !fits(variables) ||
        !(operationName == null || (typeof operationName === 'string' && operationName))
      )
        return null;
      const known = admitted.find(query);
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
      const { exceeded, cost } = judged(known, query, schema, variables ?? undefined);
      if (exceeded) return null;
      return run(
        { document: known.document, queryHash: known.hash, operationName: name, variables: variables ?? undefined },
        context,
        cost,
        type,
      );
    },
    noteType(accept, type) {
      types.get(accept ?? '', () => ({})).type = type;
    },
  };
}

/** An operation that waits for something; it counts as what goes on for long. */
export const isLongPoll = (text: string): boolean => /\bwaitSeconds\b/.test(text);

const fits = (variables: unknown): variables is JsonObject | null | undefined =>
  variables == null || (isObject(variables) && !Array.isArray(variables));
