// /session: how a browser signs in with a token, asks who is signed in, and signs out. The token itself stays nowhere in the browser.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { needOwnPage, type Settings, sessionSecretOf, setCookie } from '../gateway/session-cookie.ts';
import type { Sessions } from '../gateway/sessions.ts';
import { DomainError, refuse } from '../subgraphs/core/domain/errors.ts';
import type { Log } from '../subgraphs/core/log.ts';
import { pathOf, sendProblem } from './answer.ts';
import { isRecord } from './input-check.ts';
import { problem } from './problem.ts';
import { readJson } from './read-json.ts';
import { requestIdOf } from './request-id.ts';

export type SessionPorts = { sessions: Sessions; settings: Settings; log: Log };

/** Mounts POST, GET and DELETE /session; signing in and out is for pages of this service alone. */
export async function mountSessions(app: FastifyInstance, { sessions, settings, log }: SessionPorts): Promise<void> {
  const asked = (request: FastifyRequest) => ({ requestId: idOf(request), ip: request.ip, route: `${request.method} /session` });

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', (request: FastifyRequest) => readJson(request.raw));
    scope.setErrorHandler((error: FastifyError | Error, request, reply) => refused(error, request, reply, log));
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-request-id': idOf(request) });
      if (request.method === 'POST' || request.method === 'DELETE') needOwnPage(request, settings);
    });

    scope.get('/session', async (request) => {
      const secret = sessionSecretOf(request, settings);
      return (secret !== null && (await sessions.who(secret))) || { user: null, expiresAt: null };
    });

    scope.post('/session', async (request, reply) => {
      setCookie(request, settings, '', 0); // refuses where there are no sessions, before anything is done
      const earlier = sessionSecretOf(request, settings);
      const { secret, seconds, signedIn, headers } = await sessions.start(tokenIn(request.body), earlier, asked(request));
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
  const token = isRecord(body) && typeof body.token === 'string' ? body.token.trim() : '';
  if (/^\S{1,8000}$/.test(token)) return token;
  return refuse('validation_failed', 'Send {"token": "pdm_…"}.', { errors: [{ path: '/token', message: 'must be a token' }] });
}

const ids = new WeakMap<FastifyRequest, string>();

// one id from beginning to end: it stands in the answer, in the log and in the audit record
function idOf(request: FastifyRequest): string {
  const id = ids.get(request) ?? requestIdOf(request.headers['x-request-id']);
  ids.set(request, id);
  return id;
}

function refused(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const at = { instance: pathOf(request), requestId: idOf(request) };
  if (error instanceof DomainError) return sendProblem(reply, problem(error.code, error.message, at, error.details));
  if ('code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return sendProblem(reply, problem('unsupported_media_type', 'This address takes a body of the type application/json.', at));
  log.error({ err: error, requestId: at.requestId }, 'a request about a session failed');
  return sendProblem(reply, problem('internal', `Something went wrong; the log has it under ${at.requestId}.`, at));
}
