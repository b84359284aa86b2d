import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { requestIdOf } from '../request/request-id.ts';
import { problem } from './problem.ts';
import { pathOf, sendProblem } from './send.ts';

/**
 * Answers an address that no router can read: one that cannot be decoded, or with an endless part. There is nothing at it: 404.
 * For the server's `frameworkErrors`, since no route is involved.
 */
export function answerUnroutable(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  sendNotFound(request, reply, 'There is nothing at this address.');
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Answers what was not mounted, outside of /api/v1: an address with another method (405, and OPTIONS, also of `*`, the service as a whole), or one at which there is nothing. */
export function answerElsewhere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request);
  if (path === '*' && request.method === 'OPTIONS') return sendMethods(request, reply, [...METHODS, 'OPTIONS']);
  const allow = METHODS.filter((method) => request.server.hasRoute({ method, url: path }));
  if (allow.length) return sendMethods(request, reply, [...allow, 'OPTIONS']);
  return sendNotFound(
    request,
    reply,
    `There is nothing at ${path}. The start page is at /, REST below /api/v1, GraphQL at /graphql.`,
  );
}

/** Answers a request that names no host, or one that is not this service's: then somebody else was meant, or a page was made to ask. */
export function answerStranger(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { host } = request;
  return host
    ? sendRefusal(
        request,
        reply,
        'unknown_host',
        `This service does not answer to the name ${JSON.stringify(host)}. Set PDM_PUBLIC_URL to the address people use.`,
      )
    : sendRefusal(
        request,
        reply,
        'validation_failed',
        'The request does not say which host it is for. Send the header Host.',
      );
}

function sendMethods(request: FastifyRequest, reply: FastifyReply, allow: readonly string[]): FastifyReply {
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow.join(', ')).send();
  return sendRefusal(
    request,
    reply,
    'method_not_allowed',
    `${pathOf(request)} takes ${allow.join(', ')}, not ${request.method}.`,
    { allow },
  );
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply, detail: string): FastifyReply {
  return sendRefusal(request, reply, 'not_found', detail);
}

function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  detail: string,
  data?: Record<string, unknown>,
): FastifyReply {
  const requestId = requestIdOf(request.headers['x-request-id']);
  reply.headers({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' });
  return sendProblem(reply, problem(code, detail, { instance: pathOf(request), requestId }, data));
}
