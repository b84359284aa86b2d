import { encodeKey } from '../data/keystring.ts';
import { isDocument, type Value } from './bson.ts';
import { type Collation, compare, contains, equal } from './compare.ts';

/** A text that is the same for equal values only, also under a collation. */
export function hashKey(value: Value, collation?: Collation): string {
  return encodeKey([collation ? collated(value, collation) : value], [1]).toString('latin1');
}

/** Is a value among these? */
export function memberOf(values: readonly Value[], collation?: Collation): (value: Value) => boolean {
  // Few are compared sooner than a key is made.
  if (values.length < 4) return (value) => values.some((one) => equal(one, value, collation));
  if (collation) {
    const inOrder = values.toSorted((a, b) => compare(a, b, collation));
    return (value) => contains(inOrder, value, collation);
  }
  const keys = new Set(values.map((one) => hashKey(one)));
  return (value) => keys.has(hashKey(value));
}

/** The values that are not among the known ones, each once. */
export function notAmong(values: Value[], known: readonly Value[], collation?: Collation): Value[] {
  if (values.length === 1) return known.some((one) => equal(one, values[0], collation)) ? [] : values;
  const keys = new Set(known.map((one) => hashKey(one, collation)));
  return values.filter((value) => {
    const before = keys.size;
    return keys.add(hashKey(value, collation)).size > before;
  });
}

function collated(value: Value, collation: Collation): Value {
  if (typeof value === 'string') return collation.representative(value);
  if (Array.isArray(value)) return value.map((item: Value) => collated(item, collation));
  return isDocument(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, collated(inner, collation)]))
    : value;
}
