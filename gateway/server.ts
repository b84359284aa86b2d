// Serves /graphql: Apollo Server in front of the gateway, with the query guard.
import { randomUUID } from 'node:crypto';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Admission, callerOf, type Release } from '../http/admission/admission.ts';
import type { RateLimiter } from '../http/authentication/rate-limit.ts';
import { watchClient } from '../http/client-disconnect.ts';
import { rejectEncodedBody } from '../http/request/content-encoding.ts';
import { readJson } from '../http/request/read-json.ts';
import { rejectRepeatedHeaders } from '../http/request/repeated-headers.ts';
import { abortSlowBody } from '../http/request/slow-body.ts';
import { drainAfterResponse, Upload } from '../http/request/upload.ts';
import { compress } from '../http/response/compress.ts';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { idempotencyKey } from '../subgraphs/core/domain/access/idempotency-key.ts';
import { CATALOGUE, DomainError, type ErrorKind } from '../subgraphs/core/domain/errors.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { toPublicError } from './errors.ts';
import { acceptsHtml, sendExplorer } from './explorer.ts';
import type { Gateway } from './gateway.ts';
import { isMultipart, PREFLIGHT_HEADERS, readMultipart, rejectInvalidMultipart } from './graphql-multipart.ts';
import { GUARD_LIMITS } from './guard.ts';
import { guardPlugin } from './guard-plugin.ts';

export type GraphqlOptions = {
  gateway: Gateway;
  log: Log;
  /** Returns the user; throws DomainError `unauthenticated`. */
  authenticate: (request: FastifyRequest) => Promise<Actor>;
  /** Counts the request for the rate limit. */
  rateLimit: RateLimiter;
  admission: Admission;
  /** The id under which the request is logged. Default: a new one. */
  requestId?: (request: FastifyRequest) => string;
  /** Whether clients may read the schema. */
  introspection: boolean;
  maxUploadBytes: number;
};

type OperationContext = RequestContext & { freeSlot: Release };

// An error response has the same id as its request.
function cachedPerRequest(idOf: (request: FastifyRequest) => string): (request: FastifyRequest) => string {
  const ids = new WeakMap<FastifyRequest, string>();
  return (request) => {
    const id = ids.get(request) ?? idOf(request);
    ids.set(request, id);
    return id;
  };
}

/** The maximum depth of a REST body, plus `variables`, the name of one and its input. */
const MAX_BODY_DEPTH = 68;
/** 1 MB. Apollo Server remembers at most 30 MiB of persisted queries. */
const MAX_MUTATION_HASHES = 10_000;

/**
 * Mounts GET, HEAD and POST /graphql on a server that is not listening yet. Everything except the explorer page
 * requires a token, checked before the body is read.
 */
