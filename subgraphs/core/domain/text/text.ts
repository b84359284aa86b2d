import { refuse } from '../errors.ts';

/**
 * Text folded for comparison and search: compatibility forms and marks removed, lower case ("Größe" and "GROSSE" differ, "Café" and "cafe" do not).
 */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** A name in lower case, as it is stored beside the name: no index takes two alike. */
export function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC').trim();
}

/**
 * Whether another name is this one, where no two may be equal: their case does not count, in Unicode's simple folding and no language's rules (µ the sign is μ the letter,
 * ς is σ). Accents count, and ß is not ss: Maße are not Masse.
 */
export function nameMatcher(name: string): (other: string) => boolean {
  const same = new RegExp(`^${RegExp.escape(foldCase(name))}$`, 'iu');
  return (other) => same.test(foldCase(other));
}

/** The folded words of a text in their order: runs of letters and digits. */
export function splitWords(text: string | null | undefined): string[] {
  return foldForSearch(text ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

const NAME_LENGTH = 200;
const COMMENT_LENGTH = 4000;

/* biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is looked for */
// what steers a terminal, ends a line or turns the direction of text
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const STEERING_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
/* biome-ignore-end lint/suspicious/noControlCharactersInRegex: they are what is looked for */
// spaces, joiners, marks without a letter
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{Cc}\p{Cf}]+/gu;

/** A name as it is stored: trimmed, NFC. Refuses one without a character that is seen, one over 200 characters, and control characters. */
export function validateName(name: string, path = 'name'): string {
  const value = name.normalize('NFC').trim();
  if (!value) fault(path, 'must not be empty');
  if (!value.replace(UNSEEN, '') && !STEERING.test(value)) fault(path, 'must have a character that is seen');
  if ([...value].length > NAME_LENGTH) fault(path, `must have at most ${NAME_LENGTH} characters`);
  if (STEERING.test(value)) fault(path, 'must not contain control characters');
  return value;
}

/** A comment or description as it is stored: NFC, null when empty. Refuses one over 4,000 characters, and control characters but tabs and ends of lines. */
export function validateComment(text: string | null | undefined, path = 'comment'): string | null {
  const value = text?.normalize('NFC').trim();
  if (!value) return null;
  if ([...value].length > COMMENT_LENGTH) fault(path, `must have at most ${COMMENT_LENGTH} characters`);
  if (STEERING_IN_LINES.test(value)) fault(path, 'must not contain control characters');
  return value;
}

function fault(path: string, message: string): never {
  return refuse('validation_failed', `${path} ${message}.`, { errors: [{ path: `/${path}`, message }] });
}
