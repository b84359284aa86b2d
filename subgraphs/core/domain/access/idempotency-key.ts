import { hash } from 'node:crypto';
import { canonicalJson } from '../audit/canonical-json.ts';
import { refuse } from '../errors.ts';

/**
 * A write that happens once: `id` is made of who asks and the client's key, `request` of everything that is asked. `step` tells the transactions of
 * one request apart that run the same command, e.g. for each of some drafts.
 */
export type IdempotencyKey = { id: string; request: string; step?: string };

/** An answer as it was sent: its status, its Location, its body. */
export type StoredResponse = { status: number; location: string | null; body: string | null };

/** What is kept of such a write: `answer` is null while it is not stored, or too large; `toldOnce`: it held a secret, so nothing of it is kept. */
export type StoredWrite = { request: string; toldOnce: boolean; answer: StoredResponse | null };

/** Hours for which a key is kept. */
export const IDEMPOTENCY_KEY_HOURS = 24;

/**
 * The write under a client's key. Keys belong to a user in a role, whichever of its tokens it uses, so that a fresh token finds what was done
 * with the one before. A key is 1 to 255 visible ASCII characters; in quotes (a structured field) it is the same key. Refuses another one.
 */
export function idempotencyKey(key: string, actor: { id: string; role: string }, request: unknown): IdempotencyKey {
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key;
  if (!/^[\x21-\x7e]{1,255}$/.test(bare))
    refuse('validation_failed', 'An Idempotency-Key has 1 to 255 visible ASCII characters, e.g. a UUID.', {
      errors: [{ path: '/Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  return { id: digest([actor.id, actor.role, bare]), request: digest(request) };
}

/** The same write with the content it brings, which is known only when it has arrived. */
export function withContent(once: IdempotencyKey, sha256: string): IdempotencyKey {
  return { id: once.id, request: digest([once.request, sha256]) };
}

/**
 * Refuses what cannot be repeated under a key that was used: another request (`idempotency_mismatch`), and one whose answer is told only once
 * (`response_not_replayable`).
 */
export function assertReplayable(kept: Pick<StoredWrite, 'request' | 'toldOnce'>, once: IdempotencyKey): void {
  if (kept.request !== once.request)
    refuse(
      'idempotency_mismatch',
      `This Idempotency-Key was used for another request within the last ${IDEMPOTENCY_KEY_HOURS} hours. Use a fresh key for each request.`,
    );
  if (kept.toldOnce)
    refuse(
      'response_not_replayable',
      'This was done, and what was made is told in the first answer alone. If that is lost, revoke what was made and ask anew with a fresh key.',
    );
}

function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}
