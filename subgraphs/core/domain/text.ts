import { refuse } from './errors.ts';

/**
 * Text folded for comparison and search: compatibility forms and marks removed, lower case ("Größe" and "GROSSE" differ, "Café" and "cafe" do not).
 */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** What names are compared by where no two may be equal: their case does not count, accents do. */
export function caseless(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC').trim();
}

/** The folded words of a text in their order: runs of letters and digits. */
export function wordsOf(text: string | null | undefined): string[] {
  return folded(text ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

const NAME_LENGTH = 200;
const COMMENT_LENGTH = 4000;

/** A name as it is stored: trimmed, NFC. Refuses an empty one, one over 200 characters, and control characters. */
export function checkedName(name: string, path = 'name'): string {
  const value = name.normalize('NFC').trim();
  if (!value) fault(path, 'must not be empty');
  if ([...value].length > NAME_LENGTH) fault(path, `must have at most ${NAME_LENGTH} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(value)) fault(path, 'must not contain control characters');
  return value;
}

/** A comment or description as it is stored: NFC, null when empty. Refuses one over 4,000 characters. */
export function checkedComment(text: string | null | undefined, path = 'comment'): string | null {
  const value = text?.normalize('NFC').trim();
  if (!value) return null;
  if ([...value].length > COMMENT_LENGTH) fault(path, `must have at most ${COMMENT_LENGTH} characters`);
  return value;
}

function fault(path: string, message: string): never {
  return refuse('validation_failed', `${path} ${message}.`, { errors: [{ path: `/${path}`, message }] });
}
