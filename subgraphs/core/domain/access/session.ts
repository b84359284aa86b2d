import { hash, randomBytes } from 'node:crypto';

const HOURS = 12;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** What a browser keeps of its session: 256 random bits in 43 characters that may stand in a cookie. */
export function generateSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of such a secret: its SHA-256, hex; null when the text is none. */
export function hashSessionSecret(secret: string): string | null {
  return SECRET.test(secret) ? hash('sha256', secret) : null;
}

/** When a session that begins now ends: after 12 hours, or with what it began with. */
export function sessionExpiry(now: Date, expiresAt: Date | null): Date {
  return new Date(Math.min(now.getTime() + HOURS * 3_600_000, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
}
