// /graphql, for people and their programs: Apollo Server in front of the gateway, every query through the guard; what it has admitted before runs past it.

import { randomUUID } from 'node:crypto';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import type { Admit } from '../http/authentication/rate-limit.ts';
import { clientOf } from '../http/client-of.ts';
import { type InFlight, type Leave, untilAnswered } from '../http/in-flight.ts';
import { refuseCoded } from '../http/request/coded-body.ts';
import { refuseRepeated } from '../http/request/repeated-headers.ts';
import { cutOffWhenSlow } from '../http/request/slow-body.ts';
import { answerBeforeBody, Upload } from '../http/request/upload.ts';
import { compressed } from '../http/response/compressed.ts';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { idempotencyKey } from '../subgraphs/core/domain/access/idempotency-key.ts';
import { CATALOGUE, DomainError, type ErrorKind } from '../subgraphs/core/domain/errors.ts';
import { parseJson } from '../subgraphs/core/domain/text/parse-json.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { publicErrorOf } from './errors.ts';
import { sendExplorer, wantsPage } from './explorer.ts';
import type { Gateway } from './gateway.ts';
import { isMultipart, readMultipart, refuseBadMultipart } from './graphql-multipart.ts';
import { GUARD_LIMITS } from './guard.ts';
import { cleaned, guardPlugin } from './guarded-gateway.ts';
import { type AdmittedTexts, admittedTexts, hotOperations, isLongPoll } from './hot-operations.ts';

export type GraphqlOptions = {
  gateway: Gateway;
  log: Log;
  /** Who asks; throws DomainError `unauthenticated`. */
  authenticate: (request: FastifyRequest) => Promise<Actor>;
  /** Counts what it asks. */
  admit: Admit;
  /** What goes on at once. */
  inFlight: InFlight;
  /** Under which id the request is logged; left out, a fresh one. */
  requestId?: (request: FastifyRequest) => string;
  /** Tells the schema to whoever has a token. */
  introspection: boolean;
  maxUploadBytes: number;
};

// a refusal is answered under the id that the request began with
function oncePerRequest(idOf: (request: FastifyRequest) => string): (request: FastifyRequest) => string {
  const ids = new WeakMap<FastifyRequest, string>();
  return (request) => {
    const id = ids.get(request) ?? idOf(request);
    ids.set(request, id);
    return id;
  };
}

const JSON_BYTES = 1024 * 1024;
/** As deep as a body of REST, below `variables`, the name of one and its input. */
const DEEPEST_BODY = 68;

/** Mounts GET, HEAD and POST /graphql on a server that does not listen yet. Everything but the explorer page needs a token, before the body is read. */
export async function mountGraphql(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { gateway, log, authenticate, admit, inFlight, maxUploadBytes } = options;
  const requestId = oncePerRequest(options.requestId ?? (() => randomUUID()));
  const admitted = admittedTexts();
  const { schema, executor } = gateway;
  const hot = executor.direct && hotOperations({ schema, direct: executor.direct, admitted, log });
  const apollo = apolloServer(options, admitted);
  await apollo.start();
  const contexts = new WeakMap<FastifyRequest['raw'], RequestContext>();
  const contextOf = async (request: FastifyRequest): Promise<RequestContext> => {
    const context = contexts.get(request.raw);
    if (!context) throw new DomainError('unauthenticated', 'A token is needed.');
    try {
      return { ...context, ...asked(request, context.actor) };
    } catch (error) {
      // as a refusal: Apollo Server takes anything else that is thrown here for a fault of ours
      if (!(error instanceof DomainError)) throw error;
      throw new GraphQLError(error.message, {
        extensions: { ...error.details, code: error.code, http: { status: 400 } },
      });
    }
  };
  const handle = fastifyApolloHandler(apollo, { context: contextOf });

  await app.register(async (scope) => {
    scope.removeContentTypeParser(['application/json', 'multipart/form-data']);
    scope.addContentTypeParser<Buffer>(
      'application/json',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => parseJson(body, 'The body', DEEPEST_BODY),
    );
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    scope.addHook('onClose', () => apollo.stop());
    scope.setErrorHandler((error, request, reply) => refuse(error, reply, { log, requestId: requestId(request) }));

    scope.addHook('onRequest', async (request, reply) => {
      if (wantsPage(request)) return;
      const id = requestId(request);
      reply.header('x-request-id', id);
      refuseCoded(request.raw);
      const uploads = isMultipart(request);
      if (!uploads) untilAnswered(reply.raw, inFlight.enter());
      const actor = await authenticate(request);
      reply.headers(admit(actor));
      refuseRepeated(request.raw);
      if (uploads) untilAnswered(reply.raw, inFlight.hold('upload', actor));
      contexts.set(request.raw, contextFor(request, reply, { actor, requestId: id }));
      if (isMultipart(request)) refuseBadMultipart(request, maxUploadBytes);
      if (request.method === 'POST') cutOffWhenSlow(request.raw);
    });
    scope.addHook('preHandler', async (request, reply) => {
      if (isMultipart(request)) request.body = await readMultipart(request, reply, maxUploadBytes);
    });
    scope.addHook('onSend', (request, reply, _payload, done) => {
      answerBeforeBody(request.raw, reply.raw);
      done();
    });
    scope.addHook('onSend', compressed);

    scope.get('/graphql', async function (request, reply) {
      return wantsPage(request) ? sendExplorer(request, reply) : handle.call(this, asGet(request), reply);
    });
    scope.post('/graphql', { bodyLimit: JSON_BYTES }, async function (request, reply) {
      const context = contexts.get(request.raw);
      const running = context && hot?.answer(request, context);
      if (running) {
        const { status, type, body } = await running;
        reply.code(status).header('content-type', type);
        return body;
      }
      const answer = await handle.call(this, request, reply);
      if (reply.statusCode === 200) hot?.noteType(request.headers.accept, String(reply.getHeader('content-type')));
      return answer;
    });
  });
}

