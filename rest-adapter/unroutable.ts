import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, sendProblem } from './answer.ts';
import { problem } from './problem.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Answers an address that no router can read: one that cannot be decoded, or with an endless part. There is nothing at it: 404.
 * For the server's `frameworkErrors`, since no route is involved.
 */
export function answerUnroutable(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = requestIdOf(request.headers['x-request-id']);
  const at = { instance: pathOf(request), requestId };
  reply.headers({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' });
  sendProblem(reply, problem('not_found', 'There is nothing at this address.', at));
}
