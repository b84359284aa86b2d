// Idempotency keys: a repeated request under the same key returns the stored response of the first.

import { hash } from 'node:crypto';
import { canonicalJson } from '../audit/canonical-json.ts';
import { refuse } from '../errors.ts';

/**
 * The idempotency key of a request: `id` identifies the user and the key, `request` the content of the request. `step`
 * distinguishes the transactions of one request that run the same command.
 */
export type IdempotencyKey = { id: string; request: string; step?: string };

export type StoredResponse = { status: number; location: string | null; body: string | null };

/**
 * The stored write of a key. `answer` is null until the response is stored, and if it is too large. `toldOnce` is true
 * if the response contains a secret, so that it is never stored.
 */
export type StoredWrite = { request: string; toldOnce: boolean; answer: StoredResponse | null };

/** The time after which a key expires, in hours. */
export const IDEMPOTENCY_KEY_HOURS = 24;

/**
 * Returns the idempotency key of a request. A key belongs to a user and role, so that it is found again with another
 * token. Double quotes around the key are ignored (a structured field). Throws `validation_failed` unless it has 1 to
 * 255 visible ASCII characters.
 */
export function idempotencyKey(key: string, actor: { id: string; role: string }, request: unknown): IdempotencyKey {
  const unquoted = /^"(.*)"$/.exec(key)?.[1] ?? key;
  if (!/^[\x21-\x7e]{1,255}$/.test(unquoted))
    refuse('validation_failed', 'An Idempotency-Key must be 1 to 255 visible ASCII characters, e.g. a UUID.', {
      errors: [{ path: '/Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  return { id: digest([actor.id, actor.role, unquoted]), request: digest(request) };
}

/** Adds the SHA-256 of an upload to the request of a key. It is known only after the upload. */
export function withContent(key: IdempotencyKey, sha256: string): IdempotencyKey {
  return { id: key.id, request: digest([key.request, sha256]) };
}

/**
 * Throws `idempotency_mismatch` if the key was used for another request, `response_not_replayable` if the response
 * contained a secret.
 */
export function assertReplayable(stored: Pick<StoredWrite, 'request' | 'toldOnce'>, key: IdempotencyKey): void {
  if (stored.request !== key.request)
    refuse(
      'idempotency_mismatch',
      `This Idempotency-Key was used for another request within the last ${IDEMPOTENCY_KEY_HOURS} hours. Use a new key for each request.`,
    );
  if (stored.toldOnce)
    refuse(
      'response_not_replayable',
      'The request succeeded, but its response contained a secret, which is shown only once. If you do not have it, revoke what the request created and repeat it with a new key.',
    );
}

function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}
