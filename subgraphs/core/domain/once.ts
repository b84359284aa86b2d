import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { refuse } from './errors.ts';

/** A write that happens once: `id` is made of who asks and the client's key, `request` of everything that is asked. */
export type Once = { id: string; request: string };

/** Hours for which a key is kept. */
export const KEPT_HOURS = 24;

/**
 * The write under a client's key. Keys belong to a user in a role, whichever of its tokens it uses, so that a fresh token finds what was done
 * with the one before. A key is 1 to 255 visible ASCII characters; in quotes (a structured field) it is the same key. Refuses another one.
 */
export function onceOf(key: string, actor: { id: string; role: string }, request: unknown): Once {
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key;
  if (!/^[\x21-\x7e]{1,255}$/.test(bare))
    refuse('validation_failed', 'An Idempotency-Key has 1 to 255 visible ASCII characters, e.g. a UUID.', {
      errors: [{ path: '/Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  return { id: digest([actor.id, actor.role, bare]), request: digest(request) };
}

/** The same write with the content it brings, which is known only when it has arrived. */
export function withContent(once: Once, sha256: string): Once {
  return { id: once.id, request: digest([once.request, sha256]) };
}

/** Refuses another request under a key that was used. */
export function sameRequest(kept: { request: string }, once: Once): void {
  if (kept.request !== once.request)
    refuse(
      'idempotency_mismatch',
      `This Idempotency-Key was used for another request within the last ${KEPT_HOURS} hours. Use a fresh key for each request.`,
    );
}

function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}