export async function mountGraphql(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { log, authenticate, rateLimit, admission, maxUploadBytes } = options;
  const requestId = cachedPerRequest(options.requestId ?? (() => randomUUID()));
  const mutationHashes = new LRUCache<string, true>({ max: MAX_MUTATION_HASHES });
  const apollo = createApolloServer(options, mutationHashes);
  await apollo.start();
  const contexts = new WeakMap<FastifyRequest['raw'], OperationContext>();
  const contextOf = async (request: FastifyRequest): Promise<OperationContext> => {
    const context = contexts.get(request.raw);
    if (!context) throw new DomainError('unauthenticated', 'This request requires a token.');
    try {
      return { ...context, ...writeConditions(request, context.actor) };
    } catch (error) {
      // Converted because Apollo Server treats other errors thrown here as internal.
      if (!(error instanceof DomainError)) throw error;
      throw new GraphQLError(error.message, {
        extensions: { ...error.details, code: error.code, http: { status: 400 } },
      });
    }
  };
  const handle = fastifyApolloHandler(apollo, { context: contextOf });
  // Runs after the body has arrived, so that a slow client occupies no slot. Uploads need none.
  const handleInSlot: typeof handle = async function (request, reply) {
    const context = contexts.get(request.raw);
    if (!context || isMultipart(request)) return handle.call(this, request, reply);
    const access = isMutation(request, mutationHashes) ? 'write' : 'read';
    return admission.run(access, callerOf(context.actor, request.ip), reply.raw, async (release) => {
      context.freeSlot = release;
      return handle.call(this, request, reply);
    });
  };

  await app.register(async (scope) => {
    scope.removeContentTypeParser(['application/json', 'multipart/form-data']);
    scope.addContentTypeParser('application/json', (request: FastifyRequest) => readJson(request.raw, MAX_BODY_DEPTH));
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    scope.addHook('onClose', () => apollo.stop());
    scope.setErrorHandler((error, request, reply) => sendError(error, reply, { log, requestId: requestId(request) }));

    scope.addHook('onRequest', async (request, reply) => {
      if (acceptsHtml(request)) return;
      const id = requestId(request);
      reply.header('x-request-id', id);
      rejectEncodedBody(request.raw);
      const actor = await authenticate(request);
      reply.headers(rateLimit(actor));
      rejectRepeatedHeaders(request.raw);
      const isUpload = isMultipart(request);
      await admission.enter(isUpload ? 'upload' : undefined, callerOf(actor, request.ip), reply.raw);
      contexts.set(request.raw, createContext(request, reply, { actor, requestId: id }));
      if (isUpload) rejectInvalidMultipart(request, maxUploadBytes);
      if (isUpload) abortSlowBody(request.raw);
    });
    scope.addHook('preHandler', async (request, reply) => {
      if (isMultipart(request)) request.body = await readMultipart(request, reply, maxUploadBytes);
    });
    scope.addHook('onSend', (request, reply, _payload, done) => {
      drainAfterResponse(request.raw, reply.raw);
      if (!request.raw.complete) abortSlowBody(request.raw);
      done();
    });
    scope.addHook('onSend', compress);

    scope.get('/graphql', async function (request, reply) {
      return acceptsHtml(request) ? sendExplorer(request, reply) : handleInSlot.call(this, viewAsGet(request), reply);
    });
    scope.post('/graphql', handleInSlot);
  });
}

// Apollo Server handles GET and POST only; Fastify omits the body of a response to HEAD.
function viewAsGet(request: FastifyRequest): FastifyRequest {
  return request.method === 'HEAD' ? Object.create(request, { method: { value: 'GET' } }) : request;
}

// The headers that make a write conditional or idempotent.
function writeConditions(
  { headers, body }: FastifyRequest,
  actor: Actor,
): Pick<RequestContext, 'idempotency' | 'ifMatch'> {
  const key = headers['idempotency-key'];
  const request = () =>
    JSON.parse(JSON.stringify(body ?? null, (_name, value: unknown) => (value instanceof Upload ? null : value)));
  return {
    idempotency: key === undefined ? undefined : idempotencyKey(String(key), actor, { graphql: request() }),
    ifMatch: headers['if-match'],
  };
}

function createApolloServer(
  { gateway, log, introspection, admission }: GraphqlOptions,
  mutationHashes: LRUCache<string, true>,
): ApolloServer<OperationContext> {
  return new ApolloServer<OperationContext>({
    gateway: gateway.apolloGateway,
    introspection,
    documentStore: null, // guardPlugin caches documents
    parseOptions: { maxTokens: GUARD_LIMITS.tokens },
    csrfPrevention: { requestHeaders: PREFLIGHT_HEADERS },
    allowBatchedHttpRequests: false,
    cache: 'bounded', // persisted queries: LRU of 30 MiB in this process, valid ones only
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      guardPlugin(gateway.schema),
      longPollPlugin(admission),
      mutationHashPlugin(mutationHashes),
      UNAVAILABLE_STATUS,
    ],
    // For Apollo's own errors (parsing, validation, guard). Those of operations are public errors already.
    formatError: (_formatted, error) =>
      toPublicError(withRequestCode(error), { log, requestId: randomUUID() }).toJSON(),
  });
}

