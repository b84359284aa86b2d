// Normalization and validation of names, comments and search text.

import { refuseField } from '../errors.ts';

/**
 * Folds text for search: removes compatibility forms, marks and case. "Café" equals "cafe"; "Größe" and "GROSSE"
 * differ.
 */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** Returns the lower-case form of a name, which is stored with the name for unique indexes. */
export function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC').trim();
}

/**
 * Returns a predicate for names equal to this one under Unicode simple case folding, without the rules of a language:
 * the micro sign equals μ, and ς equals σ. Accents count, and ß differs from ss.
 */
export function nameMatcher(name: string): (other: string) => boolean {
  const matches = nameKeyMatcher(name);
  return (other) => matches(foldCase(other));
}

/** Returns the same predicate for names that `foldCase` has folded. */
export function nameKeyMatcher(name: string): (nameKey: string) => boolean {
  const pattern = new RegExp(`^${RegExp.escape(foldCase(name))}$`, 'iu');
  return (nameKey) => pattern.test(nameKey);
}

/** Returns the folded words of a text in order: runs of letters and digits. */
export function splitWords(text: string | null | undefined): string[] {
  return foldForSearch(text ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

const MAX_NAME_LENGTH = 200;
const MAX_COMMENT_LENGTH = 4000;

/* biome-ignore-start lint/suspicious/noControlCharactersInRegex: the pattern matches control characters */
// Control characters, line separators and bidirectional controls.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const CONTROL_EXCEPT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
/* biome-ignore-end lint/suspicious/noControlCharactersInRegex: the pattern matches control characters */
// Spaces, joiners and combining marks.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{Cc}\p{Cf}]+/gu;

/**
 * Returns the name trimmed and in NFC. Throws `validation_failed` unless it has a visible character, at most 200
 * characters and no control characters.
 */
export function validateName(name: string, path = 'name'): string {
  const value = name.normalize('NFC').trim();
  if (!value) refuseField(path, 'must not be empty');
  if (!value.replace(INVISIBLE, '') && !CONTROL.test(value)) refuseField(path, 'must have a visible character');
  if ([...value].length > MAX_NAME_LENGTH) refuseField(path, `must have at most ${MAX_NAME_LENGTH} characters`);
  if (CONTROL.test(value)) refuseField(path, 'must not contain control characters');
  return value;
}

/**
 * Returns the comment or description trimmed and in NFC, null if it is empty. Throws `validation_failed` if it has over
 * 4,000 characters, or control characters other than tabs and line breaks.
 */
export function validateComment(text: string | null | undefined, path = 'comment'): string | null {
  const value = text?.normalize('NFC').trim();
  if (!value) return null;
  if ([...value].length > MAX_COMMENT_LENGTH) refuseField(path, `must have at most ${MAX_COMMENT_LENGTH} characters`);
  if (CONTROL_EXCEPT_LINES.test(value)) refuseField(path, 'must not contain control characters');
  return value;
}
