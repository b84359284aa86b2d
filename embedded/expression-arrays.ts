import { Int32 } from 'bson';
import { asNumber, type Doc, isDocument, setField, typeName, type Value } from './bson.ts';
import { type Collation, compare, compileSort, equal } from './compare.ts';
import { storeError } from './errors.ts';
import { int32Of, isNullish, type Operator } from './expression-scope.ts';
import { shown } from './shown.ts';

/** The operators on arrays, sets and documents. */
export const ARRAY_OPERATORS: { [name: string]: Operator } = {
  $isArray: { least: 1, most: 1, compute: ([value]) => Array.isArray(value) },
  $size: {
    least: 1,
    most: 1,
    compute: ([value]) => new Int32(requireArray(value, 17124, `The argument to $size must be an array, but was of type: ${typeName(value)}`).length),
  },
  $arrayElemAt: { least: 2, most: 2, compute: ([array, index]) => elementAt(array, index) },
  $first: { least: 1, most: 1, compute: ([array]) => end('$first', array, 0) },
  $last: { least: 1, most: 1, compute: ([array]) => end('$last', array, -1) },
  $slice: { least: 2, most: 3, compute: slice },
  $in: {
    least: 2,
    most: 2,
    compute: ([wanted, array], { collation }) =>
      requireArray(array, 40081, `$in requires an array as a second argument, found: ${typeName(array)}`).some((item) =>
        equal(item, wanted, collation),
      ),
  },
  $indexOfArray: { least: 2, most: 4, compute: indexOf },
  $concatArrays: { fold: concatArrays },
  $reverseArray: {
    least: 1,
    most: 1,
    compute: ([value]) =>
      isNullish(value)
        ? null
        : requireArray(value, 34435, `The argument to $reverseArray must be an array, but was of type: ${typeName(value)}`).toReversed(),
  },
  $sortArray: {
    fields: ['input', 'sortBy'],
    required: ['input', 'sortBy'],
    compute: ([input, by], { collation }) => sortArray(input, by, collation),
  },
  $setUnion: { fold: (values, { collation }) => setUnion(values, collation) },
  $setIntersection: { fold: (values, { collation }) => setIntersection(values, collation) },
  $setDifference: { least: 2, most: 2, compute: ([a, b], { collation }) => setDifference(a, b, collation) },
  $mergeObjects: { fold: mergeObjects },
  $objectToArray: { least: 1, most: 1, compute: ([value]) => objectToArray(value) },
  $arrayToObject: { least: 1, most: 1, compute: ([value]) => arrayToObject(value) },
};

function requireArray(value: Value, code: number, message: string): Value[] {
  if (!Array.isArray(value)) throw storeError(code, message);
  return value;
}

function elementAt(array: Value, index: Value): Value {
  if (isNullish(array) || isNullish(index)) return null;
  requireArray(array, 28689, `$arrayElemAt's first argument must be an array, but is ${typeName(array)}`);
  if (asNumber(index) === undefined) throw storeError(28690, `$arrayElemAt's second argument must be a numeric value, but is ${typeName(index)}`);
  return (array as Value[]).at(int32Of(index, 28691, `$arrayElemAt's second argument must be representable as a 32-bit integer: ${asNumber(index)}`));
}

function end(name: string, array: Value, index: number): Value {
  if (isNullish(array)) return null;
  return requireArray(array, 28689, `${name}'s argument must be an array, but is ${typeName(array)}`).at(index);
}

function slice([array, second, third]: Value[]): Value {
  if (isNullish(array) || isNullish(second)) return null;
  const items = requireArray(array, 28724, `First argument to $slice must be an array, but is of type: ${typeName(array)}`);
  const position = int32Of(second, 28725, `Second argument to $slice must be a numeric value, but is of type: ${typeName(second)}`);
  if (third === undefined) return position < 0 ? items.slice(position) : items.slice(0, position);
  if (third === null) return null;
  const count = int32Of(third, 28727, `Third argument to $slice must be numeric, but is of type: ${typeName(third)}`);
  if (count <= 0) throw storeError(28729, `Third argument to $slice must be positive: ${count}`);
  const start = position < 0 ? Math.max(0, items.length + position) : position;
  return items.slice(start, start + count);
}

function indexOf([array, wanted, from, to]: Value[], { collation }: { collation?: Collation }): Value {
  if (isNullish(array)) return null;
  const items = requireArray(array, 40090, `$indexOfArray requires an array as a first argument, found: ${typeName(array)}`);
  const start = from === undefined ? 0 : arrayIndex(from, 'starting');
  const limit = to === undefined ? items.length : Math.min(items.length, arrayIndex(to, 'ending'));
  for (let at = start; at < limit; at++) if (equal(items[at], wanted, collation)) return new Int32(at);
  return new Int32(-1);
}

function arrayIndex(value: Value, which: string): number {
  const index = int32Of(value, 40096, `$indexOfArray requires an integral ${which} index, found a value of type: ${typeName(value)}`);
  if (index < 0) throw storeError(40097, `$indexOfArray requires a nonnegative ${which} index, found: ${index}`);
  return index;
}

