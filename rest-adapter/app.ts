// The REST face of the service: everything below /api/v1 is mounted here.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type InFlight, type Lasting, untilAnswered } from '../http/in-flight.ts';
import { refuseCoded } from '../http/request/coded-body.ts';
import { readJson } from '../http/request/read-json.ts';
import { refuseRepeated } from '../http/request/repeated-headers.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { answerThenDrain, hasUnreadBody } from '../http/request/unread-body.ts';
import { answerConnect, answerUnreadable } from '../http/response/client-error.ts';
import { compressed } from '../http/response/compressed.ts';
import { type Problem, problem } from '../http/response/problem.ts';
import { pathOf, sendJson, sendProblem } from '../http/response/send.ts';
import { answerElsewhere } from '../http/response/unroutable.ts';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { assertAbility } from '../subgraphs/core/domain/access/permissions.ts';
import { ASM_JSON_SCHEMA } from '../subgraphs/core/domain/assembly/asm-json-schema.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { allowedMethods } from './allowed-methods.ts';
import { type EventTail, mountEventStream } from './event-stream.ts';
import { type Health, healthReport } from './health.ts';
import { mountRoutes } from './mount-routes.ts';
import { openApi } from './openapi/openapi.ts';
import { ROUTES } from './routes.ts';
import { mountSigned, type SignedPorts } from './signed-content.ts';

const PREFIX = '/api/v1';

export type RestPorts = SignedPorts & {
  /** Who asks. Refuses with `unauthenticated`. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Counts what somebody asks; answers with the headers that tell what is left. Refuses with `rate_limited`. */
  admit(actor: Actor): Record<string, string>;
  /** What goes on at once. Refuses with `unavailable` and `rate_limited`. */
  inFlight: InFlight;
  health(): Promise<Health>;
  events: EventTail;
  log: Log;
  version: string;
};

/**
 * Mounts the REST routes of the specification below /api/v1 of a server, and makes the server answer what is no HTTP with a problem.
 * The server's own limits are the caller's: no request timeout (a claim waits up to 50 s, an upload takes its time), headers within
 * 5 s and at most 16 KiB of them.
 */
export async function mountRest(app: FastifyInstance, ports: RestPorts): Promise<void> {
  app.server.removeAllListeners('clientError').on('clientError', answerUnreadable).on('connect', answerConnect);
  app.setNotFoundHandler(answerElsewhere);
  await app.register(async (rest) => mountBelow(rest, ports), { prefix: PREFIX });
}

