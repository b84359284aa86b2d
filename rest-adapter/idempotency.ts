// Idempotency-Key: a repeated request gets the response of the first one and has no further effect.
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

export type IdempotencyPorts = {
  /** Returns the write stored under an id, or null. */
  find(id: string): Promise<StoredWrite | null>;
  /** Stores the response of a write. Returns the response that a concurrent request stored first, or null. */
  store(key: IdempotencyKey, response: StoredResponse): Promise<StoredResponse | null>;
};

const HEADER = 'idempotency-key';
const MAX_RESPONSE_CHARACTERS = 256 * 1024;

/** Returns the key of a write request; undefined for reads and without the header. `variables` exclude the file. */
export function idempotencyKeyOf(
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
 * Returns the stored response of this key; null if there is none, or if it must be rebuilt from the stored write. An
 * uploaded file is read to compare its content. Throws `idempotency_mismatch` if the request differs, and with
 * `response_not_replayable`.
 */
export async function findStoredResponse(
  ports: IdempotencyPorts,
  key: IdempotencyKey,
  file: Promise<FileUpload> | undefined,
): Promise<StoredResponse | null> {
  const stored = await ports.find(key.id);
  if (!stored || (file && !stored.answer)) return null;
  assertReplayable(stored, file ? withContent(key, await sha256Of(await file)) : key);
  return stored.answer;
}

/**
 * Stores a response unless it is too large. Returns the response that a concurrent request stored first, or null. A
 * failure is only logged: the response can be rebuilt.
 */
export async function storeResponse(
  ports: IdempotencyPorts,
  key: IdempotencyKey,
  response: StoredResponse,
  { caller }: FastifyRequest,
): Promise<StoredResponse | null> {
  if ((response.body?.length ?? 0) > MAX_RESPONSE_CHARACTERS) return null;
  try {
    return await ports.store(key, response);
  } catch (err) {
    caller.log.warn({ err }, 'the response could not be stored under its Idempotency-Key');
    return null;
  }
}

/** Marks a response as replayed. */
export function markReplayed(reply: FastifyReply): FastifyReply {
  return reply.header('idempotency-replayed', 'true');
}

async function sha256Of({ createReadStream }: FileUpload): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const chunk of createReadStream()) sha256.update(chunk);
  return sha256.digest('hex');
}
