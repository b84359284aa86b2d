// A subgraph as a server of its own. It answers the gateway alone: whoever brings no seal is refused before a byte of his request is read.
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { processRequest } from 'graphql-upload-minimal';
import { answerBeforeBody, renamed, Upload } from '../../http/request/upload.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { IDENTITY_HEADER, type Opened, open } from './identity.ts';
import { localSource } from './local-source.ts';
import type { SubgraphAnswer, SubgraphRequest } from './source.ts';

export type SubgraphServerOptions = {
  subgraph: Subgraph;
  /** Keys that seals may be made with: the present one, and the former during a rotation. */
  keys: readonly Buffer[];
  log: Log;
  /** Is the subgraph able to work? Asked by GET /health; throws when not. */
  healthy?: () => Promise<void>;
};

// What is not for the gateway; metrics, where they are mounted, ask for a token themselves.
const OPEN = new Set(['/health', '/metrics']);
const BODY_BYTES = 16 * 1024 * 1024; // 10,000 representations of an entity with a long key fit

/** Makes the server (not yet listening): POST /graphql for the gateway, GET /health for everybody. */
export function createSubgraphServer({
  subgraph,
  keys,
  log,
  healthy = async () => undefined,
}: SubgraphServerOptions): FastifyInstance {
  const source = localSource(subgraph);
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES,
  });
  const identities = new WeakMap<FastifyRequest, Opened>();

  server.addHook('onRequest', async (request, reply) => {
    if (OPEN.has(request.url)) return;
    try {
      identities.set(request, open(keys, request.headers[IDENTITY_HEADER], subgraph.name));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return refuse(reply, error.message);
    }
  });
  // without a bound: the gateway ends the connection when it has the answer
  server.addHook('onSend', async (request, reply) =>
    answerBeforeBody(request.raw, reply.raw, Number.POSITIVE_INFINITY),
  );
  // JSON stays text until it is known to be what was sealed; multipart is read by its own parser
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

  server.get('/health', async () => {
    await healthy();
    return { status: 'ok' };
  });

  server.post('/graphql', async (request, reply) => {
    const identity = identities.get(request);
    const body = await bodyOf(request, reply);
    if (!identity?.isFor(body.text)) return refuse(reply, 'This request is not the one that was sealed.');
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    const { isFor: _isFor, ...who } = identity;
    return formatted(await source.process({ request: body.operation(), context: { ...who, signal: gone.signal } }));
  });
  return server;
}

type Body = { text: string; operation(): SubgraphRequest };

async function bodyOf(request: FastifyRequest, reply: FastifyReply): Promise<Body> {
  if (!request.headers['content-type']?.startsWith('multipart/form-data')) {
    const text = typeof request.body === 'string' ? request.body : '';
    return { text, operation: () => JSON.parse(text) };
  }
  const operation = (await processRequest(request.raw, reply.raw, {
    maxFiles: 1,
    maxFieldSize: BODY_BYTES,
  })) as SubgraphRequest;
  // Compared is what would be executed, written as the gateway wrote it: JSON.stringify of a parsed text it made itself is that text.
  const text = JSON.stringify(operation, (_key, value: unknown) => (value instanceof Upload ? null : value));
  return { text, operation: () => ({ ...operation, variables: named(operation.variables) }) };
}

// the gateway escapes file names, which multipart headers cannot hold otherwise
function named(value: unknown): Record<string, unknown> {
  const visit = (item: unknown): unknown => {
    if (item instanceof Upload) return renamed(item, decodeURIComponent);
    if (Array.isArray(item)) return item.map(visit);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, below]) => [key, visit(below)]));
  };
  return visit(value ?? {}) as Record<string, unknown>;
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(401).send({ errors: [{ message, extensions: { code: 'unauthenticated' } }] });
}

// an error of graphql-js or graphql-jit knows how to be JSON; what it wraps stays here
function formatted({ data, errors }: SubgraphAnswer): SubgraphAnswer {
  if (!errors) return { data };
  return { data, errors: errors.map(({ message, path, extensions }) => ({ message, path, extensions })) };
}
