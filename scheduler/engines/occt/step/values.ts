import { decodeStepString } from '../../../../subgraphs/core/domain/formats/decode-step-string.ts';
import { fail } from '../job-failure.ts';
import { readId, skipBlank, skipString } from './scan.ts';

/** An argument of a STEP entity; `$` and `*` are null. */
export type Value =
  | null
  | number
  | string
  | Value[]
  | { ref: number }
  | { word: string }
  | { typed: string; values: Value[] };

/** Parses arguments from `at`, after the opening parenthesis. `findStatementEnd` has checked the parentheses. */
export function parseValues(text: string, at: number): { values: Value[]; next: number } {
  const values: Value[] = [];
  for (;;) {
    at = skipBlank(text, at);
    const c = text[at];
    if (c === ')') return { values, next: at + 1 };
    if (c === ',') {
      at++;
      continue;
    }
    const item = parseValue(text, at, c);
    values.push(item.value);
    at = item.next;
  }
}

const failStructure = () => fail('structure', 'STEP file is damaged: its product structure cannot be read');

/** Returns the entity number of a reference, or null for a value of another kind. */
export const referenceIn = (value: Value | undefined): number | null =>
  typeof value === 'object' && value !== null && 'ref' in value ? value.ref : null;

// These functions throw JobFailure `structure` for a value of another kind.

/** Returns the entity number of a reference. */
export function referenceOf(value: Value | undefined): number {
  return typeof value === 'object' && value !== null && 'ref' in value ? value.ref : failStructure();
}

/** Returns the value as a list. */
export function listOf(value: Value | undefined): Value[] {
  return Array.isArray(value) ? value : failStructure();
}

/** Returns the value as a string; null becomes the empty string. */
export function textOf(value: Value | undefined): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : failStructure();
}

/** Returns three numbers: a point or a direction. */
export function tripleOf(value: Value | undefined): [number, number, number] {
  const [x, y, z] = listOf(value);
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' ? [x, y, z] : failStructure();
}

/** Returns a number, plain or in a typed value such as LENGTH_MEASURE(25.4). */
export function measureOf(value: Value | undefined): number {
  if (typeof value === 'object' && value !== null && 'typed' in value) return measureOf(value.values[0]);
  return typeof value === 'number' ? value : failStructure();
}

/** Formats a number as ISO 10303-21 requires: with a decimal point and a capital E. */
export const real = (value: number): string =>
  value
    .toExponential()
    .toUpperCase()
    .replace(/^(-?\d+)E/, '$1.E');

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const WORD = /[A-Za-z_][A-Za-z_0-9]*/y;
const MAX_WORD_LENGTH = 4096;

function parseValue(text: string, at: number, c: string | undefined): { value: Value; next: number } {
  switch (c) {
    case '(': {
      const { values, next } = parseValues(text, at + 1);
      return { value: values, next };
    }
    case "'": {
      const next = skipString(text, at);
      return { value: decodeStepString(text.slice(at + 1, next - 1)), next };
    }
    case '$':
    case '*':
      return { value: null, next: at + 1 };
    case '#': {
      const [ref, next] = readId(text, at + 1);
      return { value: { ref }, next };
    }
    case '.':
    case '"':
      return parseDelimitedWord(text, at, c);
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text);
  if (number) return { value: Number(number[0]), next: NUMBER.lastIndex };
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0];
  if (!word) return fail('syntax', `STEP file is damaged at byte ${at}`);
  const after = skipBlank(text, at + word.length);
  if (text[after] !== '(') return { value: { word }, next: after };
  const { values, next } = parseValues(text, after + 1);
  return { value: { typed: word.toUpperCase(), values }, next };
}

// .ENUMERATION. or "binary". ISO 10303-21 requires a digit before the decimal point, so `.5` cannot occur.
function parseDelimitedWord(text: string, at: number, mark: '.' | '"'): { value: Value; next: number } {
  const end = text.indexOf(mark, at + 1);
  if (end < 0 || end > at + MAX_WORD_LENGTH) fail('syntax', `STEP file is damaged at byte ${at}`);
  return { value: { word: text.slice(at + 1, end) }, next: end + 1 };
}
