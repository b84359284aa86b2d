import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { readJson } from './request/read-json.ts';
import { requestIdOf } from './request/request-id.ts';
import { compressed } from './response/compressed.ts';
import { problem } from './response/problem.ts';
import { pathOf, sendProblem } from './response/send.ts';

/** Mounts routes that stand beside /api/v1 and speak as it does: JSON in and out, problems, an id for each request. Nothing of theirs is cached. */
export async function mountBesideApi(
  app: FastifyInstance,
  log: Log,
  mount: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', (request: FastifyRequest) => readJson(request.raw));
    scope.setErrorHandler((error: FastifyError | Error, request, reply) => refused(error, request, reply, log));
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestIdIn(request),
      });
    });
    scope.addHook('onSend', compressed);
    mount(scope);
  });
}

const ids = new WeakMap<FastifyRequest, string>();

/** The id of a request, one from beginning to end: it stands in the answer, in the log and in the audit record. */
export function requestIdIn(request: FastifyRequest): string {
  const id = ids.get(request) ?? requestIdOf(request.headers['x-request-id']);
  ids.set(request, id);
  return id;
}

function refused(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const at = { instance: pathOf(request), requestId: requestIdIn(request) };
  if (error instanceof DomainError) return sendProblem(reply, problem(error.code, error.message, at, error.details));
  if ('code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return sendProblem(
      reply,
      problem('unsupported_media_type', 'This address takes a body of the type application/json.', at),
    );
  log.error({ err: error, requestId: at.requestId, method: request.method, path: at.instance }, 'a request failed');
  return sendProblem(reply, problem('internal', `Something went wrong; the log has it under ${at.requestId}.`, at));
}
