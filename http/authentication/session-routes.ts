// /session: how a browser signs in with a token, asks who is signed in, and signs out. The token itself stays nowhere in the browser.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { mountBesideApi, requestIdIn } from '../beside-api.ts';
import { needOwnPage, type Settings, sessionSecretOf, setCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

export type SessionPorts = { sessions: Sessions; settings: Settings; log: Log };

/** Mounts POST, GET and DELETE /session; signing in and out is for pages of this service alone. */
export async function mountSessions(app: FastifyInstance, { sessions, settings, log }: SessionPorts): Promise<void> {
  const asked = (request: FastifyRequest) => ({
    requestId: requestIdIn(request),
    ip: request.ip,
    route: `${request.method} /session`,
  });

  await mountBesideApi(app, log, (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (request.method === 'POST' || request.method === 'DELETE') needOwnPage(request, settings);
    });

    scope.get('/session', async (request) => {
      const secret = sessionSecretOf(request, settings);
      return (secret !== null && (await sessions.who(secret))) || { user: null, expiresAt: null };
    });

    scope.post('/session', async (request, reply) => {
      setCookie(request, settings, '', 0); // refuses where there are no sessions, before anything is done
      const earlier = sessionSecretOf(request, settings);
      const { secret, seconds, signedIn, headers } = await sessions.start(
        tokenIn(request.body),
        earlier,
        asked(request),
      );
      reply.headers({ ...headers, 'set-cookie': setCookie(request, settings, secret, seconds) });
      return signedIn;
    });

    scope.delete('/session', async (request, reply) => {
      const secret = sessionSecretOf(request, settings);
      if (secret !== null) await sessions.end(secret, asked(request));
      reply.code(204).header('set-cookie', setCookie(request, settings, '', 0));
    });
  });
}

function tokenIn(body: unknown): string {
  const token = isObject(body) && typeof body.token === 'string' ? body.token.trim() : '';
  if (/^\S{1,8000}$/.test(token)) return token;
  return refuse('validation_failed', 'Send {"token": "pdm_…"}.', {
    errors: [{ path: '/token', message: 'must be a token' }],
  });
}
