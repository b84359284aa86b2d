// Responses to requests that match no route or no host.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { requestIdFromHeader } from '../request/request-id.ts';
import { createProblem } from './problem.ts';
import { pathOf, sendProblem } from './send.ts';

/**
 * Responds 404 to a path that the router cannot parse: one that cannot be decoded, or has an overlong segment. For the
 * server's `frameworkErrors`, since no route is involved.
 */
export function sendUnroutable(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  sendNotFound(request, reply, 'There is nothing at this address.');
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Responds to requests outside of /api/v1 that match no route: 405 if the path has other methods, 204 to OPTIONS, else
 * 404.
 */
export function sendUnmatched(request: FastifyRequest, reply: FastifyReply): FastifyReply {
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

/** Responds to a request without a host, or for one that is not this service's. */
export function sendUnknownHost(request: FastifyRequest, reply: FastifyReply, host = request.host): FastifyReply {
  if (!host) return sendProblemFor(request, reply, 'validation_failed', 'Send the header Host.');
  const detail = `This service does not serve the host ${JSON.stringify(host)}. Set PDM_PUBLIC_URL to the address that users open.`;
  return sendProblemFor(request, reply, 'unknown_host', detail);
}

function sendMethods(request: FastifyRequest, reply: FastifyReply, allow: readonly string[]): FastifyReply {
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow.join(', ')).send();
  const detail = `${pathOf(request)} supports ${allow.join(', ')}, not ${request.method}.`;
  return sendProblemFor(request, reply, 'method_not_allowed', detail, { allow });
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply, detail: string): FastifyReply {
  return sendProblemFor(request, reply, 'not_found', detail);
}

function sendProblemFor(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  detail: string,
  data?: Record<string, unknown>,
): FastifyReply {
  const requestId = requestIdFromHeader(request.headers['x-request-id']);
  reply.headers({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' });
  return sendProblem(reply, createProblem(code, detail, { instance: pathOf(request), requestId }, data));
}
