// Sends JSON and problem+json responses with the headers that belong to them.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { checkPreconditions, etagOf } from './etag.ts';
import { PROBLEM_TYPE, type Problem } from './problem.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends JSON. A GET gets an ETag, and 304 if the client's copy is current. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, value: unknown, type = JSON_TYPE): FastifyReply {
  return sendText(request, reply, JSON.stringify(value), { type });
}

/** `editablePart`: the part of the body that identifies the record for `If-Match`; default: the whole body. */
type SendOptions = { type?: string; editablePart?: string };

/** Sends a text as JSON (or another type) with its ETag; 304 when the client already has it. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  { type = JSON_TYPE, editablePart }: SendOptions,
): FastifyReply {
  if (request.method === 'GET' || request.method === 'HEAD') {
    const etag = etagOf(body, editablePart);
    reply.headers({ etag, 'cache-control': 'private, no-cache' });
    if (checkPreconditions(request.headers, etag)) return reply.code(304).send();
  }
  return reply.type(type).send(body);
}

/** Sends a problem. Removes headers of the response that it replaces. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  for (const name of RESPONSE_HEADERS) reply.removeHeader(name);
  for (const [name, value] of Object.entries(headersOf(problem))) reply.header(name, value);
  // Sent as bytes: Fastify would add a charset to text, which this media type does not define.
  return reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .send(Buffer.from(JSON.stringify(problem)));
}

const RESPONSE_HEADERS = [
  'etag',
  'content-length',
  'location',
  'link',
  'cache-control',
  'accept-ranges',
  'content-disposition',
  'content-security-policy',
  'content-range',
];

/** Returns the path of a request without its query. */
export function pathOf({ url }: { url: string }): string {
  return url.split('?', 1)[0] ?? url;
}

const RETRY_SECONDS: Partial<Record<ErrorCode, number>> = { rate_limited: 1, unavailable: 2 };

function headersOf({ code, allow, retryAfter, size, etag }: Problem): Record<string, string> {
  const seconds = typeof retryAfter === 'number' ? retryAfter : RETRY_SECONDS[code];
  return {
    ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="pdm"' } : {}),
    ...(code === 'range_not_satisfiable' ? { 'content-range': `bytes */${size}` } : {}),
    ...(code === 'precondition_failed' && typeof etag === 'string' ? { etag } : {}),
    ...(Array.isArray(allow) ? { allow: allow.join(', ') } : {}),
    ...(seconds ? { 'retry-after': String(seconds) } : {}),
  };
}
