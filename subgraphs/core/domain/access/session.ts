// Browser sessions.

import { hash, randomBytes } from 'node:crypto';

const MAX_HOURS = 12;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Generates the session secret for a cookie: 256 random bits as 43 base64url characters. */
export function generateSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 (hex) under which a session is stored. Returns null if the text is not a session secret. */
export function hashSessionSecret(secret: string): string | null {
  return SECRET.test(secret) ? hash('sha256', secret) : null;
}

/** Returns when a new session expires: after 12 hours, or with the token it was created with if that is earlier. */
export function sessionExpiry(now: Date, expiresAt: Date | null): Date {
  return new Date(Math.min(now.getTime() + MAX_HOURS * 3_600_000, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
}
