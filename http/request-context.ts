// The context of a request: its id, its log, its user and the signal of its client.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { watchClient } from './client-disconnect.ts';

/** The request's id, its log, and its user once authenticated. */
export type Caller = { requestId: string; log: Log; actor: Actor | null };

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/**
 * Creates the context in which operations of a request run. Its signal aborts if the client disconnects before the
 * response is complete.
 */
export function createRequestContext(
  { caller, method, url, routeOptions, ip }: FastifyRequest,
  reply: FastifyReply,
): RequestContext {
  if (!caller.actor) throw new Error(`${url} runs an operation before authentication`);
  const { actor, requestId } = caller;
  const client = watchClient(reply.raw);
  return {
    actor,
    requestId,
    ip,
    route: `${method} ${routeOptions.url}`,
    isAborted: client.isAborted,
    get signal() {
      return client.signal;
    },
  };
}
