import { refuse } from '../refusal.ts';
import { decodeString } from './characters.ts';
import { readId, skipBlank, skipString } from './scan.ts';

/** One argument of a STEP entity; `$` and `*` are null. */
export type Value =
  | null
  | number
  | string
  | Value[]
  | { ref: number }
  | { word: string }
  | { typed: string; values: Value[] };

/** The arguments after the bracket at `at - 1`. The statement has passed `statementEnd`, so its brackets match and are not nested deep. */
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

// What an entity should hold and does not is one refusal: its product structure cannot be followed.
const notWhatItShouldBe = () => refuse('structure', 'STEP file is damaged: its product structure cannot be followed');

/** The entity number of a reference. */
export function referenceOf(value: Value | undefined): number {
  return typeof value === 'object' && value !== null && 'ref' in value ? value.ref : notWhatItShouldBe();
}

/** A list of values. */
export function listOf(value: Value | undefined): Value[] {
  return Array.isArray(value) ? value : notWhatItShouldBe();
}

/** A text; an absent one is empty. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : value === null ? '' : notWhatItShouldBe();
}

/** Three numbers: a point or a direction. */
export function tripleOf(value: Value | undefined): [number, number, number] {
  const [x, y, z] = listOf(value);
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' ? [x, y, z] : notWhatItShouldBe();
}

/** A number, bare or as a typed value such as LENGTH_MEASURE(25.4). */
export function measureOf(value: Value | undefined): number {
  if (typeof value === 'object' && value !== null && 'typed' in value) return measureOf(value.values[0]);
  return typeof value === 'number' ? value : notWhatItShouldBe();
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const WORD = /[A-Za-z_][A-Za-z_0-9]*/y;
const LONGEST_WORD = 4096;

function parseValue(text: string, at: number, c: string | undefined): { value: Value; next: number } {
  switch (c) {
    case '(': {
      const { values, next } = parseValues(text, at + 1);
      return { value: values, next };
    }
    case "'": {
      const next = skipString(text, at);
      return { value: decodeString(text.slice(at + 1, next - 1)), next };
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
      return parseWordBetween(text, at, c);
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text);
  if (number) return { value: Number(number[0]), next: NUMBER.lastIndex };
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0];
  if (!word) return refuse('syntax', `STEP file is damaged at byte ${at}`);
  const after = skipBlank(text, at + word.length);
  if (text[after] !== '(') return { value: { word }, next: after };
  const { values, next } = parseValues(text, after + 1);
  return { value: { typed: word.toUpperCase(), values }, next };
}

// .ENUMERATION. or "binary"; a number such as .5 starts with a point too, but STEP does not write it.
function parseWordBetween(text: string, at: number, mark: '.' | '"'): { value: Value; next: number } {
  const end = text.indexOf(mark, at + 1);
  if (end < 0 || end > at + LONGEST_WORD) refuse('syntax', `STEP file is damaged at byte ${at}`);
  return { value: { word: text.slice(at + 1, end) }, next: end + 1 };
}
