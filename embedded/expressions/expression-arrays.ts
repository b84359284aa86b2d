// The array, set and document operators.

import { Int32 } from 'bson';
import { storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, isDocument, setField, typeName, type Value } from '../values/bson.ts';
import { type Collation, compare, elementOrder, equal } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { createMembershipTest, distinctValuesNotIn } from '../values/hash-key.ts';
import {
  defineNamed,
  defineNullPropagating,
  defineOperator,
  isNullish,
  type Operator,
  type Operators,
  requireInt32,
} from './expression-scope.ts';

/** The operators on arrays, sets and documents. */
export const ARRAY_OPERATORS: Operators = {
  $isArray: defineOperator(1, 1, ([value]) => Array.isArray(value)),
  $size: defineOperator(1, 1, ([value]) => new Int32(requireArray(value, 17124, '$size').length)),
  $arrayElemAt: defineNullPropagating(2, 2, ([array, index]) => {
    const items = requireArray(array, 28689, '$arrayElemAt');
    if (asNumber(index) === undefined)
      throw storeError(28690, `$arrayElemAt's second argument must be a numeric value, but is ${typeName(index)}`);
    return items.at(requireInt32(index, 28691, '$arrayElemAt: the index must be representable as a 32-bit integer'));
  }),
  $first: defineNullPropagating(1, 1, ([array]) => requireArray(array, 28689, '$first').at(0)),
  $last: defineNullPropagating(1, 1, ([array]) => requireArray(array, 28689, '$last').at(-1)),
  $slice: defineNullPropagating(2, 3, slice),
  $in: defineOperator(2, 2, ([wanted, array], { collation }) =>
    requireArray(array, 40081, '$in').some((item) => equal(item, wanted, collation)),
  ),
  $indexOfArray: defineOperator(2, 4, ([array, wanted, from, to], { collation }) => {
    if (isNullish(array)) return null;
    const items = requireArray(array, 40090, '$indexOfArray');
    const start = from === undefined ? 0 : arrayIndex(from);
    const limit = to === undefined ? items.length : Math.min(items.length, arrayIndex(to));
    for (let at = start; at < limit; at++) if (equal(items[at], wanted, collation)) return new Int32(at);
    return new Int32(-1);
  }),
  $concatArrays: arrayOperator('$concatArrays', 28664, (arrays) => arrays.flat()),
  $reverseArray: defineNullPropagating(1, 1, ([array]) => requireArray(array, 34435, '$reverseArray').toReversed()),
  $sortArray: defineNamed({}, ({ input, sortBy }, { collation }) =>
    isNullish(input) ? null : sortArray(input, sortBy, collation),
  ),
  // Sets are sorted here; MongoDB does not define an order.
  $setUnion: arrayOperator('$setUnion', 17043, (arrays, collation) => asSet(arrays.flat(), collation)),
  $setIntersection: arrayOperator('$setIntersection', 17047, (arrays, collation) => {
    const [first = [], ...others] = arrays;
    const isIn = others.map((items) => createMembershipTest(items, collation));
    return asSet(
      first.filter((item) => isIn.every((has) => has(item))),
      collation,
    );
  }),
  $setDifference: defineNullPropagating(2, 2, ([a, b], { collation }) => {
    const items = requireArray(a, 17048, '$setDifference');
    return distinctValuesNotIn(items, requireArray(b, 17049, '$setDifference'), collation);
  }),
  $mergeObjects: { fold: mergeObjects },
  $objectToArray: defineNullPropagating(1, 1, ([value]) => {
    if (!isDocument(value))
      throw storeError(40390, `$objectToArray requires a document input, found: ${typeName(value)}`);
    return Object.keys(value).map((key) => ({ k: key, v: value[key] }));
  }),
  $arrayToObject: defineNullPropagating(1, 1, ([value]) => {
    const built: Doc = {};
    for (const entry of requireArray(value, 40386, '$arrayToObject')) {
      const [key, item] = Array.isArray(entry) ? pairOf(entry) : keyAndValue(entry);
      if (key.includes('\0')) throw storeError(4940401, 'Key field cannot contain an embedded null byte');
      setField(built, key, item);
    }
    return built;
  }),
};

