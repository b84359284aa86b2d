import { refuse } from './errors.ts';
import type { DocumentKind } from './kinds.ts';

const PREFIX: Record<DocumentKind, string> = { model: 'PRT', assembly: 'ASM', code: 'GEN' };
const GENERATED = /^(PRT|ASM|GEN)-(\d{6,15})$/;
const NUMBER = /^[A-Z0-9][A-Z0-9.-]{0,39}$/;

/** The name of the counter that numbers a kind. */
export function counterPrefix(kind: DocumentKind): string {
  return PREFIX[kind];
}

/** PRT-000001 and so on: at least six digits. */
export function formatGeneratedNumber(kind: DocumentKind, ordinal: number): string {
  return `${PREFIX[kind]}-${String(ordinal).padStart(6, '0')}`;
}

/** The counter and place of a number that looks generated; null for any other. */
export function parseGeneratedNumber(number: string): { prefix: string; ordinal: number } | null {
  const match = GENERATED.exec(number);
  return match?.[1] && match[2] ? { prefix: match[1], ordinal: Number(match[2]) } : null;
}

/** A number given by a person: trimmed and upper-cased, up to 40 letters, digits, dots and dashes; it can never look like an id. */
export function validateNumber(given: string): string {
  const number = given.trim().toUpperCase();
  if (!NUMBER.test(number))
    refuse(
      'validation_failed',
      `"${given}" cannot be a document number: use up to 40 letters, digits, dots and dashes, beginning with a letter or digit.`,
      {
        errors: [{ path: '/number', message: 'must match ^[A-Z0-9][A-Z0-9.-]{0,39}$' }],
      },
    );
  return number;
}
