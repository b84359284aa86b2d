// Canonical JSON (RFC 8785).
import type { FieldError } from '../errors.ts';

/**
 * Returns the canonical JSON of a value (RFC 8785): no whitespace, object keys sorted by UTF-16 code units. Values
 * without JSON are omitted from objects and null in arrays, as in JSON.stringify; dates are RFC 3339 strings. Throws
 * RangeError for strings that are not well-formed.
 */
export function canonicalJson(value: unknown): string {
  // Fast path: JSON.stringify of a sorted copy takes half the time of writing piece by piece.
  const sorted = sortKeys(value);
  const text = sorted === UNSORTABLE ? undefined : JSON.stringify(sorted);
  return text === undefined || text.includes(LONE_SURROGATE) ? (write(value) ?? 'null') : text;
}

/**
 * Returns the first part of an untrusted value that has no canonical JSON, with its JSON pointer: a lone surrogate or
 * an infinite number.
 */
export function findNonCanonical(value: unknown, path = ''): FieldError | null {
  if (typeof value === 'string')
    return value.isWellFormed() ? null : { path, message: 'must not contain a lone surrogate' };
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { path, message: 'must not be an infinite number' };
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (!key.isWellFormed()) return { path, message: 'must not have a key with a lone surrogate' };
    const error = findNonCanonical(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (error) return error;
  }
  return null;
}

const UNSORTABLE = Symbol('an object that cannot keep the order of its keys');
// JSON.stringify escapes lone surrogates like this; a string can also contain these characters itself.
const LONE_SURROGATE = '\\ud';

// Copies a value with sorted keys. Returns UNSORTABLE for keys that start with a digit: objects list integer keys first
// in any case.
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) {
    const items = value.map(sortKeys);
    return items.includes(UNSORTABLE) ? UNSORTABLE : items;
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return sortKeys(value.toJSON());
  const copy: Record<string, unknown> = {};
  for (const key of sortedKeys(value)) {
    const field = sortKeys((value as Record<string, unknown>)[key]);
    if (field === UNSORTABLE || isDigit(key.charCodeAt(0)) || key === '__proto__') return UNSORTABLE;
    copy[key] = field;
  }
  return copy;
}

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function write(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON());
  let fields = '';
  for (const key of Object.keys(value).sort()) {
    const field = write((value as Record<string, unknown>)[key]);
    if (field !== undefined) fields += `${fields && ','}${quoted(key)}:${field}`;
  }
  return `{${fields}}`;
}

// UTF-8 cannot store a lone surrogate.
function quoted(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('A string with a lone surrogate has no canonical JSON.');
  return JSON.stringify(text);
}