function concatArrays(values: Iterable<Value>): Value {
  const joined: Value[] = [];
  for (const value of values) {
    if (isNullish(value)) return null;
    joined.push(...requireArray(value, 28664, `$concatArrays only supports arrays, not ${typeName(value)}`));
  }
  return joined;
}

function sortArray(input: Value, by: Value, collation?: Collation): Value {
  if (isNullish(input)) return null;
  const items = requireArray(input, 2942504, `The input argument to $sortArray must be an array, but was of type: ${typeName(input)}`);
  if (isDocument(by)) {
    if (Object.keys(by).length === 0) throw storeError(15976, '$sort stage must have at least one sort key');
    const order = compileSort(by, collation);
    return items.toSorted((a, b) => order(isDocument(a) ? a : {}, isDocument(b) ? b : {}));
  }
  const direction = asNumber(by);
  if (direction !== 1 && direction !== -1) throw storeError(2942506, 'The $sort element value must be either 1 or -1');
  return items.toSorted((a, b) => compare(a, b, collation) * direction);
}

// Sets come out sorted here; a server promises no order.
function asSet(values: Value[], collation?: Collation): Value[] {
  const sorted = values.toSorted((a, b) => compare(a, b, collation));
  return sorted.filter((value, at) => at === 0 || !equal(value, sorted[at - 1], collation));
}

function contains(sorted: Value[], wanted: Value, collation?: Collation): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compare(sorted[middle], wanted, collation);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

function setUnion(values: Iterable<Value>, collation?: Collation): Value {
  const all: Value[] = [];
  for (const value of values) {
    if (isNullish(value)) return null;
    all.push(...requireArray(value, 17043, `All operands of $setUnion must be arrays. One argument is of type: ${typeName(value)}`));
  }
  return asSet(all, collation);
}

function setIntersection(values: Iterable<Value>, collation?: Collation): Value {
  let common: Value[] | undefined;
  for (const value of values) {
    if (isNullish(value)) return null;
    const set = asSet(
      requireArray(value, 17047, `All operands of $setIntersection must be arrays. One argument is of type: ${typeName(value)}`),
      collation,
    );
    common = common ? common.filter((item) => contains(set, item, collation)) : set;
  }
  return common ?? [];
}

function setDifference(a: Value, b: Value, collation?: Collation): Value {
  if (isNullish(a) || isNullish(b)) return null;
  const items = requireArray(a, 17048, `both operands of $setDifference must be arrays. First argument is of type: ${typeName(a)}`);
  const taken = asSet(
    requireArray(b, 17049, `both operands of $setDifference must be arrays. Second argument is of type: ${typeName(b)}`),
    collation,
  );
  const seen: Value[] = [];
  for (const item of items) if (!contains(taken, item, collation) && !seen.some((other) => equal(other, item, collation))) seen.push(item);
  return seen;
}

function mergeObjects(values: Iterable<Value>): Value {
  const merged: Doc = {};
  const given = [...values];
  // A single argument may be an array of documents.
  for (const doc of given.length === 1 && Array.isArray(given[0]) ? (given[0] as Value[]) : given) {
    if (isNullish(doc)) continue;
    if (!isDocument(doc)) throw storeError(40400, `$mergeObjects requires object inputs, but input ${shown(doc)} is of type ${typeName(doc)}`);
    for (const key of Object.keys(doc)) setField(merged, key, doc[key]);
  }
  return merged;
}

function objectToArray(value: Value): Value {
  if (isNullish(value)) return null;
  if (!isDocument(value)) throw storeError(40390, `$objectToArray requires a document input, found: ${typeName(value)}`);
  return Object.keys(value).map((key) => ({ k: key, v: value[key] }));
}

function arrayToObject(value: Value): Value {
  if (isNullish(value)) return null;
  const built: Doc = {};
  for (const entry of requireArray(value, 40386, `$arrayToObject requires an array input, found: ${typeName(value)}`)) {
    const [key, item] = Array.isArray(entry) ? pairOf(entry) : keyAndValue(entry);
    if (key.includes('\0')) throw storeError(4940401, 'Key field cannot contain an embedded null byte');
    setField(built, key, item);
  }
  return built;
}

function pairOf(entry: Value[]): [string, Value] {
  if (entry.length !== 2) throw storeError(40397, `$arrayToObject requires an array of size 2 arrays,found array of size: ${entry.length}`);
  if (typeof entry[0] !== 'string')
    throw storeError(
      40395,
      `$arrayToObject requires an array of key-value pairs, where the key must be of type string. Found key type: ${typeName(entry[0])}`,
    );
  return [entry[0], entry[1]];
}

function keyAndValue(entry: Value): [string, Value] {
  if (!isDocument(entry)) throw storeError(40398, `Unrecognised input type format for $arrayToObject: ${typeName(entry)}`);
  if (Object.keys(entry).length !== 2)
    throw storeError(40392, `$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:${Object.keys(entry).length}`);
  if (!Object.hasOwn(entry, 'k') || !Object.hasOwn(entry, 'v'))
    throw storeError(40393, "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys");
  if (typeof entry.k !== 'string')
    throw storeError(
      40394,
      `$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be of type string. Found type: ${typeName(entry.k)}`,
    );
  return [entry.k, entry.v];
}
