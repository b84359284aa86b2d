// /session: signs a browser in with a token, returns its user and signs it out. The browser never stores the token.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { mountJsonRoutes, requestIdOf } from '../json-routes.ts';
import { assertOwnPage, readSessionSecret, type SessionSettings, sessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

export type SessionPorts = { sessions: Sessions; settings: SessionSettings; log: Log };

/** Mounts POST, GET and DELETE /session. Sign-in and sign-out accept requests from pages of this service only. */
export async function mountSessions(app: FastifyInstance, { sessions, settings, log }: SessionPorts): Promise<void> {
  const requestInfo = (request: FastifyRequest) => ({
    requestId: requestIdOf(request),
    ip: request.ip,
    route: `${request.method} /session`,
  });

  await mountJsonRoutes(app, log, (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (request.method === 'POST' || request.method === 'DELETE') assertOwnPage(request, settings);
    });

    scope.get('/session', async (request) => {
      const secret = readSessionSecret(request, settings);
      return (secret !== null && (await sessions.find(secret))) || { user: null, expiresAt: null };
    });

    scope.post('/session', async (request, reply) => {
      sessionCookie(request, settings, '', 0); // refuses plain HTTP before a session is created
      const previousSecret = readSessionSecret(request, settings);
      const token = parseToken(request.body);
      const { secret, seconds, info, headers } = await sessions.start(token, previousSecret, requestInfo(request));
      reply.headers({ ...headers, 'set-cookie': sessionCookie(request, settings, secret, seconds) });
      return info;
    });

    scope.delete('/session', async (request, reply) => {
      const secret = readSessionSecret(request, settings);
      if (secret !== null) await sessions.end(secret, requestInfo(request));
      reply.code(204).header('set-cookie', sessionCookie(request, settings, '', 0));
    });
  });
}

function parseToken(body: unknown): string {
  const token = isObject(body) && typeof body.token === 'string' ? body.token.trim() : '';
  if (/^\S{1,8000}$/.test(token)) return token;
  return refuse('validation_failed', 'Send a JSON body with a token: {"token": "pdm_…"}.', {
    errors: [{ path: '/token', message: 'must be a token' }],
  });
}
