// Signed, short-lived links. Each gives access to one content, which engines outside of PDM load without a token.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The key that signs links, and the public base URL of the service (null: that of the request). */
export type Links = { key: Buffer; publicUrl: string | null };

/** Derives the link key from the installation secret, so that each use of the secret has its own key. */
export function deriveLinkKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'pdm signed links', 32));
}

const LIFETIME_SECONDS = 3_600;
const STEP_SECONDS = 900;

/**
 * Returns when a link expires that is signed now: after at least an hour. The result is the same for a quarter of an
 * hour, so that links stay the same and engines can cache their contents.
 */
export function linkExpiry(now: Date): Date {
  return new Date(Math.ceil((now.getTime() / 1000 + LIFETIME_SECONDS) / STEP_SECONDS) * STEP_SECONDS * 1000);
}

/** Returns the path with file name, expiry and signature as its query. */
export function signPath(key: Buffer, path: string, name: string, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const query = new URLSearchParams({ name, expires: String(expires) });
  query.set('signature', signatureOf(key, path, name, String(expires)));
  return `${path}?${query}`;
}

/** Verifies a path and its query. A missing signature counts as `invalid`. */
export function verifySignedPath(
  key: Buffer,
  path: string,
  query: Readonly<Record<string, unknown>>,
  now: Date,
): 'valid' | 'expired' | 'invalid' {
  const { name, expires, signature } = query;
  if (typeof name !== 'string' || typeof expires !== 'string' || typeof signature !== 'string') return 'invalid';
  if (!equals(signatureOf(key, path, name, expires), signature)) return 'invalid';
  return Number(expires) * 1000 > now.getTime() ? 'valid' : 'expired';
}

// JSON separates the fields unambiguously.
function signatureOf(key: Buffer, path: string, name: string, expires: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([path, name, expires]))
    .digest('base64url');
}

function equals(expected: string, actual: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(actual)];
  return left.length === right.length && timingSafeEqual(left, right);
}
