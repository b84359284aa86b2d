// Document numbers.

import { refuse } from './errors.ts';
import type { DocumentKind } from './kinds.ts';

const PREFIX: Record<DocumentKind, string> = { model: 'PRT', assembly: 'ASM', code: 'GEN' };
const GENERATED = /^(PRT|ASM|GEN)-(\d{6,15})$/;
const NUMBER = /^[A-Z0-9][A-Z0-9.-]{0,39}$/;

/** Returns the prefix of generated numbers of a kind, which also names their counter. */
export function counterPrefix(kind: DocumentKind): string {
  return PREFIX[kind];
}

/** Returns a generated number with at least six digits, e.g. PRT-000001. */
export function formatGeneratedNumber(kind: DocumentKind, ordinal: number): string {
  return `${PREFIX[kind]}-${String(ordinal).padStart(6, '0')}`;
}

/** Returns the prefix and ordinal of a number in the generated format, null for any other number. */
export function parseGeneratedNumber(number: string): { prefix: string; ordinal: number } | null {
  const match = GENERATED.exec(number);
  return match?.[1] && match[2] ? { prefix: match[1], ordinal: Number(match[2]) } : null;
}

/**
 * Returns a number chosen by a user, trimmed and in upper case. Throws `validation_failed` unless it is valid; ids are
 * not.
 */
export function validateNumber(input: string): string {
  const number = input.trim().toUpperCase();
  if (!NUMBER.test(number))
    refuse(
      'validation_failed',
      `"${input}" is not a valid document number. Use up to 40 letters, digits, dots and dashes, starting with a letter or digit.`,
      {
        errors: [{ path: '/number', message: 'must match ^[A-Z0-9][A-Z0-9.-]{0,39}$' }],
      },
    );
  return number;
}
