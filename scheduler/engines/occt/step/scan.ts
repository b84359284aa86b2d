import { fail } from '../job-failure.ts';
import { LIMITS } from '../limits.ts';

// STEP text (ISO 10303-21) is untrusted: every function is linear in the length of the file and none recurses.

/** Returns the index of the first character at or after `at` that is neither whitespace nor in a comment. */
export function skipBlank(text: string, at: number): number {
  for (;;) {
    while (text.charCodeAt(at) <= SPACE) at++;
    if (text.charCodeAt(at) !== SLASH || text.charCodeAt(at + 1) !== STAR) return at;
    const end = text.indexOf('*/', at + 2);
    if (end < 0) fail('syntax', `STEP file is damaged: the comment at byte ${at} is not terminated`);
    at = end + 2;
  }
}

/** Returns the index after the string that starts at `at`. Doubled quotes are part of the string. */
export function skipString(text: string, at: number): number {
  for (;;) {
    at = text.indexOf("'", at + 1);
    if (at < 0) fail('truncated', 'STEP file is truncated: a string is not terminated');
    if (text.charCodeAt(at + 1) !== QUOTE) return at + 1;
    at++;
  }
}

/** Receives every `#n` outside strings and comments, and the index of the `e` of every number with a small one. */
export type Visitor = { reference(id: number): void; smallExponent(at: number): void };

/**
 * Returns the index of the semicolon that ends the statement at `at`. Throws JobFailure for input that would harm the kernel: unbalanced or deeply nested
 * parentheses, exponents above 150.
 */
export function findStatementEnd(text: string, at: number, visitor?: Visitor): number {
  let depth = 0;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === SEMICOLON) {
      if (depth) fail('syntax', `STEP file is damaged: the list before byte ${at} is not terminated`);
      return at;
    }
    if (c === QUOTE) at = skipString(text, at);
    else if (c === OPEN) {
      if (++depth > LIMITS.nesting) fail('syntax', 'STEP file is damaged: parentheses are nested too deeply');
      at++;
    } else if (c === CLOSE) {
      if (--depth < 0) fail('syntax', `STEP file is damaged at byte ${at}`);
      at++;
    } else if (c === HASH && visitor) {
      const [id, next] = readId(text, at + 1);
      visitor.reference(id);
      at = next;
    } else if (c === UPPER_E || c === LOWER_E) {
      checkExponent(text, at);
      if (c === LOWER_E && visitor && isExponent(text, at)) visitor.smallExponent(at);
      at++;
    } else if (c === SLASH && text.charCodeAt(at + 1) === STAR) at = skipBlank(text, at);
    else if (Number.isNaN(c)) fail('truncated', 'STEP file is truncated: a statement is not terminated');
    else at++;
  }
}

/** Returns the decimal number at `at` and the index after it. */
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
const MAX_EXPONENT = 150;

// Numbers that overflow when squared make the kernel trap or loop. Tiny ones (4.9E-324) are harmless and do occur.
function checkExponent(text: string, at: number): void {
  const before = text.charCodeAt(at - 1);
  if (before < POINT || before > NINE) return;
  EXPONENT.lastIndex = at + 1;
  if (Number(EXPONENT.exec(text)?.[0]) > MAX_EXPONENT)
    fail('bad_number', `STEP file is damaged: the number at byte ${at} is out of range`);
}

const REAL_BEFORE_EXPONENT = /(^|[^\w.])\d+\.?\d*$/;
const DIGIT_OF_EXPONENT = /[+-]?\d/y;

// `axis2e1` is a name.
function isExponent(text: string, at: number): boolean {
  DIGIT_OF_EXPONENT.lastIndex = at + 1;
  return DIGIT_OF_EXPONENT.test(text) && REAL_BEFORE_EXPONENT.test(text.slice(Math.max(0, at - 40), at));
}