// Apollo Server sets no code when it refuses a persisted query hash that is wrong or has another version.
function withRequestCode(error: unknown): unknown {
  const { code, http } =
    error instanceof GraphQLError ? (error.extensions as { code?: unknown; http?: { status?: unknown } }) : {};
  return code === undefined && http?.status === 400
    ? new GraphQLError((error as GraphQLError).message, { extensions: { code: 'BAD_REQUEST' } })
    : error;
}

// Apollo Server responds with 400 if there is no data.
const UNAVAILABLE_STATUS: ApolloServerPlugin<OperationContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response: { body, http } }) => {
      if (body.kind !== 'single' || body.singleResult.data) return;
      if (body.singleResult.errors?.some(({ extensions }) => extensions?.code === 'unavailable')) http.status = 503;
    },
  }),
};

// Counts operations that wait as long requests of their token, whether they were sent as text or as a persisted query.
// They occupy no slot.
function longPollPlugin(admission: Admission): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => {
      let release: Release = () => undefined;
      let refused: DomainError | null = null;
      return {
        didResolveOperation: async ({ source, contextValue: { actor, ip = '', freeSlot } }) => {
          if (!isLongPoll(source)) return;
          freeSlot();
          try {
            release = admission.acquire('stream', callerOf(actor, ip));
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
            refused = error;
            throw new GraphQLError(error.message, {
              extensions: { ...error.details, code: error.code, http: { status: 429 } },
            });
          }
        },
        willSendResponse: async ({ response }) => {
          release();
          if (refused) response.http.headers.set('retry-after', String(refused.details.retryAfter));
        },
      };
    },
  };
}

// Remembers the hashes of mutations, under which a client may send them again as persisted queries.
function mutationHashPlugin(hashes: LRUCache<string, true>): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ operation, queryHash }) => {
        if (operation?.operation === OperationTypeNode.MUTATION) hashes.set(queryHash, true);
      },
    }),
  };
}

// Whether a request probably writes: its text says so, or its hash is that of a mutation.
function isMutation({ body }: FastifyRequest, hashes: LRUCache<string, true>): boolean {
  const { query, extensions } = (body ?? {}) as {
    query?: unknown;
    extensions?: { persistedQuery?: { sha256Hash?: unknown } | null } | null;
  };
  if (query !== undefined && query !== null) return /^\s*mutation\b/m.test(String(query));
  return hashes.has(String(extensions?.persistedQuery?.sha256Hash));
}

// Whether an operation waits for something.
const isLongPoll = (text: string): boolean => /\bwaitSeconds\b/.test(text);

function createContext(
  { ip }: FastifyRequest,
  reply: FastifyReply,
  { actor, requestId }: Pick<RequestContext, 'actor' | 'requestId'>,
): OperationContext {
  const client = watchClient(reply.raw);
  return {
    freeSlot: () => undefined,
    actor,
    requestId,
    ip,
    route: 'POST /graphql',
    isAborted: client.isAborted,
    get signal() {
      return client.signal;
    },
  };
}

const STATUS: Partial<Record<ErrorKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  'request-timeout': 408,
  'too-large': 413,
  'unsupported-media': 415,
  'rate-limited': 429,
  unavailable: 503,
};
const FASTIFY_CODES: Record<number, DomainError['code']> = { 415: 'unsupported_media_type' };

// Responds to a request that does not become an operation, e.g. without a token or with an unreadable body.
function sendError(error: unknown, reply: FastifyReply, context: { log: Log; requestId: string }): FastifyReply {
  const publicError = toPublicError(requestError(error), context);
  const { code, retryAfter } = publicError.extensions;
  const entry = CATALOGUE[code as keyof typeof CATALOGUE];
  const status = code === 'internal' ? 500 : ((entry && STATUS[entry.kind]) ?? 400);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (typeof retryAfter === 'number') reply.header('retry-after', String(retryAfter));
  return reply.code(status).send({ errors: [publicError] });
}

// Converts client errors of Fastify into errors of the catalogue.
function requestError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError || error instanceof GraphQLError) return error;
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  return status < 500 ? new DomainError(FASTIFY_CODES[status] ?? 'validation_failed', error.message) : error;
}
