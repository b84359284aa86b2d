// Parses untrusted JSON.

import { refuse } from '../errors.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { findDuplicateKey } from './duplicate-key.ts';
import { describeJsonError } from './json-error.ts';

const DEFAULT_MAX_DEPTH = 64;

/**
 * Parses untrusted JSON, text or bytes; `label` names it in messages. Throws `validation_failed` for invalid UTF-8 or
 * JSON, nesting beyond `maxDepth`, numbers beyond a double (they would be written back as null), keys that could reach
 * the prototype of an object in a careless merge (`__proto__`, and `prototype` in `constructor`), and duplicate keys.
 */
export function parseJson(input: string | Uint8Array, label = 'The body', maxDepth = DEFAULT_MAX_DEPTH): unknown {
  const { text, value, keys } = parse(input, label, maxDepth);
  const path = findDuplicateKey(text, keys);
  if (path !== null) refuseJson(`${label} has the key ${path} twice. Remove one of them.`, 'is a duplicate key', path);
  return value;
}

/**
 * Parses JSON like `parseJson`, but accepts duplicate keys, which earlier versions stored. The last one counts, as for
 * JSON.parse.
 */
export function parseStoredJson(input: string | Uint8Array, label = 'The file', maxDepth = DEFAULT_MAX_DEPTH): unknown {
  return parse(input, label, maxDepth).value;
}

function parse(
  input: string | Uint8Array,
  label: string,
  maxDepth: number,
): { text: string; value: unknown; keys: number } {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  if (text === null) return refuseJson(`${label} is not UTF-8.`, 'must be UTF-8');
  const value = parseText(text, label);
  return { text, value, keys: checkValue(value, label, maxDepth) };
}

// Checks depth, numbers and keys, and returns the number of keys. Goes level by level, so that deep nesting cannot
// exhaust the stack.
function checkValue(value: unknown, label: string, maxDepth: number): number {
  let keys = 0;
  let level = containers([value], label);
  for (let depth = 0; level.length; depth++) {
    if (depth === maxDepth)
      refuseJson(
        `${label} is nested deeper than ${maxDepth} levels.`,
        `must not be nested deeper than ${maxDepth} levels`,
      );
    for (const container of level) if (!Array.isArray(container)) keys += Object.keys(container).length;
    level = level.flatMap((container) => childrenOf(container, label));
  }
  return keys;
}

function parseText(text: string, label: string): unknown {
  const json = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(json);
  } catch {
    return refuseJson(`${label} is not JSON: ${describeJsonError(json)}.`, 'must be JSON');
  }
}

function childrenOf(container: object, label: string): object[] {
  if (Array.isArray(container)) return containers(container, label);
  for (const [key, child] of Object.entries(container))
    if (key === '__proto__' || (key === 'constructor' && isContainer(child) && Object.hasOwn(child, 'prototype')))
      refuseJson(`${label} contains the key "${key}", which is not accepted.`, `must not contain the key ${key}`);
  return containers(Object.values(container), label);
}

function containers(values: readonly unknown[], label: string): object[] {
  return values.filter((value): value is object => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      refuseJson(
        `${label} contains a number that is too large. The maximum is about 1.8e308.`,
        'must not contain a number beyond 1.8e308',
      );
    return isContainer(value);
  });
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refuseJson(detail: string, message: string, path = ''): never {
  return refuse('validation_failed', detail, { errors: [{ path, message }] });
}
