import { successor } from '../data/keys.ts';
import { encodeKey } from '../data/keystring.ts';
import { bsonTag, type Value } from '../values/bson.ts';
import { RANK, rankOf } from '../values/compare.ts';
import { shown } from '../values/shown.ts';
import { atOnce, mergeSort } from './merge-sort.ts';
import type { Predicate } from './predicates.ts';
import { anchoredPrefix } from './regex.ts';

/** A place between keys: before all keys that begin with the bytes, or after them. `label` is for explain. */
type Bound = { bytes: Buffer; after: boolean; label: () => string };

/** The values of one field that can match, as KeyString bytes in ascending form. A point is one value. */
export type Interval = { low: Bound; high: Bound; point: boolean };

// Beyond it the collection is read from its beginning to its end.
const MOST_IN_LIST = 50_000;

const known = new WeakMap<Predicate, Interval[] | undefined>();
const listsRead = new WeakMap<Value[], Interval[] | undefined>();

/** The intervals a predicate leaves, in ascending order; undefined when an index says nothing about it. They are worked out once for all indexes of a query. */
export function intervalsOf(predicate: Predicate, collated: boolean): Interval[] | undefined {
  if (known.has(predicate)) return known.get(predicate);
  const found = intervalsFor(predicate, collated);
  known.set(predicate, found);
  return found;
}

/** Works out the points of a long list beforehand, yielding whenever others are due: the planner finds them made. */
export function* readList(list: Value[], collated: boolean, due: () => boolean): Generator<null, void> {
  listsRead.set(list, yield* listed(list, collated, due));
}

