import { refuse } from '../errors.ts';
import { findDuplicateKey } from './duplicate-key.ts';
import { decodeUtf8 } from './decode-utf8.ts';

const USUAL_DEPTH = 64;

/**
 * Reads JSON that came from outside, as text or as bytes. Refuses with `validation_failed`: bytes that are not UTF-8, text that is no JSON, nesting deeper than `deepest`, numbers beyond what a
 * double holds (JSON has no word for what they would become: the next reader would find null), keys that could reach the prototype of an object in
 * a careless merge (`__proto__`, and `prototype` inside `constructor`), and a key that stands twice in an object.
 */
export function parseJson(given: string | Uint8Array, what = 'The body', deepest = USUAL_DEPTH): unknown {
  const { text, value, keys } = read(given, what, deepest);
  const twice = findDuplicateKey(text, keys);
  if (twice !== null) fault(`${what} has ${twice} twice. Which of the two is meant?`, 'is there twice', twice);
  return value;
}

/** The same for what was stored before, where keys that stand twice were let in: the last one counts, as for JSON.parse. */
export function parseStoredJson(given: string | Uint8Array, what = 'The file', deepest = USUAL_DEPTH): unknown {
  return read(given, what, deepest).value;
}

function read(
  given: string | Uint8Array,
  what: string,
  deepest: number,
): { text: string; value: unknown; keys: number } {
  const text = typeof given === 'string' ? given : decodeUtf8(given);
  if (text === null) return fault(`${what} is not UTF-8.`, 'must be UTF-8');
  const value = parsed(text, what);
  return { text, value, keys: checkJson(value, what, deepest) };
}

/**
 * What holds for a value whoever has parsed it: its depth, numbers and hostile keys; answers how many keys it has. It goes level by level, so that no nesting can
 * exhaust the stack.
 */
export function checkJson(value: unknown, what = 'The body', deepest = USUAL_DEPTH): number {
  let keys = 0;
  let level = containers([value], what);
  for (let depth = 0; level.length; depth++) {
    if (depth === deepest)
      fault(`${what} is nested deeper than ${deepest} levels.`, `must not be nested deeper than ${deepest} levels`);
    for (const container of level) if (!Array.isArray(container)) keys += Object.keys(container).length;
    level = level.flatMap((container) => childrenOf(container, what));
  }
  return keys;
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return fault(`${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`, 'must be JSON');
  }
}

function childrenOf(container: object, what: string): object[] {
  if (Array.isArray(container)) return containers(container, what);
  for (const [key, child] of Object.entries(container))
    if (key === '__proto__' || (key === 'constructor' && isObject(child) && Object.hasOwn(child, 'prototype')))
      fault(`${what} holds the key "${key}", which is not accepted.`, `must not hold the key ${key}`);
  return containers(Object.values(container), what);
}

function containers(values: readonly unknown[], what: string): object[] {
  return values.filter((value): value is object => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      fault(
        `${what} holds a number that is too large: at most about 1.8e308 can be kept.`,
        'must not hold a number beyond 1.8e308',
      );
    return isObject(value);
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fault(message: string, short: string, path = ''): never {
  return refuse('validation_failed', message, { errors: [{ path, message: short }] });
}
