// A subgraph in another process: keep-alive pool, sealed identity, files streamed as multipart. What may have changed something is never sent twice.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { Pool } from 'undici';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { IDENTITY_HEADER, seal } from './identity.ts';
import { type MultipartFile, multipartBody, withoutFiles } from './multipart.ts';
import type { Source, SubgraphAnswer } from './source.ts';

export type RemoteOptions = { name: string; url: string; key: Buffer; connections?: number; wrote?: () => void };

// longer than the longest wait of a worker; the operation's own time limit ends requests before
const SILENCE_MILLISECONDS = 70_000;
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Runs a subgraph's operations by HTTP at `url` (POST, JSON; multipart when a variable is a file). */
export function remoteSource({ name, url, key, connections = 64, wrote = () => {} }: RemoteOptions): Source {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: SILENCE_MILLISECONDS,
    bodyTimeout: SILENCE_MILLISECONDS,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
  return {
    async process({ request: { query, operationName, variables = {} }, context }) {
      const files: MultipartFile[] = [];
      const operations = JSON.stringify({
        query,
        operationName,
        variables: withoutFiles(variables, 'variables', files),
      });
      const identity = { [IDENTITY_HEADER]: seal(key, context, name, operations), 'x-request-id': context.requestId };
      const common = { path: pathname, method: 'POST' as const, signal: context.signal };
      if (files.length === 0) {
        const ask = () =>
          pool.request({ ...common, headers: { ...identity, 'content-type': 'application/json' }, body: operations });
        const reads = !query.startsWith('mutation');
        const answer = await read(name, await untilReached(name, ask, { reads, signal: context.signal }));
        if (!reads) wrote();
        return answer;
      }
      const boundary = `----pdm${randomUUID()}`;
      const body = Readable.from(multipartBody(boundary, operations, files), {
        objectMode: false,
        highWaterMark: 262_144,
      });
      try {
        const headers = { ...identity, 'content-type': `multipart/form-data; boundary=${boundary}` };
        return read(name, await pool.request({ ...common, headers, body, headersTimeout: 0, bodyTimeout: 0 }));
      } catch (error) {
        throw refusal(brokenOff(error) ? unreachable(name, notConnected(error), error) : error); // a file that is too long fails while it is sent
      }
    },
    close: () => pool.close(),
  };
}

// A subgraph that is started again is back within a second or two.
const PAUSES = [50, 150, 400, 1000];

/**
 * Asks again after a pause what certainly had no effect: whatever found no connection, and a read whose connection broke off. Refuses with
 * `unavailable` when nothing answers.
 */
async function untilReached<T>(
  name: string,
  ask: () => Promise<T>,
  { reads, signal }: { reads: boolean; signal: AbortSignal },
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const unheard = notConnected(error);
      if (!unheard && !brokenOff(error)) throw error;
      const pause = PAUSES[tries];
      if (pause === undefined || !(unheard || reads)) throw unreachable(name, unheard || reads, error);
      await sleep(pause, undefined, { signal });
    }
  }
}

const notConnected = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENOENT'].includes(codeOf(error));
const brokenOff = (error: unknown): boolean =>
  notConnected(error) || ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function unreachable(part: string, unchanged: boolean, cause: unknown): GraphQLError {
  const rest = unchanged
    ? 'Nothing was changed; try again in a moment.'
    : 'What was asked may have been done or not: look before you repeat it.';
  return new GraphQLError(`The ${part} part of the service does not answer. ${rest}`, {
    originalError: cause instanceof Error ? cause : null,
    extensions: { code: 'unavailable', part },
  });
}

async function read(name: string, { statusCode, body }: Awaited<ReturnType<Pool['request']>>): Promise<SubgraphAnswer> {
  if (statusCode === 200) return (await body.json()) as SubgraphAnswer;
  await body.dump();
  throw new Error(`${name} answered ${statusCode}`);
}

function refusal(error: unknown): unknown {
  return error instanceof DomainError
    ? new GraphQLError(error.message, { extensions: { ...error.details, code: error.code } })
    : error;
}