function intervalsFor({ operator, argument, siblings }: Predicate, collated: boolean): Interval[] | undefined {
  if (operator === '$in') {
    if (!Array.isArray(argument)) return undefined;
    return listsRead.has(argument) ? listsRead.get(argument) : atOnce(listed(argument, collated, () => false));
  }
  if (operator === '$regex') return collated ? undefined : prefixed(argument, siblings.$options);
  if (!indexable(argument, collated)) return undefined;
  if (operator === '$eq') return equalTo(argument);
  if (rankOf(argument) === RANK.null) return operator === '$gte' || operator === '$lte' ? equalTo(argument) : undefined;
  if (Array.isArray(argument)) return undefined;
  const value = bound(argument, false);
  const [from, to] = bracket(value);
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

/** Can a missing field or null meet the condition? A sparse index then does not hold all matches. */
export function allowsMissing({ operator, argument }: Predicate): boolean {
  if (operator === '$in') return !Array.isArray(argument) || argument.some((value) => rankOf(value) === RANK.null);
  return (operator === '$eq' || operator === '$gte' || operator === '$lte') && rankOf(argument) === RANK.null;
}

/** Does all that lies in the interval match? Among numbers there is one that no range holds, and the order of other kinds has odd places too. */
export function isPlainRange({ operator, argument }: Predicate): boolean {
  const rank = rankOf(argument);
  return ['$gt', '$gte', '$lt', '$lte'].includes(operator) && (rank === RANK.string || rank === RANK.date);
}

/** What both lists leave; the intervals of each lie in order. */
export function intersect(left: Interval[], right: Interval[]): Interval[] {
  const met: Interval[] = [];
  for (let at = 0, other = 0; at < left.length && other < right.length; ) {
    const [one, two] = [left[at]!, right[other]!];
    const endsFirst = compareBounds(one.high, two.high) <= 0;
    const low = compareBounds(one.low, two.low) >= 0 ? one.low : two.low;
    const high = endsFirst ? one.high : two.high;
    if (compareBounds(low, high) < 0) met.push({ low, high, point: one.point || two.point });
    if (endsFirst) at++;
    else other++;
  }
  return met;
}

/** An interval as it lies in an index field of that direction: the first key and the first key after it. */
export function placed({ low, high }: Interval, direction: 1 | -1): [Buffer, Buffer] {
  return direction === 1 ? [position(low), position(high)] : [position(inverted(high)), position(inverted(low))];
}

export const intervalLabel = ({ low, high, point }: Interval, direction: 1 | -1): string => {
  const [first, last] = direction === 1 ? [low, high] : [high, low];
  const opens = direction === 1 ? first.after : !first.after;
  const closes = direction === 1 ? last.after : !last.after;
  return `${opens && !point ? '(' : '['}${first.label()}, ${last.label()}${closes || point ? ']' : ')'}`;
};

const position = ({ bytes, after }: { bytes: Buffer; after: boolean }): Buffer => (after ? successor(bytes) : bytes);

function equalTo(value: Value): Interval[] {
  // A whole array stands in the index by its first element; inside another array, by itself.
  if (Array.isArray(value)) return ordered([pointAt(value[0]), pointAt(value)]);
  return [pointAt(value)];
}

function* listed(list: Value[], collated: boolean, due: () => boolean): Generator<null, Interval[] | undefined> {
  if (list.length > MOST_IN_LIST) return undefined;
  if (!collated && list.every((value) => typeof value === 'string')) return yield* texts(list, due);
  if (!list.every((value) => indexable(value, collated) && bsonTag(value) !== 'BSONRegExp')) return undefined;
  // As text the keys of a long list are found and put in order many times faster than as memory.
  const points = new Map<string, Interval>();
  for (const value of list) {
    for (const point of equalTo(value)) points.set(point.low.bytes.toString('latin1'), point);
    if ((points.size & 255) === 0 && due()) yield null;
  }
  return (yield* mergeSort([...points.keys()], byCodeUnit, due)).map((name) => points.get(name)!);
}

// The order of texts is that of their keys, but for some with rare characters.
function* texts(values: string[], due: () => boolean): Generator<null, Interval[]> {
  const points: Interval[] = [];
  let inOrder = true;
  for (const value of yield* mergeSort([...new Set(values)], byCodeUnit, due)) {
    const point = pointAt(value);
    inOrder &&= points.length === 0 || Buffer.compare(points.at(-1)!.low.bytes, point.low.bytes) < 0;
    points.push(point);
    if ((points.length & 255) === 0 && due()) yield null;
  }
  return inOrder ? points : ordered(points);
}

const byCodeUnit = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

// ^literal: the strings that begin so, and the expression itself where one is stored.
function prefixed(argument: Value, options: Value): Interval[] | undefined {
  const expression =
    typeof argument === 'string'
      ? { pattern: argument, options: typeof options === 'string' ? options : '' }
      : regex(argument, options);
  const text = expression && anchoredPrefix(expression.pattern, expression.options);
  if (!text) return undefined;
  const whole = encodeKey([text], [1]);
  const bytes = whole.subarray(0, whole.length - 1);
  const label = () => shown(text);
  const strings: Interval = {
    low: { bytes, after: false, label },
    high: { bytes, after: true, label: () => `${label()}…` },
    point: false,
  };
  return bsonTag(argument) === 'BSONRegExp' ? ordered([strings, pointAt(argument)]) : [strings];
}

const regex = (argument: Value, options: Value): { pattern: string; options: string } | undefined => {
  if (bsonTag(argument) !== 'BSONRegExp') return undefined;
  const { pattern, options: own } = argument as { pattern: string; options: string };
  return { pattern, options: typeof options === 'string' ? options : own };
};

// Under a collation equal strings may differ in bytes, also inside documents and arrays.
function indexable(value: Value, collated: boolean): boolean {
  const rank = rankOf(value);
  if (rank === RANK.minKey || rank === RANK.maxKey) return false;
  return !collated || (rank !== RANK.string && rank !== RANK.object && rank !== RANK.array);
}

function bracket({ bytes }: Bound): [Bound, Bound] {
  const type = bytes.subarray(0, 1);
  return [
    { bytes: type, after: false, label: () => 'lowest' },
    { bytes: type, after: true, label: () => 'highest' },
  ];
}

const bound = (value: Value, after: boolean): Bound => ({
  bytes: encodeKey([value], [1]),
  after,
  label: () => shown(value),
});

function pointAt(value: Value): Interval {
  const low = bound(value, false);
  return { low, high: { bytes: low.bytes, after: true, label: low.label }, point: true };
}

function ordered(intervals: Interval[]): Interval[] {
  const sorted = intervals.sort((left, right) => compareBounds(left.low, right.low));
  return sorted.filter((interval, at) => at === 0 || compareBounds(interval.low, sorted[at - 1]!.low) !== 0);
}

const compareBounds = (left: Bound, right: Bound): number => Buffer.compare(position(left), position(right));

function inverted({ bytes, after, label }: Bound): Bound {
  const turned = Buffer.from(bytes);
  for (let at = 0; at < turned.length; at++) turned[at]! ^= 255;
  return { bytes: turned, after: !after, label };
}
