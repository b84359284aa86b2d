// Hash keys for values: equal values have equal keys.

import { encodeKey } from '../data/keystring.ts';
import { isDocument, type Value } from './bson.ts';
import { type Collation, compare, contains, equal } from './compare.ts';

/**
 * Returns a string that is the same for two values if and only if they are equal, under the collation if there is one.
 */
export function hashKey(value: Value, collation?: Collation): string {
  return encodeKey([collation ? replaceStrings(value, collation) : value], [1]).toString('latin1');
}

/** Returns a function that tests whether a value is one of `values`. */
export function createMembershipTest(values: readonly Value[], collation?: Collation): (value: Value) => boolean {
  // For a few values, comparing is faster than creating a key.
  if (values.length < 4) return (value) => values.some((item) => equal(item, value, collation));
  if (collation) {
    const sorted = values.toSorted((a, b) => compare(a, b, collation));
    return (value) => contains(sorted, value, collation);
  }
  const keys = new Set(values.map((item) => hashKey(item)));
  return (value) => keys.has(hashKey(value));
}

function replaceStrings(value: Value, collation: Collation): Value {
  if (typeof value === 'string') return collation.canonicalForm(value);
  if (Array.isArray(value)) return value.map((item: Value) => replaceStrings(item, collation));
  return isDocument(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceStrings(inner, collation)]))
    : value;
}
