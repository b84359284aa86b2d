import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { clientOf } from './client-of.ts';

/** What is known of a request from its beginning: the id it is logged under, the log that says so, and, once it is known, who asks. */
export type Caller = { requestId: string; log: Log; actor: Actor | null };

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** The context an operation runs in; its signal aborts when the client leaves before it has its answer. */
export function contextOf(
  { caller, method, url, routeOptions, ip }: FastifyRequest,
  reply: FastifyReply,
): RequestContext {
  if (!caller.actor) throw new Error(`${url} runs an operation without knowing who asks`);
  const { actor, requestId } = caller;
  const client = clientOf(reply.raw);
  return {
    ...{ actor, requestId, ip, route: `${method} ${routeOptions.url}`, hasLeft: client.hasLeft },
    get signal() {
      return client.signal;
    },
  };
}
