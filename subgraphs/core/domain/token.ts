import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN = /^pdm_([0-9A-Za-z]{8})_([0-9A-Za-z]{32,})$/;

/** A token as its holder has it: `pdm_<8>_<32 random characters and a checksum for secret scanners in 6>`; 190 bits. */
export function newToken(): string {
  const prefix = randomText(8);
  const secret = randomText(32);
  return `pdm_${prefix}_${secret}${checksum(`${prefix}_${secret}`)}`;
}

/** The part that finds the record; null when the text is no token. */
export function tokenPrefix(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}

/** What is stored of a token: SHA-256 of the whole, hex. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const NOBODY = tokenHash('');

/** Compares in constant time, also when there is no record to compare with. */
export function tokenMatches(token: string, stored: string | undefined): boolean {
  const equal = timingSafeEqual(Buffer.from(tokenHash(token), 'hex'), Buffer.from(stored ?? NOBODY, 'hex'));
  return equal && stored !== undefined;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
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
