// Mounts the REST API below /api/v1.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, callerOf, type LongRequest } from '../http/admission/admission.ts';
import { rejectEncodedBody } from '../http/request/content-encoding.ts';
import { readJson } from '../http/request/read-json.ts';
import { rejectRepeatedHeaders } from '../http/request/repeated-headers.ts';
import { requestIdFromHeader } from '../http/request/request-id.ts';
import { hasUnreadBody, respondThenDrain } from '../http/request/unread-body.ts';
import { handleClientError, rejectConnect } from '../http/response/client-error.ts';
import { compress } from '../http/response/compress.ts';
import { createProblem, internalErrorMessage, type Problem } from '../http/response/problem.ts';
import { pathOf, sendJson, sendProblem } from '../http/response/send.ts';
import { sendUnmatched } from '../http/response/unroutable.ts';
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
  /** Returns the caller. Throws `unauthenticated`. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Counts a request and returns the RateLimit headers. Throws `rate_limited`. */
  rateLimit(actor: Actor): Record<string, string>;
  /** Decides when requests run. Throws `overloaded` and `rate_limited`. */
  admission: Admission;
  health(): Promise<Health>;
  events: EventTail;
  log: Log;
  version: string;
};

/**
 * Mounts the REST routes on a server, which then responds to malformed HTTP with a problem. The caller sets the
 * server's limits: no request timeout (a claim waits up to 50 s), headers within 5 s and at most 16 KiB.
 */
export async function mountRest(app: FastifyInstance, ports: RestPorts): Promise<void> {
  app.server.removeAllListeners('clientError').on('clientError', handleClientError).on('connect', rejectConnect);
  app.setNotFoundHandler(sendUnmatched);
  await app.register(async (rest) => mountApi(rest, ports), { prefix: PREFIX });
}

async function mountApi(rest: FastifyInstance, ports: RestPorts): Promise<void> {
  const routes = ROUTES.flatMap(({ routes }) => routes);
  rest.removeAllContentTypeParsers();
  rest.addContentTypeParser('application/json', (request: FastifyRequest) => readJson(request.raw));
  rest.decorateRequest('caller');
  rest.setErrorHandler((error: FastifyError | Error, request, reply) => sendProblem(reply, toProblem(error, request)));
  rest.setNotFoundHandler((request) => {
    throw routeNotFound(request);
  });

  rest.addHook('onRequest', async (request, reply) => {
    const requestId = requestIdFromHeader(request.headers['x-request-id']);
    request.caller = { requestId, log: ports.log.child({ requestId }), actor: null };
    reply.headers({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' });
    if (request.is404 && request.method === 'OPTIONS') return sendAllowedMethods(request, reply);
    if (request.is404) throw routeNotFound(request);
    rejectEncodedBody(request.raw);
    const { isPublic, limitedAs } = request.routeOptions.config;
    if (isPublic) return;
    const actor = await ports.authenticate(request);
    request.caller.actor = actor;
    reply.headers(ports.rateLimit(actor));
    rejectRepeatedHeaders(request.raw);
    await ports.admission.enter(limitedAs, callerOf(actor, request.ip), reply.raw);
  });
  // Handlers run after the body has arrived, so that a slow client occupies no slot.
  rest.addHook('onRoute', (route) => {
    const { config: { limitedAs, isUnlimited } = {}, handler } = route;
    if (limitedAs || isUnlimited) return;
    route.handler = function (request, reply) {
      const access = SAFE_METHODS.has(request.method) ? 'read' : 'write';
      const caller = callerOf(request.caller.actor, request.ip);
      return ports.admission.run(access, caller, reply.raw, async () => handler.call(this, request, reply));
    };
  });
  rest.addHook('onSend', (request, reply, payload, done) => {
    if (!hasUnreadBody(request.raw)) return done(null, payload);
    reply.header('connection', 'close');
    if (!Buffer.isBuffer(payload)) return done(null, payload);
    reply.header('content-length', payload.length);
    return done(null, respondThenDrain(payload, request.raw));
  });
  rest.addHook('onSend', compress);
  rest.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });

  mountServiceRoutes(rest, ports);
  mountSigned(rest, ports);
  mountEventStream(rest, { events: ports.events, identify: ports.authenticate });
  await mountRoutes(rest, routes, ports);
}

