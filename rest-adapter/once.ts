// Idempotency-Key: a request that is repeated under its key gets the answer of the first one, and nothing is done again.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileUpload } from 'graphql-upload-minimal';
import {
  assertReplayable,
  type IdempotencyKey,
  idempotencyKey,
  type StoredResponse,
  type StoredWrite,
  withContent,
} from '../subgraphs/core/domain/access/idempotency-key.ts';
import type { Route } from './route.ts';

export type OncePorts = {
  /** What is kept under the id of a write. */
  kept(id: string): Promise<StoredWrite | null>;
  /** Keeps the answer of a write that is kept; answers with the one that a request at the same time kept before. */
  keep(once: IdempotencyKey, answer: StoredResponse): Promise<StoredResponse | null>;
};

const HEADER = 'idempotency-key';
const MOST_BYTES = 256 * 1024;

/** The write that a request asks for under its key; undefined without a key, and for what writes nothing. `variables` are those without the file. */
export function onceFor(
  { method, path }: Route,
  { headers, caller }: FastifyRequest,
  variables: object,
): IdempotencyKey | undefined {
  const key = headers[HEADER];
  if (key === undefined || method === 'GET' || !caller.actor) return undefined;
  const file = { name: headers['x-file-name'] ?? null, type: headers['content-type'] ?? null };
  return idempotencyKey(String(key), caller.actor, { method, path, variables, file });
}

/**
 * The answer that was given under this key before; null when there is none, or when it has to be made again of what is kept of the write. Of
 * a file the content is read and compared.
 */
export async function earlierAnswer(
  ports: OncePorts,
  once: IdempotencyKey,
  file: Promise<FileUpload> | undefined,
): Promise<StoredResponse | null> {
  const kept = await ports.kept(once.id);
  if (!kept || (file && !kept.answer)) return null;
  assertReplayable(kept, file ? withContent(once, await sha256Of(await file)) : once);
  return kept.answer;
}

/**
 * Keeps an answer that is not too large; answers with the one that a request at the same time was given before, if there is one. That it could not be kept is told to the log alone: it can
 * be made again.
 */
export async function keepAnswer(
  ports: OncePorts,
  once: IdempotencyKey,
  answer: StoredResponse,
  { caller }: FastifyRequest,
): Promise<StoredResponse | null> {
  if ((answer.body?.length ?? 0) > MOST_BYTES) return null;
  try {
    return await ports.keep(once, answer);
  } catch (err) {
    caller.log.warn({ err }, 'the answer under an Idempotency-Key could not be kept');
    return null;
  }
}

/** Says that the answer is one that was given before. */
export function markRepeated(reply: FastifyReply): FastifyReply {
  return reply.header('idempotency-replayed', 'true');
}

async function sha256Of({ createReadStream }: FileUpload): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const chunk of createReadStream()) sha256.update(chunk);
  return sha256.digest('hex');
}
