// Mounts JSON routes outside of /api/v1, e.g. /session and /scheduler/status.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { readJson } from './request/read-json.ts';
import { requestIdFromHeader } from './request/request-id.ts';
import { compress } from './response/compress.ts';
import { createProblem, internalErrorMessage } from './response/problem.ts';
import { pathOf, sendProblem } from './response/send.ts';

/**
 * Mounts routes that behave like /api/v1: JSON bodies, problem responses, request ids. Their responses are not cached.
 */
export async function mountJsonRoutes(
  app: FastifyInstance,
  log: Log,
  mount: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', (request: FastifyRequest) => readJson(request.raw));
    scope.setErrorHandler((error: FastifyError | Error, request, reply) => sendError(error, request, reply, log));
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestIdOf(request),
      });
    });
    scope.addHook('onSend', compress);
    mount(scope);
  });
}

const requestIds = new WeakMap<FastifyRequest, string>();

/** Returns the id of a request, the same on every call. The response, the log and the audit records contain it. */
export function requestIdOf(request: FastifyRequest): string {
  const id = requestIds.get(request) ?? requestIdFromHeader(request.headers['x-request-id']);
  requestIds.set(request, id);
  return id;
}

function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const at = { instance: pathOf(request), requestId: requestIdOf(request) };
  if (error instanceof DomainError)
    return sendProblem(reply, createProblem(error.code, error.message, at, error.details));
  if ('code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return sendProblem(reply, createProblem('unsupported_media_type', 'Send a body of type application/json.', at));
  log.error({ err: error, requestId: at.requestId, method: request.method, path: at.instance }, 'request failed');
  return sendProblem(reply, createProblem('internal', internalErrorMessage(at.requestId), at));
}
