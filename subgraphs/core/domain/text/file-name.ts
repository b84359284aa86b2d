const LENGTH = 200;
const ENDING = /\.[^.]{1,20}$/u;
// control characters, line separators, and the characters that turn the direction of text or are not seen at its start
const UNSEEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A file name as it is stored and shown: the last segment of whatever path was sent, without control and direction characters, NFC,
 * at most 200 characters (the ending is kept); `file` when nothing is left. It never names a file on a disk.
 */
export function safeFileName(given: string | null | undefined): string {
  const clean = (given ?? '').toWellFormed().replace(UNSEEN, '').normalize('NFC');
  const name = shortened((clean.split(/[/\\]/).at(-1) ?? '').trim());
  return /^\.*$/.test(name) ? 'file' : name;
}

function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= LENGTH) return name;
  const ending = ENDING.exec(name)?.[0] ?? '';
  return `${letters.slice(0, LENGTH - [...ending].length).join('')}${ending}`.trim();
}

const OCTETS = 'application/octet-stream';
// what clients send when nobody told them the type of a raw body
const MEANINGLESS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** A media type as it is stored: `type/subtype` in lower case without parameters; anything else is `application/octet-stream`. */
export function safeContentType(given: string | null | undefined): string {
  const type = (given ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return type.length <= 100 &&
    /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(type) &&
    !MEANINGLESS.includes(type)
    ? type
    : OCTETS;
}
