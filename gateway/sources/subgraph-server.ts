// Serves a subgraph from its own process, to the gateway only: requests without a sealed identity are rejected before
// their body is read.
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { processRequest } from 'graphql-upload-minimal';
import { drainAfterResponse, renameUpload, Upload } from '../../http/request/upload.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { IDENTITY_HEADER, type OpenedIdentity, openIdentity } from './identity.ts';
import { localSource } from './local-source.ts';
import type { SubgraphRequest, SubgraphResponse } from './source.ts';

export type SubgraphServerOptions = {
  subgraph: Subgraph;
  /** Keys of sealed identities: the current one, and the former one during a rotation. */
  keys: readonly Buffer[];
  log: Log;
  /** Throws if the subgraph cannot work. Called by GET /health. */
  assertHealthy?: () => Promise<void>;
};

// Not for the gateway. Metrics, if mounted, require a token themselves.
const PUBLIC_PATHS = new Set(['/health', '/metrics']);
const MAX_BODY_BYTES = 16 * 1024 * 1024; // fits 10,000 representations of an entity with a long key

/** Creates the server without listening: POST /graphql for the gateway, GET /health (public). */
export function createSubgraphServer({
  subgraph,
  keys,
  log,
  assertHealthy = async () => undefined,
}: SubgraphServerOptions): FastifyInstance {
  const source = localSource(subgraph);
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
  });
  const identities = new WeakMap<FastifyRequest, OpenedIdentity>();

  server.addHook('onRequest', async (request, reply) => {
    if (PUBLIC_PATHS.has(request.url)) return;
    try {
      identities.set(request, openIdentity(keys, request.headers[IDENTITY_HEADER], subgraph.name));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return sendUnauthenticated(reply, error.message);
    }
  });
  // Unlimited: the gateway closes the connection when it has the response.
  server.addHook('onSend', async (request, reply) =>
    drainAfterResponse(request.raw, reply.raw, Number.POSITIVE_INFINITY),
  );
  // JSON stays text until it is verified against the seal; multipart is read by its own parser.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

  server.get('/health', async () => {
    await assertHealthy();
    return { status: 'ok' };
  });

  server.post('/graphql', async (request, reply) => {
    const identity = identities.get(request);
    const body = await readBody(request, reply);
    if (!identity?.isFor(body.text)) return sendUnauthenticated(reply, 'The body does not match its sealed identity.');
    const disconnected = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) disconnected.abort();
    });
    const { isFor: _isFor, ...origin } = identity;
    const context = { ...origin, signal: disconnected.signal };
    return formatResponse(await source.process({ request: body.operation(), context }));
  });
  return server;
}

type Body = { text: string; operation(): SubgraphRequest };

async function readBody(request: FastifyRequest, reply: FastifyReply): Promise<Body> {
  if (!request.headers['content-type']?.startsWith('multipart/form-data')) {
    const text = typeof request.body === 'string' ? request.body : '';
    return { text, operation: () => JSON.parse(text) };
  }
  const operation = (await processRequest(request.raw, reply.raw, {
    maxFiles: 1,
    maxFieldSize: MAX_BODY_BYTES,
  })) as SubgraphRequest;
  // Compares what would be executed: stringifying the parsed operation reproduces the text that the gateway wrote.
  const text = JSON.stringify(operation, (_key, value: unknown) => (value instanceof Upload ? null : value));
  return { text, operation: () => ({ ...operation, variables: decodeFileNames(operation.variables) }) };
}

// The gateway percent-encodes file names for multipart headers.
function decodeFileNames(variables: unknown): Record<string, unknown> {
  const visit = (item: unknown): unknown => {
    if (item instanceof Upload) return renameUpload(item, decodeURIComponent);
    if (Array.isArray(item)) return item.map(visit);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, below]) => [key, visit(below)]));
  };
  return visit(variables ?? {}) as Record<string, unknown>;
}

function sendUnauthenticated(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(401).send({ errors: [{ message, extensions: { code: 'unauthenticated' } }] });
}

// Errors of graphql-js and graphql-jit serialize themselves; their causes are not sent.
function formatResponse({ data, errors }: SubgraphResponse): SubgraphResponse {
  if (!errors) return { data };
  return { data, errors: errors.map(({ message, path, extensions }) => ({ message, path, extensions })) };
}