// HEAD is a GET of which Fastify keeps the body back; Apollo Server knows GET and POST alone
function asGet(request: FastifyRequest): FastifyRequest {
  return request.method === 'HEAD' ? Object.create(request, { method: { value: 'GET' } }) : request;
}

// what a write is asked to hold to: to happen once, or only while a record is as the client knows it
function asked({ headers, body }: FastifyRequest, actor: Actor): Pick<RequestContext, 'idempotency' | 'ifMatch'> {
  const key = headers['idempotency-key'];
  const request = () =>
    JSON.parse(JSON.stringify(body ?? null, (_name, value: unknown) => (value instanceof Upload ? null : value)));
  return {
    idempotency: key === undefined ? undefined : idempotencyKey(String(key), actor, { graphql: request() }),
    ifMatch: headers['if-match'],
  };
}

function apolloServer(
  { gateway, log, introspection, inFlight }: GraphqlOptions,
  admitted: AdmittedTexts,
): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    gateway: cleaned(gateway.executor.forApollo, log),
    introspection,
    documentStore: null, // guardPlugin keeps documents
    parseOptions: { maxTokens: GUARD_LIMITS.tokens },
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    cache: 'bounded', // of persisted queries: 30 MiB in this process, the least recently used go; only valid ones get in
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      guardPlugin(gateway.schema, admitted),
      longPolls(inFlight),
    ],
    // what operations answer is clean already; this is for the server's own refusals (parse, validation, guard)
    formatError: (_formatted, error) => publicErrorOf(ofTheRequest(error), { log, requestId: randomUUID() }).toJSON(),
  });
}

// Apollo Server names no code where it refuses the hash of a query: one that is not the query's, or of another version
function ofTheRequest(error: unknown): unknown {
  const { code, http } =
    error instanceof GraphQLError ? (error.extensions as { code?: unknown; http?: { status?: unknown } }) : {};
  return code === undefined && http?.status === 400
    ? new GraphQLError((error as GraphQLError).message, { extensions: { code: 'BAD_REQUEST' } })
    : error;
}

// An operation that waits for something counts with its token. It is a long poll by what it says, whichever way it came: its text or its hash.
function longPolls(inFlight: InFlight): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => {
      let leave: Leave = () => undefined;
      let refused: DomainError | null = null;
      return {
        didResolveOperation: async ({ source, contextValue: { actor } }) => {
          if (!isLongPoll(source)) return;
          try {
            leave = inFlight.hold('stream', actor);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
            refused = error;
            throw new GraphQLError(error.message, {
              extensions: { ...error.details, code: error.code, http: { status: 429 } },
            });
          }
        },
        willSendResponse: async ({ response }) => {
          leave();
          if (refused) response.http.headers.set('retry-after', String(refused.details.retryAfter));
        },
      };
    },
  };
}

function contextFor(
  { ip }: FastifyRequest,
  reply: FastifyReply,
  who: Pick<RequestContext, 'actor' | 'requestId'>,
): RequestContext {
  const client = clientOf(reply.raw);
  return {
    ...{ ...who, ip, route: 'POST /graphql', isAborted: client.isAborted },
    get signal() {
      return client.signal;
    },
  };
}

const STATUS: Partial<Record<ErrorKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  'too-large': 413,
  'unsupported-media': 415,
  'rate-limited': 429,
  unavailable: 503,
};
const OF_FASTIFY: Record<number, DomainError['code']> = { 415: 'unsupported_media_type' };

// a request that does not become an operation: no token, a body that cannot be read
function refuse(error: unknown, reply: FastifyReply, edge: { log: Log; requestId: string }): FastifyReply {
  const shown = publicErrorOf(transport(error), edge);
  const entry = CATALOGUE[shown.extensions.code as keyof typeof CATALOGUE];
  const status = shown.extensions.code === 'internal' ? 500 : ((entry && STATUS[entry.kind]) ?? 400);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (typeof shown.extensions.retryAfter === 'number') reply.header('retry-after', String(shown.extensions.retryAfter));
  return reply.code(status).send({ errors: [shown] });
}

function transport(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError || error instanceof GraphQLError) return error;
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 413)
    return new DomainError('file_too_large', `A JSON body may have at most ${JSON_BYTES} bytes.`, {
      maxBytes: JSON_BYTES,
    });
  return status < 500 ? new DomainError(OF_FASTIFY[status] ?? 'validation_failed', error.message) : error;
}
