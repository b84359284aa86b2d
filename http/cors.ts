import type { FastifyInstance } from 'fastify';
import { vary } from './response/compressed.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const TAKEN = [
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
].join(', ');
const SHOWN = [
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
 * Lets pages of these origins (`*`: of any) ask the service from a browser. Such a page brings a token: browser sessions are for the
 * service's own pages, and no cookie is let along. Without origins no page but the service's own can.
 */
export function mountCors(app: FastifyInstance, origins: readonly string[] | null): void {
  if (!origins) return;
  const any = origins.includes('*');
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    if (!any) vary(reply, 'origin');
    const { origin } = headers;
    if (!origin || !(any || origins.includes(origin))) return;
    reply.headers({ 'access-control-allow-origin': any ? '*' : origin, 'access-control-expose-headers': SHOWN });
    if (method !== 'OPTIONS' || !headers['access-control-request-method']) return;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': TAKEN,
        'access-control-max-age': '600',
      })
      .send();
  });
}
