// Sanitizes the file names and media types of uploads.

const MAX_LENGTH = 200;
const EXTENSION = /\.[^.]{1,20}$/u;
// Control characters, line separators, bidirectional controls and the byte order mark.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Returns a file name for storage and display: the last segment of the path, NFC, without control and bidirectional
 * characters, at most 200 characters (the extension is kept), or `file` if nothing is left. It is never used as a path
 * on disk.
 */
export function safeFileName(name: string | null | undefined): string {
  const clean = (name ?? '').toWellFormed().replace(INVISIBLE, '').normalize('NFC');
  const safe = truncate((clean.split(/[/\\]/).at(-1) ?? '').trim());
  return /^\.*$/.test(safe) ? 'file' : safe;
}

function truncate(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_LENGTH) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  return `${characters.slice(0, MAX_LENGTH - [...extension].length).join('')}${extension}`.trim();
}

const DEFAULT_TYPE = 'application/octet-stream';
// Clients send these by default for a raw body.
const CLIENT_DEFAULTS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Returns a media type as lower-case `type/subtype` without parameters, or `application/octet-stream` if it is not one.
 */
export function safeContentType(contentType: string | null | undefined): string {
  const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return type.length <= 100 &&
    /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(type) &&
    !CLIENT_DEFAULTS.includes(type)
    ? type
    : DEFAULT_TYPE;
}
