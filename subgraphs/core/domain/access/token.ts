// Access tokens.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { refuse } from '../errors.ts';
import type { Role } from './permissions.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN = /^pdm_([0-9A-Za-z]{8})_([0-9A-Za-z]{32,})$/;

/**
 * Generates a token: `pdm_`, an 8-character prefix, `_`, 32 random characters (190 bits) and a 6-character checksum for
 * secret scanners.
 */
export function generateToken(): string {
  const prefix = randomText(8);
  const secret = randomText(32);
  return `pdm_${prefix}_${secret}${checksum(`${prefix}_${secret}`)}`;
}

/** Returns the prefix, by which tokens are looked up. Returns null if the text is not a token. */
export function tokenPrefix(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}

/** Returns the SHA-256 (hex) under which a token is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const EMPTY_HASH = hashToken('');

/** Compares a token with a stored hash in constant time, even if `stored` is undefined. */
export function tokenMatches(token: string, stored: string | undefined): boolean {
  const equal = timingSafeEqual(Buffer.from(hashToken(token), 'hex'), Buffer.from(stored ?? EMPTY_HASH, 'hex'));
  return equal && stored !== undefined;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const DEFAULT_WORKER_DAYS = 365;
const MAX_DAYS = 3650;

/**
 * Returns when a new token expires: after 1 to 3650 days, by default 90, or 365 for a worker; null (never) if `days` is
 * null. Throws `validation_failed` for other numbers.
 */
export function tokenExpiry(role: Role, days: number | null | undefined, now: Date): Date | null {
  if (days === null) return null;
  const lifetime = days ?? (role === 'worker' ? DEFAULT_WORKER_DAYS : DEFAULT_DAYS);
  if (!Number.isInteger(lifetime) || lifetime < 1 || lifetime > MAX_DAYS) {
    const message = `must be an integer from 1 to ${MAX_DAYS}, or null for no expiry`;
    refuse('validation_failed', `expiresInDays ${message}.`, { errors: [{ path: '/expiresInDays', message }] });
  }
  return new Date(now.getTime() + lifetime * DAY_MS);
}

// 248 is 4 × 62: larger bytes are rejected, so that all characters are equally likely.
function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
  return text;
}

function checksum(text: string): string {
  let remaining = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = ALPHABET[remaining % 62] + digits;
    remaining = Math.floor(remaining / 62);
  }
  return digits;
}
