import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { refuse } from '../errors.ts';
import type { Role } from './permissions.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN = /^pdm_([0-9A-Za-z]{8})_([0-9A-Za-z]{32,})$/;

/** A token as its holder has it: `pdm_<8>_<32 random characters and a checksum for secret scanners in 6>`; 190 bits. */
export function generateToken(): string {
  const prefix = randomText(8);
  const secret = randomText(32);
  return `pdm_${prefix}_${secret}${checksum(`${prefix}_${secret}`)}`;
}

/** The part that finds the record; null when the text is no token. */
export function tokenPrefix(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}

/** What is stored of a token: SHA-256 of the whole, hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const NOBODY = hashToken('');

/** Compares in constant time, also when there is no record to compare with. */
export function tokenMatches(token: string, stored: string | undefined): boolean {
  const equal = timingSafeEqual(Buffer.from(hashToken(token), 'hex'), Buffer.from(stored ?? NOBODY, 'hex'));
  return equal && stored !== undefined;
}

const DAY = 86_400_000;
const DAYS = { usual: 90, worker: 365, most: 3650 };

/**
 * When a token that is made now ends: after so many days (1 to 3650), after 90 if nothing is said, a worker's after 365; null: never.
 * Refuses other numbers.
 */
export function tokenExpiry(role: Role, days: number | null | undefined, now: Date): Date | null {
  if (days === null) return null;
  const lasting = days ?? (role === 'worker' ? DAYS.worker : DAYS.usual);
  if (!Number.isInteger(lasting) || lasting < 1 || lasting > DAYS.most) {
    const message = `must be a whole number from 1 to ${DAYS.most}, or null: never`;
    refuse('validation_failed', `expiresInDays ${message}.`, { errors: [{ path: '/expiresInDays', message }] });
  }
  return new Date(now.getTime() + lasting * DAY);
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