function requireArray(value: Value, code: number, operator: string): Value[] {
  if (!Array.isArray(value)) throw storeError(code, `${operator} requires an array, but was given ${typeName(value)}`);
  return value;
}

// An operator on any number of arrays; null if one of them is null or missing.
function arrayOperator(
  operator: string,
  code: number,
  compute: (arrays: Value[][], collation?: Collation) => Value,
): Operator {
  return {
    fold: (values, { collation }) => {
      const arrays: Value[][] = [];
      for (const value of values) {
        if (isNullish(value)) return null;
        arrays.push(requireArray(value, code, operator));
      }
      return compute(arrays, collation);
    },
  };
}

function slice([array, second, third]: Value[]): Value {
  const items = requireArray(array, 28724, '$slice');
  const position = requireInt32(
    second,
    28725,
    `Second argument to $slice must be a numeric value, but is of type: ${typeName(second)}`,
  );
  if (third === undefined) return sliceItems(items, position);
  const count = requireInt32(
    third,
    28727,
    `Third argument to $slice must be numeric, but is of type: ${typeName(third)}`,
  );
  if (count <= 0) throw storeError(28729, `Third argument to $slice must be positive: ${count}`);
  return sliceItems(items, position, count);
}

/**
 * Returns `count` items from a position; a negative position counts from the end. Without `count`: the items before the
 * position, or the last `-position` ones.
 */
export function sliceItems(items: Value[], position: number, count?: number): Value[] {
  if (count === undefined) return position < 0 ? items.slice(position) : items.slice(0, position);
  const start = position < 0 ? Math.max(0, items.length + position) : position;
  return items.slice(start, start + count);
}

function arrayIndex(value: Value): number {
  const index = requireInt32(
    value,
    40096,
    `$indexOfArray requires an integral index, found a value of type: ${typeName(value)}`,
  );
  if (index < 0) throw storeError(40097, `$indexOfArray requires a nonnegative index, found: ${index}`);
  return index;
}

function sortArray(input: Value, by: Value, collation?: Collation): Value {
  const items = requireArray(input, 2942504, '$sortArray');
  if (isDocument(by) && Object.keys(by).length === 0)
    throw storeError(15976, '$sort stage must have at least one sort key');
  const order = isDocument(by) ? by : asNumber(by);
  if (order !== 1 && order !== -1 && !isDocument(order))
    throw storeError(2942506, 'The $sort element value must be either 1 or -1');
  return items.toSorted(elementOrder(order, collation));
}

function asSet(values: Value[], collation?: Collation): Value[] {
  const sorted = values.toSorted((a, b) => compare(a, b, collation));
  return sorted.filter((value, at) => at === 0 || !equal(value, sorted[at - 1], collation));
}

function mergeObjects(values: Iterable<Value>): Value {
  const merged: Doc = {};
  const inputs = [...values];
  // A single argument may be an array of documents.
  for (const doc of inputs.length === 1 && Array.isArray(inputs[0]) ? (inputs[0] as Value[]) : inputs) {
    if (isNullish(doc)) continue;
    if (!isDocument(doc))
      throw storeError(
        40400,
        `$mergeObjects requires object inputs, but input ${formatValue(doc)} is of type ${typeName(doc)}`,
      );
    for (const key of Object.keys(doc)) setField(merged, key, doc[key]);
  }
  return merged;
}

function pairOf(entry: Value[]): [string, Value] {
  if (entry.length !== 2) throw storeError(40397, '$arrayToObject requires arrays of size two: a key and a value');
  return [requireKey(entry[0], 40395), entry[1]];
}

function keyAndValue(entry: Value): [string, Value] {
  if (!isDocument(entry))
    throw storeError(40398, `Unrecognised input type format for $arrayToObject: ${typeName(entry)}`);
  const fields = Object.keys(entry);
  if (fields.length !== 2)
    throw storeError(
      40392,
      `$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:${fields.length}`,
    );
  if (!fields.includes('k') || !fields.includes('v'))
    throw storeError(40393, "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys");
  return [requireKey(entry.k, 40394), entry.v];
}

function requireKey(key: Value, code: number): string {
  if (typeof key !== 'string')
    throw storeError(code, `$arrayToObject requires keys of type string. Found type: ${typeName(key)}`);
  return key;
}
