// Index bounds: the intervals of index keys that can match a predicate.
import { successor } from '../data/keys.ts';
import { encodeKey } from '../data/keystring.ts';
import { bsonTag, type Value } from '../values/bson.ts';
import { RANK, rankOf } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { mergeSort, runWithoutPauses } from './merge-sort.ts';
import type { Predicate } from './predicates.ts';
import { anchoredPrefix } from './regex.ts';

/** A position between keys: before or after all keys that begin with `bytes`. `label` is for explain. */
type Bound = { bytes: Buffer; after: boolean; label: () => string };

/** Values of one field that can match, as ascending KeyString bytes. A point is a single value. */
export type Interval = { low: Bound; high: Bound; point: boolean };

// For a longer list the planner does not use an index.
const MAX_LIST_VALUES = 50_000;

const intervalCache = new WeakMap<Predicate, Interval[] | undefined>();
const listCache = new WeakMap<Value[], Interval[] | undefined>();

/** Returns the intervals of a predicate in ascending order, cached; undefined if an index cannot narrow it. */
export function intervalsOf(predicate: Predicate, collated: boolean): Interval[] | undefined {
  if (intervalCache.has(predicate)) return intervalCache.get(predicate);
  const found = computeIntervals(predicate, collated);
  intervalCache.set(predicate, found);
  return found;
}

/** Computes the points of a long list ahead of planning, with pauses. `intervalsOf` then uses them. */
export function* prepareList(list: Value[], collated: boolean, shouldPause: () => boolean): Generator<null, void> {
  listCache.set(list, yield* listPoints(list, collated, shouldPause));
}

function computeIntervals({ operator, argument, siblings }: Predicate, collated: boolean): Interval[] | undefined {
  if (operator === '$in') {
    if (!Array.isArray(argument)) return undefined;
    return listCache.has(argument)
      ? listCache.get(argument)
      : runWithoutPauses(listPoints(argument, collated, () => false));
  }
  if (operator === '$regex') return collated ? undefined : prefixIntervals(argument, siblings.$options);
  if (!canUseIndex(argument, collated)) return undefined;
  if (operator === '$eq') return pointsOf(argument);
  if (rankOf(argument) === RANK.null)
    return operator === '$gte' || operator === '$lte' ? pointsOf(argument) : undefined;
  if (Array.isArray(argument)) return undefined;
  const value = boundAt(argument, false);
  const [from, to] = typeBounds(value);
  switch (operator) {
    case '$gt':
      return [{ low: { ...value, after: true }, high: to, point: false }];
    case '$gte':
      return [{ low: value, high: to, point: false }];
    case '$lt':
      return [{ low: from, high: value, point: false }];
    case '$lte':
      return [{ low: from, high: { ...value, after: true }, point: false }];
    default:
      return undefined;
  }
}

/** Whether a missing field or null can meet the predicate. A sparse index does not contain all such matches. */
export function allowsMissing({ operator, argument }: Predicate): boolean {
  if (operator === '$in') return !Array.isArray(argument) || argument.some((value) => rankOf(value) === RANK.null);
  return (operator === '$eq' || operator === '$gte' || operator === '$lte') && rankOf(argument) === RANK.null;
}

/** Whether every value in the interval matches. Not for numbers (NaN) and for types with special ordering rules. */
export function isPlainRange({ operator, argument }: Predicate): boolean {
  const rank = rankOf(argument);
  return ['$gt', '$gte', '$lt', '$lte'].includes(operator) && (rank === RANK.string || rank === RANK.date);
}

/** Returns the intersection of two ordered lists of intervals. */
export function intersect(left: Interval[], right: Interval[]): Interval[] {
  const intersection: Interval[] = [];
  for (let leftAt = 0, rightAt = 0; leftAt < left.length && rightAt < right.length; ) {
    const [first, second] = [left[leftAt]!, right[rightAt]!];
    const endsFirst = compareBounds(first.high, second.high) <= 0;
    const low = compareBounds(first.low, second.low) >= 0 ? first.low : second.low;
    const high = endsFirst ? first.high : second.high;
    if (compareBounds(low, high) < 0) intersection.push({ low, high, point: first.point || second.point });
    if (endsFirst) leftAt++;
    else rightAt++;
  }
  return intersection;
}

/**
 * Returns the key range of an interval in an index field with this direction: the first key, and the first key after
 * it.
 */
export function toKeyRange({ low, high }: Interval, direction: 1 | -1): [Buffer, Buffer] {
  return direction === 1 ? [position(low), position(high)] : [position(invert(high)), position(invert(low))];
}

export const intervalLabel = ({ low, high, point }: Interval, direction: 1 | -1): string => {
  const [first, last] = direction === 1 ? [low, high] : [high, low];
  const opens = direction === 1 ? first.after : !first.after;
  const closes = direction === 1 ? last.after : !last.after;
  return `${opens && !point ? '(' : '['}${first.label()}, ${last.label()}${closes || point ? ']' : ')'}`;
};