async function mountBelow(rest: FastifyInstance, ports: RestPorts): Promise<void> {
  const routes = ROUTES.flatMap(({ routes }) => routes);
  rest.removeAllContentTypeParsers();
  rest.addContentTypeParser('application/json', (request: FastifyRequest) => readJson(request.raw));
  rest.decorateRequest('caller');
  rest.setErrorHandler((error: FastifyError | Error, request, reply) => sendProblem(reply, asProblem(error, request)));
  rest.setNotFoundHandler((request) => {
    throw noRoute(request);
  });

  rest.addHook('onRequest', async (request, reply) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    request.caller = { requestId, log: ports.log.child({ requestId }), actor: null };
    reply.headers({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' });
    if (request.is404 && request.method === 'OPTIONS') return sendMethods(request, reply);
    if (request.is404) throw noRoute(request);
    refuseCoded(request.raw);
    const { open, lasts } = request.routeOptions.config;
    if (!lasts) untilAnswered(reply.raw, ports.inFlight.enter());
    if (open) return;
    const actor = await ports.authenticate(request);
    request.caller.actor = actor;
    reply.headers(ports.admit(actor));
    refuseRepeated(request.raw);
    if (lasts && lasts !== 'watch') untilAnswered(reply.raw, ports.inFlight.hold(lasts, actor));
  });
  rest.addHook('onSend', (request, reply, payload, done) => {
    if (!hasUnreadBody(request.raw)) return done(null, payload);
    reply.header('connection', 'close');
    if (!Buffer.isBuffer(payload)) return done(null, payload);
    reply.header('content-length', payload.length);
    return done(null, answerThenDrain(payload, request.raw));
  });
  rest.addHook('onSend', compressed);
  rest.addHook('onResponse', (request, reply, done) => {
    logged(request, reply);
    done();
  });

  mountService(rest, ports);
  mountSigned(rest, ports);
  mountEventStream(rest, { events: ports.events, identify: ports.authenticate });
  await mountRoutes(rest, routes, ports);
}

/** The routes that tell of the service itself. */
function mountService(rest: FastifyInstance, { health, schema, version }: RestPorts): void {
  const own = { method: ['GET', 'HEAD'], exposeHeadRoute: false };
  rest.route({
    ...own,
    url: '/health',
    config: { open: true, lasts: 'watch' },
    handler: async (_request, reply) => {
      const report = healthReport(await health(), version);
      return reply
        .code(report.status === 'ok' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(report);
    },
  });
  let description: unknown;
  rest.route({
    ...own,
    url: '/openapi.json',
    handler: async (request, reply) => {
      const { actor } = request.caller;
      if (actor && actor.role !== 'system') assertAbility({ role: actor.role }, 'read');
      description ??= openApi(ROUTES, schema, version);
      return sendJson(request, reply, description);
    },
  });
  rest.route({
    ...own,
    url: '/schemas/asm.json',
    handler: async (request, reply) => {
      const { actor } = request.caller;
      if (actor && actor.role !== 'system') assertAbility({ role: actor.role }, 'read');
      return sendJson(request, reply, ASM_JSON_SCHEMA, 'application/schema+json');
    },
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers without credentials. */
    open?: boolean;
    /** Goes on for long, and is counted with the token and not among all requests; `watch`: is not counted, because it is asked for just when there is too much. */
    lasts?: Lasting | 'watch';
  }
}

/** The answer to OPTIONS: what can be asked at this address. */
function sendMethods(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allow = allowedMethods(pathOf(request).slice(PREFIX.length));
  if (!allow.length) throw noRoute(request);
  return reply.code(204).header('allow', allow.join(', ')).send();
}

function noRoute(request: FastifyRequest): DomainError {
  const path = pathOf(request);
  const allow = allowedMethods(path.slice(PREFIX.length));
  if (allow.length)
    return new DomainError('method_not_allowed', `${path} takes ${allow.join(', ')}, not ${request.method}.`, {
      allow,
    });
  const bare = path.replace(/\/+$/, '');
  const next = allowedMethods(bare.slice(PREFIX.length)).length
    ? `Leave out the slash at its end: ${bare}.`
    : `Every address is described at ${PREFIX}/docs.`;
  return new DomainError('not_found', `There is nothing at ${path}. ${next}`);
}

function asProblem(error: FastifyError | Error, request: FastifyRequest): Problem {
  const { requestId, log } = request.caller;
  const at = { instance: pathOf(request), requestId };
  if (error instanceof DomainError) return problem(error.code, error.message, at, error.details);
  if ('code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notTaken(request, at);
  if (request.raw.errored || request.raw.socket.destroyed)
    log.info({ err: error }, 'a client left before its request was answered');
  else log.error({ err: error, method: request.method, path: at.instance }, 'a request failed');
  return problem('internal', `Something went wrong; the log has it under ${requestId}.`, at);
}

function notTaken({ headers, routeOptions }: FastifyRequest, at: { instance: string; requestId: string }): Problem {
  if (routeOptions.config.lasts !== 'upload')
    return problem('unsupported_media_type', 'This address takes a body of the type application/json.', at, {
      accepted: ['application/json'],
    });
  const detail = `The Content-Type "${headers['content-type']}" is no media type. Write one, such as application/octet-stream, or leave it out.`;
  return problem('unsupported_media_type', detail, at);
}

function logged(request: FastifyRequest, reply: FastifyReply): void {
  const { log, actor } = request.caller;
  const { statusCode: status, elapsedTime } = reply;
  const line = { method: request.method, path: pathOf(request), status, ms: Math.round(elapsedTime), by: actor?.id };
  if (!reply.raw.writableFinished) log.info(line, 'the client left');
  else if (status >= 500) log.warn(line, 'request');
  else if (status >= 400 || !(READS.has(request.method) || isRoutine(request, status))) log.info(line, 'request');
  else log.debug(line, 'request');
}

const READS = new Set(['GET', 'HEAD']);

// what workers and editors say all the time, also when nothing happens: it would bury what does
function isRoutine({ routeOptions: { url = '' } }: FastifyRequest, status: number): boolean {
  return url.endsWith('/heartbeat') || (url.endsWith('/jobs/claim') && status === 204);
}
