import { LIMITS } from '../limits.ts';
import { refuse } from '../refusal.ts';

// STEP text (ISO 10303-21) is hostile input: every loop here is linear in the length of the file and nothing recurses.

/** Index of the first character at or after `at` that is neither blank nor inside a comment. */
export function skipBlank(text: string, at: number): number {
  for (;;) {
    while (text.charCodeAt(at) <= SPACE) at++;
    if (text.charCodeAt(at) !== SLASH || text.charCodeAt(at + 1) !== STAR) return at;
    const end = text.indexOf('*/', at + 2);
    if (end < 0) refuse('syntax', `STEP file is damaged: the comment at byte ${at} does not end`);
    at = end + 2;
  }
}

/** Index after the string that starts at `at`; doubled quotes stay inside. */
export function skipString(text: string, at: number): number {
  for (;;) {
    at = text.indexOf("'", at + 1);
    if (at < 0) refuse('truncated', 'STEP file is cut off: a string does not end');
    if (text.charCodeAt(at + 1) !== QUOTE) return at + 1;
    at++;
  }
}

/**
 * Index of the semicolon that ends the statement at `at`. Hands every `#n` outside strings and comments to `onReference` and refuses what would
 * harm the kernel: brackets that are nested too deep or do not match, and numbers with an exponent beyond 150.
 */
export function statementEnd(text: string, at: number, onReference?: (id: number) => void): number {
  let depth = 0;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === SEMICOLON) {
      if (depth) refuse('syntax', `STEP file is damaged: the list before byte ${at} does not end`);
      return at;
    }
    if (c === QUOTE) at = skipString(text, at);
    else if (c === OPEN) {
      if (++depth > LIMITS.nesting) refuse('syntax', 'STEP file is damaged: brackets are nested too deep');
      at++;
    } else if (c === CLOSE) {
      if (--depth < 0) refuse('syntax', `STEP file is damaged at byte ${at}`);
      at++;
    } else if (c === HASH && onReference) {
      const [id, next] = readId(text, at + 1);
      onReference(id);
      at = next;
    } else if (c === UPPER_E || c === LOWER_E) {
      checkExponent(text, at);
      at++;
    } else if (c === SLASH && text.charCodeAt(at + 1) === STAR) at = skipBlank(text, at);
    else if (Number.isNaN(c)) refuse('truncated', 'STEP file is cut off: a statement does not end');
    else at++;
  }
}

/** The number written at `at` and the index after its last digit. */
export function readId(text: string, at: number): [id: number, next: number] {
  let id = 0;
  for (;;) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return [id, at];
    id = id * 10 + digit;
    at++;
  }
}

const SPACE = 32;
const HASH = 35;
const QUOTE = 39;
const OPEN = 40;
const CLOSE = 41;
const STAR = 42;
const POINT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
const SEMICOLON = 59;
const UPPER_E = 69;
const LOWER_E = 101;
const EXPONENT = /\+?\d{1,9}/y;
const LARGEST_EXPONENT = 150;

// What overflows when it is squared makes the kernel trap or loop. Noise next to zero (4.9E-324) does no harm and is found in good files.
function checkExponent(text: string, at: number): void {
  const before = text.charCodeAt(at - 1);
  if (before < POINT || before > NINE) return;
  EXPONENT.lastIndex = at + 1;
  if (Number(EXPONENT.exec(text)?.[0]) > LARGEST_EXPONENT)
    refuse('bad_number', `STEP file is damaged: the number at byte ${at} is out of range`);
}