const position = ({ bytes, after }: { bytes: Buffer; after: boolean }): Buffer => (after ? successor(bytes) : bytes);

function pointsOf(value: Value): Interval[] {
  // An array is indexed by its elements, so the first one finds it. An array in another array is indexed as a value.
  if (Array.isArray(value)) return sortUnique([pointAt(value[0]), pointAt(value)]);
  return [pointAt(value)];
}

function* listPoints(
  list: Value[],
  collated: boolean,
  shouldPause: () => boolean,
): Generator<null, Interval[] | undefined> {
  if (list.length > MAX_LIST_VALUES) return undefined;
  if (!collated && list.every((value) => typeof value === 'string')) return yield* stringPoints(list, shouldPause);
  if (!list.every((value) => canUseIndex(value, collated) && bsonTag(value) !== 'BSONRegExp')) return undefined;
  // Strings are deduplicated and sorted many times faster than buffers.
  const points = new Map<string, Interval>();
  for (const value of list) {
    for (const point of pointsOf(value)) points.set(point.low.bytes.toString('latin1'), point);
    if ((points.size & 255) === 0 && shouldPause()) yield null;
  }
  return (yield* mergeSort([...points.keys()], byCodeUnit, shouldPause)).map((name) => points.get(name)!);
}

// Strings sort like their keys, except for some with rare characters.
function* stringPoints(values: string[], shouldPause: () => boolean): Generator<null, Interval[]> {
  const points: Interval[] = [];
  let inOrder = true;
  for (const value of yield* mergeSort([...new Set(values)], byCodeUnit, shouldPause)) {
    const point = pointAt(value);
    inOrder &&= points.length === 0 || Buffer.compare(points.at(-1)!.low.bytes, point.low.bytes) < 0;
    points.push(point);
    if ((points.length & 255) === 0 && shouldPause()) yield null;
  }
  return inOrder ? points : sortUnique(points);
}

const byCodeUnit = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

// ^literal: the strings with this prefix, and the expression itself as a stored value.
function prefixIntervals(argument: Value, options: Value): Interval[] | undefined {
  const expression =
    typeof argument === 'string'
      ? { pattern: argument, options: typeof options === 'string' ? options : '' }
      : regexOf(argument, options);
  const text = expression && anchoredPrefix(expression.pattern, expression.options);
  if (!text) return undefined;
  const key = encodeKey([text], [1]);
  const bytes = key.subarray(0, key.length - 1);
  const label = () => formatValue(text);
  const strings: Interval = {
    low: { bytes, after: false, label },
    high: { bytes, after: true, label: () => `${label()}…` },
    point: false,
  };
  return bsonTag(argument) === 'BSONRegExp' ? sortUnique([strings, pointAt(argument)]) : [strings];
}

const regexOf = (argument: Value, options: Value): { pattern: string; options: string } | undefined => {
  if (bsonTag(argument) !== 'BSONRegExp') return undefined;
  const { pattern, options: ownOptions } = argument as { pattern: string; options: string };
  return { pattern, options: typeof options === 'string' ? options : ownOptions };
};

// Under a collation equal strings may have different bytes, also in documents and arrays.
function canUseIndex(value: Value, collated: boolean): boolean {
  const rank = rankOf(value);
  if (rank === RANK.minKey || rank === RANK.maxKey) return false;
  return !collated || (rank !== RANK.string && rank !== RANK.object && rank !== RANK.array);
}

function typeBounds({ bytes }: Bound): [Bound, Bound] {
  const type = bytes.subarray(0, 1);
  return [
    { bytes: type, after: false, label: () => 'lowest' },
    { bytes: type, after: true, label: () => 'highest' },
  ];
}

const boundAt = (value: Value, after: boolean): Bound => ({
  bytes: encodeKey([value], [1]),
  after,
  label: () => formatValue(value),
});

function pointAt(value: Value): Interval {
  const low = boundAt(value, false);
  return { low, high: { bytes: low.bytes, after: true, label: low.label }, point: true };
}

function sortUnique(intervals: Interval[]): Interval[] {
  const sorted = intervals.sort((left, right) => compareBounds(left.low, right.low));
  return sorted.filter((interval, at) => at === 0 || compareBounds(interval.low, sorted[at - 1]!.low) !== 0);
}

const compareBounds = (left: Bound, right: Bound): number => Buffer.compare(position(left), position(right));

function invert({ bytes, after, label }: Bound): Bound {
  const invertedBytes = Buffer.from(bytes);
  for (let at = 0; at < invertedBytes.length; at++) invertedBytes[at]! ^= 255;
  return { bytes: invertedBytes, after: !after, label };
}