/** Mounts the routes about the service itself: health, OpenAPI description, JSON Schema of asm.json. */
function mountServiceRoutes(rest: FastifyInstance, { health, schema, version }: RestPorts): void {
  const own = { method: ['GET', 'HEAD'], exposeHeadRoute: false };
  rest.route({
    ...own,
    url: '/health',
    config: { isPublic: true, isUnlimited: true },
    handler: async (_request, reply) => {
      const report = healthReport(await health(), version);
      return reply
        .code(report.status === 'unavailable' ? 503 : 200)
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
    /** Whether the route is public. */
    isPublic?: boolean;
    /** The limit of concurrent requests per token that applies to a long request, which needs no slot. */
    limitedAs?: LongRequest;
    /** Whether requests need no slot. Monitoring needs health most under overload. */
    isUnlimited?: boolean;
  }
}

/** Responds to OPTIONS with the methods of the path. */
function sendAllowedMethods(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allow = allowedMethods(pathOf(request).slice(PREFIX.length));
  if (!allow.length) throw routeNotFound(request);
  return reply.code(204).header('allow', allow.join(', ')).send();
}

function routeNotFound(request: FastifyRequest): DomainError {
  const path = pathOf(request);
  const allow = allowedMethods(path.slice(PREFIX.length));
  if (allow.length)
    return new DomainError('method_not_allowed', `${path} supports ${allow.join(', ')}, not ${request.method}.`, {
      allow,
    });
  const pathWithoutSlash = path.replace(/\/+$/, '');
  const next = allowedMethods(pathWithoutSlash.slice(PREFIX.length)).length
    ? `Omit the trailing slash: ${pathWithoutSlash}.`
    : `See ${PREFIX}/docs for all paths.`;
  return new DomainError('not_found', `There is no route ${path}. ${next}`);
}

function toProblem(error: FastifyError | Error, request: FastifyRequest): Problem {
  const { requestId, log } = request.caller;
  const at = { instance: pathOf(request), requestId };
  if (error instanceof DomainError) return createProblem(error.code, error.message, at, error.details);
  if ('code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType(request, at);
  if (request.raw.errored || request.raw.socket.destroyed)
    log.info({ err: error }, 'the client disconnected before the response');
  else log.error({ err: error, method: request.method, path: at.instance }, 'a request failed');
  return createProblem('internal', internalErrorMessage(requestId), at);
}

function unsupportedMediaType(
  { headers, routeOptions }: FastifyRequest,
  at: { instance: string; requestId: string },
): Problem {
  if (routeOptions.config.limitedAs !== 'upload')
    return createProblem('unsupported_media_type', 'The body must be application/json.', at, {
      accepted: ['application/json'],
    });
  const detail = `The Content-Type "${headers['content-type']}" is not a valid media type. Use, for example, application/octet-stream, or omit the header.`;
  return createProblem('unsupported_media_type', detail, at);
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { log, actor } = request.caller;
  const { statusCode: status, elapsedTime } = reply;
  const line = { method: request.method, path: pathOf(request), status, ms: Math.round(elapsedTime), by: actor?.id };
  if (!reply.raw.writableFinished) log.info(line, 'the client disconnected');
  else if (status >= 500) log.warn(line, 'request');
  else if (status >= 400 || !(SAFE_METHODS.has(request.method) || isRoutine(request, status)))
    log.info(line, 'request');
  else log.debug(line, 'request');
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);

// Heartbeats and empty claims are too frequent to log at info level.
function isRoutine({ routeOptions: { url = '' } }: FastifyRequest, status: number): boolean {
  return url.endsWith('/heartbeat') || (url.endsWith('/jobs/claim') && status === 204);
}
