// Links that need no token: an engine outside loads by them what an asm.json refers to. They are short-lived, and good for one content only.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What links are signed with, and the address under which people reach the service (null: whichever a request came by). */
export type Links = { key: Buffer; publicUrl: string | null };

/** The key of the links, derived from the installation's secret, so that no two uses of the secret share a key. */
export function linkKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'pdm signed links', 32));
}

const LIFETIME_SECONDS = 3_600;
const STEP_SECONDS = 900;

/**
 * The path with the file name it is for, its end and a signature over all of it. It is good for an hour at least, and the same for a
 * quarter of an hour: an engine that asks twice loads nothing twice.
 */
export function signedPath(key: Buffer, path: string, name: string, now: Date): string {
  const expires = Math.ceil((now.getTime() / 1000 + LIFETIME_SECONDS) / STEP_SECONDS) * STEP_SECONDS;
  const query = new URLSearchParams({ name, expires: String(expires) });
  query.set('signature', signatureOf(key, path, name, String(expires)));
  return `${path}?${query}`;
}

/** Whether a path and its query are as they were signed: `good`, `expired`, or `forged` (also: not signed at all). */
export function checkSigned(
  key: Buffer,
  path: string,
  query: Readonly<Record<string, unknown>>,
  now: Date,
): 'good' | 'expired' | 'forged' {
  const { name, expires, signature } = query;
  if (typeof name !== 'string' || typeof expires !== 'string' || typeof signature !== 'string') return 'forged';
  if (!same(signatureOf(key, path, name, expires), signature)) return 'forged';
  return Number(expires) * 1000 > now.getTime() ? 'good' : 'expired';
}

// As a JSON list no two triples are the same text.
function signatureOf(key: Buffer, path: string, name: string, expires: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([path, name, expires]))
    .digest('base64url');
}

function same(wanted: string, given: string): boolean {
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
