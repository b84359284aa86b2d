// Compares stored records with what the audit log says about them.

import { canonicalJson } from './canonical-json.ts';
import type { LoggedFields } from './proven-record.ts';

/** A field whose stored value is not the logged one; `field` null: the whole record is missing, or was inserted. */
export type Difference = { field: string | null; expected: unknown; actual: unknown };

/** Returns the differences between the logged and the stored fields of a record; null: there is no such record. */
export function compareRecord(expected: LoggedFields | null, actual: LoggedFields | null): Difference[] {
  if (!expected || !actual) return expected === actual ? [] : [{ field: null, expected, actual }];
  return compareValues(expected, actual, '');
}

/** Returns one sentence about a difference. */
export function differenceMessage(name: string, id: string, { field, expected, actual }: Difference): string {
  if (field !== null)
    return `${name} ${id}: the log has ${shown(expected)} for ${field}, but the store has ${shown(actual)}.`;
  return actual === null
    ? `${name} ${id} is missing; according to the log it exists.`
    : `${name} ${id} exists in the store, but not according to the log.`;
}

// A missing field counts as null. Objects and lists are compared item by item, so that the field that differs is named.
function compareValues(expected: unknown, actual: unknown, path: string): Difference[] {
  if (isSame(expected, actual)) return [];
  if (isPlain(expected) && isPlain(actual))
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) =>
      compareValues(expected[key], actual[key], path ? `${path}.${key}` : key),
    );
  if (Array.isArray(expected) && Array.isArray(actual))
    return Array.from({ length: Math.max(expected.length, actual.length) }, (_, i) => i).flatMap((i) =>
      compareValues(expected[i], actual[i], `${path}[${i}]`),
    );
  return [{ field: path, expected: expected ?? null, actual: actual ?? null }];
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (expected instanceof Date && actual instanceof Date) return expected.getTime() === actual.getTime();
  return (expected ?? null) === (actual ?? null);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

const MAX_SHOWN = 120;

function shown(value: unknown): string {
  const text = canonicalJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
