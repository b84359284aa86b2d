// Cross-origin requests (CORS) from the web pages of configured origins.
import type { FastifyInstance } from 'fastify';
import { vary } from './response/compress.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Range',
  'Last-Event-ID',
  'X-File-Name',
  'X-Request-Id',
  'Apollo-Require-Preflight',
  'X-Apollo-Operation-Name',
  'Apollographql-Client-Name',
  'Apollographql-Client-Version',
].join(', ');
const RESPONSE_HEADERS = [
  'ETag',
  'Location',
  'Link',
  'Allow',
  'Retry-After',
  'Content-Disposition',
  'Content-Range',
  'X-Request-Id',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
].join(', ');

/**
 * Allows web pages of these origins (`*`: any) to send requests. They must send a token: no cookies are allowed,
 * because browser sessions are for the service's own pages. Null allows no other origin.
 */
export function mountCors(app: FastifyInstance, origins: readonly string[] | null): void {
  if (!origins) return;
  const any = origins.includes('*');
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    if (!any) vary(reply, 'origin');
    const { origin } = headers;
    if (!origin || !(any || origins.includes(origin))) return;
    reply.headers({
      'access-control-allow-origin': any ? '*' : origin,
      'access-control-expose-headers': RESPONSE_HEADERS,
    });
    if (method !== 'OPTIONS' || !headers['access-control-request-method']) return;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': '600',
      })
      .send();
  });
}
