import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, sendProblem } from './answer.ts';
import { problem } from './problem.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Answers an address that no router can read: one that cannot be decoded, or with an endless part. There is nothing at it: 404.
 * For the server's `frameworkErrors`, since no route is involved.
 */
export function answerUnroutable(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  sendNotFound(request, reply, 'There is nothing at this address.');
}

/** Answers an address at which nothing was mounted, outside of /api/v1. */
export function answerElsewhere(request: FastifyRequest, reply: FastifyReply): void {
  sendNotFound(request, reply, `There is nothing at ${pathOf(request)}. The start page is at /, REST below /api/v1, GraphQL at /graphql.`);
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply, detail: string): void {
  const requestId = requestIdOf(request.headers['x-request-id']);
  reply.headers({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' });
  sendProblem(reply, problem('not_found', detail, { instance: pathOf(request), requestId }));
}
