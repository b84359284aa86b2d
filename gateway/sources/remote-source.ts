// Runs the operations of a subgraph in another process: keep-alive pool, sealed identity, multipart uploads. A write is
// never sent twice.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { Pool } from 'undici';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { IDENTITY_HEADER, sealIdentity } from './identity.ts';
import { extractFiles, type MultipartFile, multipartBody } from './multipart.ts';
import type { Source, SubgraphResponse } from './source.ts';

export type RemoteOptions = { name: string; url: string; key: Buffer; connections?: number; onWrite?: () => void };

// Longer than the maximum wait of a worker. The time limit of the operation ends requests earlier.
const IDLE_TIMEOUT_MS = 70_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Creates the source of a subgraph at `url` (POST; JSON, or multipart if a variable is a file). */
export function remoteSource({ name, url, key, connections = 64, onWrite = () => {} }: RemoteOptions): Source {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  return {
    async process({ request: { query, operationName, variables = {} }, context }) {
      const files: MultipartFile[] = [];
      const operations = JSON.stringify({
        query,
        operationName,
        variables: extractFiles(variables, 'variables', files),
      });
      const identity = {
        [IDENTITY_HEADER]: sealIdentity(key, context, name, operations),
        'x-request-id': context.requestId,
      };
      const common = { path: pathname, method: 'POST' as const, signal: context.signal };
      if (files.length === 0) {
        const send = () =>
          pool.request({ ...common, headers: { ...identity, 'content-type': 'application/json' }, body: operations });
        const isRead = !query.startsWith('mutation');
        const reply = await withRetries(name, send, { isRead, signal: context.signal });
        const response = await readResponse(name, reply);
        if (!isRead) onWrite();
        return response;
      }
      const boundary = `----pdm${randomUUID()}`;
      const body = Readable.from(multipartBody(boundary, operations, files), {
        objectMode: false,
        highWaterMark: 262_144,
      });
      try {
        const headers = { ...identity, 'content-type': `multipart/form-data; boundary=${boundary}` };
        return readResponse(name, await pool.request({ ...common, headers, body, headersTimeout: 0, bodyTimeout: 0 }));
      } catch (error) {
        // E.g. the stream of a file that is too large fails while it is sent.
        throw toGraphqlError(
          isConnectionLost(error) ? subgraphUnreachable(name, isConnectFailure(error), error) : error,
        );
      }
    },
    close: () => pool.close(),
  };
}

// Covers the restart of a subgraph, which takes a second or two.
const RETRY_DELAYS_MS = [50, 150, 400, 1000];

/**
 * Repeats a request that certainly had no effect: one that could not connect, or a read whose connection was lost.
 * Throws `unavailable` when all attempts failed.
 */
async function withRetries<T>(
  name: string,
  send: () => Promise<T>,
  { isRead, signal }: { isRead: boolean; signal: AbortSignal },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      const hadNoEffect = isConnectFailure(error) || isRead;
      const delay = RETRY_DELAYS_MS[attempt];
      if (delay === undefined || !hadNoEffect) throw subgraphUnreachable(name, hadNoEffect, error);
      await sleep(delay, undefined, { signal });
    }
  }
}

const isConnectFailure = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENOENT'].includes(errorCodeOf(error));
const isConnectionLost = (error: unknown): boolean =>
  isConnectFailure(error) || ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCodeOf(error));

function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function subgraphUnreachable(part: string, hadNoEffect: boolean, cause: unknown): GraphQLError {
  const advice = hadNoEffect
    ? 'Nothing was changed. Try again in a moment.'
    : 'The operation may have taken effect: read the record before you repeat it.';
  return new GraphQLError(`The ${part} part of the service does not respond. ${advice}`, {
    originalError: cause instanceof Error ? cause : null,
    extensions: { code: 'unavailable', part },
  });
}

async function readResponse(
  name: string,
  { statusCode, body }: Awaited<ReturnType<Pool['request']>>,
): Promise<SubgraphResponse> {
  if (statusCode === 200) return (await body.json()) as SubgraphResponse;
  await body.dump();
  throw new Error(`The subgraph ${name} responded with status ${statusCode}`);
}

function toGraphqlError(error: unknown): unknown {
  return error instanceof DomainError
    ? new GraphQLError(error.message, { extensions: { ...error.details, code: error.code } })
    : error;
}
