// Chooses how a query reads a collection: an index, a union of indexes or a scan.
import type { Collection, Index } from '../data/catalog.ts';
import { TRUNCATED_KEY_BYTES } from '../data/index-keys.ts';
import { successor } from '../data/keys.ts';
import { encodeKey } from '../data/keystring.ts';
import { storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, isDocument, type Value } from '../values/bson.ts';
import { equal } from '../values/compare.ts';
import {
  allowsMissing,
  type Interval,
  intersect,
  intervalLabel,
  intervalsOf,
  isPlainRange,
  toKeyRange,
} from './bounds.ts';
import { runWithoutPauses } from './merge-sort.ts';
import { impliesFilter } from './partial-index.ts';
import { type FilterParts, type Predicate, splitFilter } from './predicates.ts';

export type Range = [low: Buffer, high: Buffer];

/**
 * How the documents of a query are found. `sorted`: in the requested order. `exact`: every document found matches, so
 * the filter need not run. `points`: each range is one whole key.
 */
export type Plan =
  | { kind: 'collection'; reverse: boolean; sorted: boolean }
  | {
      kind: 'index';
      index: Index;
      /** The number of ranges. They are computed on first access, or with pauses by `computeRanges`. */
      count: number;
      readonly ranges: Range[];
      computeRanges(shouldPause: () => boolean): Generator<null, void>;
      /** For explain. */
      labels: string[][];
      /** Whether at least one field of the index has bounds. */
      hasBounds: boolean;
      reverse: boolean;
      sorted: boolean;
      exact: boolean;
      points: boolean;
      score: number;
    }
  | { kind: 'union'; branches: IndexPlan[]; sorted: false };
export type IndexPlan = Extract<Plan, { kind: 'index' }>;

export type PlanRequest = { filter: Doc; sort?: Doc; hint?: Value; collated: boolean };

const MAX_RANGES = 50_000;
const LONG_LIST_VALUES = 256;

/** Returns the long `$in` lists of a filter: computing their bounds takes as long as the rest of planning. */
export function longLists(filter: Doc): Value[][] {
  const { predicates, alternatives } = splitFilter(filter);
  const own = predicates.flatMap(({ operator, argument }) =>
    operator === '$in' && Array.isArray(argument) && argument.length > LONG_LIST_VALUES ? [argument] : [],
  );
  return own.concat(alternatives.flat().flatMap(longLists));
}

/**
 * Chooses the index with the best score, then the fewest fields, then by name; a collection scan if none helps.
 * `version` is that of the view to be read.
 */
export function choosePlan(collection: Collection, version: number, request: PlanRequest): Plan {
  const natural = naturalOrder(request);
  if (natural) return { kind: 'collection', reverse: natural < 0, sorted: isNatural(request.sort) };
  const byId = findIdPoint(collection, version, request);
  const parts = splitFilter(request.filter);
  // One document needs no sort.
  if (byId) return { ...planIndex(byId.index, parts, request, false)!, sorted: true };
  const hintedIndex = findHintedIndex(collection, version, request.hint);
  const indexes = hintedIndex ? [hintedIndex] : collection.indexes.filter((index) => index.readyAt <= version);
  const plans = indexes
    .map((index) => planIndex(index, parts, request, hintedIndex !== undefined))
    .filter((plan) => plan !== undefined);
  const best = plans.sort(
    (left, right) =>
      right.score - left.score || left.index.fields.length - right.index.fields.length || byName(left, right),
  )[0];
  if (best && (hintedIndex || best.hasBounds)) return best;
  return planUnion(indexes, parts, request) ?? best ?? { kind: 'collection', reverse: false, sorted: !request.sort };
}

/**
 * Returns the index for a join by equality on `path`, missing fields included. Without one the join uses a hash table.
 */
export function joinIndex(collection: Collection | undefined, version: number, path: string): Index | undefined {
  return collection?.indexes.find(
    ({ fields, sparse, partial, readyAt }) => fields[0]?.path === path && !sparse && !partial && readyAt <= version,
  );
}

/** A whole key of a unique index. `exact`: its document matches, so the filter need not run. */
export type Point = { index: Index; key: Buffer; exact: boolean };

/** Returns the key of a filter on one `_id` string; undefined if the query must be planned. */
export function findIdPoint(
  { indexes }: Collection,
  version: number,
  { filter, sort, hint, collated }: PlanRequest,
): Point | undefined {
  const condition = filter._id;
  const id = isDocument(condition) && Object.keys(condition).length === 1 ? condition.$eq : condition;
  if (typeof id !== 'string' || id.length > MAX_ID_LENGTH || hint !== undefined || collated || isNatural(sort))
    return undefined;
  const index = indexes.find(({ name }) => name === '_id_');
  if (!index || index.truncated || index.readyAt > version) return undefined;
  return { index, key: encodeKey([id], [1], index.prefix), exact: Object.keys(filter).length === 1 };
}

const MAX_ID_LENGTH = 100;

const byName = (left: IndexPlan, right: IndexPlan): number => (left.index.name < right.index.name ? -1 : 1);

const isNatural = (sort: Doc | undefined): boolean => sort !== undefined && '$natural' in sort;

function naturalOrder({ sort, hint }: PlanRequest): number | undefined {
  if (sort && isNatural(sort)) return asNumber(sort.$natural);
  return isDocument(hint) && '$natural' in hint ? asNumber(hint.$natural) : undefined;
}

// An index that is being built or is damaged is not used.
function findHintedIndex(collection: Collection, version: number, hint: Value): Index | undefined {
  if (hint === undefined || (isDocument(hint) && Object.keys(hint).length === 0)) return undefined;
  const found = collection.indexes.find((index) =>
    typeof hint === 'string' ? index.name === hint : equal(index.key, hint),
  );
  if (!found)
    throw storeError(
      2,
      'error processing query: planner returned error: hint provided does not correspond to an existing index',
    );
  return found.readyAt <= version ? found : undefined;
}

function planIndex(
  index: Index,
  parts: FilterParts,
  { sort, collated }: PlanRequest,
  isHinted: boolean,
): IndexPlan | undefined {
  if (index.partial && !impliesFilter(parts.predicates, index.partial.filter)) {
    if (isHinted)
      throw storeError(
        291,
        `error processing query: the hinted index ${index.name} does not contain all documents that the query may match`,
      );
    return undefined;
  }
  const chosen = chooseIntervals(index, parts.predicates, collated);
  if (index.sparse && !isHinted && !chosen.excludesMissing) return undefined;
  const sorted = sort ? sortDirection(index, sort, parts.predicates, collated) : 0;
  const score = chosen.score + (sorted ? 4 : 0) + (index.unique && chosen.points === index.fields.length ? 50 : 0);
  if (score === 0 && !isHinted) return undefined;
  const used = new Set(chosen.used);
  const count = chosen.fields.reduce((all, { length }) => all * length, 1);
  const withinMaxRanges = count <= MAX_RANGES;
  const usesAllPredicates = parts.complete && parts.predicates.every((predicate) => used.has(predicate));
  const exact = !index.multikey && !index.truncated && usesAllPredicates && withinMaxRanges && chosen.exact;
  let ranges: Range[] | undefined;
  return {
    kind: 'index',
    index,
    count,
    // Computed only for the chosen plan.
    get ranges() {
      ranges ??= runWithoutPauses(combineRanges(index, chosen.fields, () => false));
      return ranges;
    },
    *computeRanges(shouldPause) {
      ranges ??= yield* combineRanges(index, chosen.fields, shouldPause);
    },
    get labels() {
      return chosen.fields.map((intervals, at) =>
        intervals.map((interval) => intervalLabel(interval, index.fields[at]!.direction)),
      );
    },
    hasBounds: chosen.fields.length > 0,
    reverse: sorted < 0,
    sorted: !sort || sorted !== 0,
    exact,
    points: chosen.points === index.fields.length && !index.truncated && withinMaxRanges,
    score,
  };
}

/** The bounds chosen for the fields of an index. `exact`: every value in the intervals matches. */
type ChosenBounds = {
  fields: Interval[][];
  used: Predicate[];
  score: number;
  points: number;
  exact: boolean;
  excludesMissing: boolean;
};

// If a field has only points, the next field can narrow the ranges further. A field with a range is the last one used.
function chooseIntervals(index: Index, predicates: Predicate[], collated: boolean): ChosenBounds {
  const chosen: ChosenBounds = { fields: [], used: [], score: 0, points: 0, exact: true, excludesMissing: false };
  const arrays = new Map<string, Doc | undefined>();
  for (const { path } of index.fields) {
    const candidates = predicates.filter((predicate) => predicate.path === path);
    const narrowed = index.multikey
      ? narrowMultikey(candidates, path, arrays, collated)
      : narrowAll(candidates, collated);
    if (!narrowed) break;
    chosen.fields.push(narrowed.intervals);
    chosen.used.push(...narrowed.used);
    if (narrowed.used.some((predicate) => !allowsMissing(predicate))) chosen.excludesMissing = true;
    const points = narrowed.intervals.every(({ point }) => point);
    chosen.score += points ? (narrowed.intervals.length === 1 ? 10 : 8) : 5;
    chosen.exact &&= points || narrowed.used.every(isPlainRange);
    if (!points) break;
    chosen.points++;
  }
  return chosen;
}

type Narrowed = { intervals: Interval[]; used: Predicate[] };

// Without arrays all conditions apply to the same value, so their intervals are intersected.
function narrowAll(candidates: Predicate[], collated: boolean): Narrowed | undefined {
  let intervals: Interval[] | undefined;
  const used: Predicate[] = [];
  for (const predicate of candidates) {
    const found = intervalsOf(predicate, collated);
    if (!found) continue;
    intervals = intervals ? intersect(intervals, found) : found;
    used.push(predicate);
  }
  return intervals && { intervals, used };
}

// With arrays, different elements may meet the conditions. Therefore only one condition can narrow the index field, or
// the conditions of one $elemMatch. A second field of the same array can be narrowed only by the same $elemMatch.
function narrowMultikey(
  candidates: Predicate[],
  path: string,
  arrays: Map<string, Doc | undefined>,
  collated: boolean,
): Narrowed | undefined {
  const root = path.split('.')[0]!;
  const groups = Map.groupBy(candidates, (predicate) => predicate.elemMatch ?? predicate);
  let best: (Narrowed & { elemMatch?: Doc }) | undefined;
  for (const group of groups.values()) {
    const elemMatch = group[0]?.elemMatch;
    if (arrays.has(root) && (!elemMatch || arrays.get(root) !== elemMatch)) continue;
    const narrowed = narrowAll(group, collated);
    if (narrowed && (!best || rankNarrowed(narrowed) > rankNarrowed(best)))
      best = elemMatch ? { ...narrowed, elemMatch } : narrowed;
  }
  if (best) arrays.set(root, best.elemMatch);
  return best;
}

const rankNarrowed = ({ intervals, used }: Narrowed): number =>
  intervals.every(({ point }) => point) ? 1000 - intervals.length / 10 : used.length;

function* combineRanges(index: Index, fields: Interval[][], shouldPause: () => boolean): Generator<null, Range[]> {
  let prefixes: Buffer[] = [index.prefix];
  let ranges: Range[] = [[index.prefix, successor(index.prefix)]];
  for (const [at, intervals] of fields.entries()) {
    const direction = index.fields[at]!.direction;
    if (prefixes.length * intervals.length > MAX_RANGES) break;
    const isLast = at === fields.length - 1 || !intervals.every(({ point }) => point);
    const ordered = direction === 1 ? intervals : intervals.toReversed();
    const nextPrefixes: Buffer[] = [];
    ranges = [];
    for (const prefix of prefixes) {
      for (const interval of ordered) {
        const [low, high] = toKeyRange(interval, direction);
        ranges.push(truncateRange(prefix, low, high));
        if (!isLast) nextPrefixes.push(concat(prefix, low));
        if ((ranges.length & 255) === 0 && shouldPause()) yield null;
      }
    }
    if (isLast) break;
    prefixes = nextPrefixes;
  }
  return ranges;
}

// Long index keys are truncated, so longer bounds are truncated too, which widens the range.
function truncateRange(prefix: Buffer, low: Buffer, high: Buffer): Range {
  const maxLength = TRUNCATED_KEY_BYTES + 5;
  const from = concat(prefix, low);
  const to = concat(prefix, high);
  return [
    from.length > maxLength ? from.subarray(0, maxLength) : from,
    to.length > maxLength ? successor(to.subarray(0, maxLength)) : to,
  ];
}

function concat(prefix: Buffer, rest: Buffer): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + rest.length);
  key.set(prefix);
  key.set(rest, prefix.length);
  return key;
}

// Returns 1 or -1 if reading the index forwards or backwards gives the order, else 0. Fields fixed to one value may be
// skipped.
function sortDirection(index: Index, sort: Doc, predicates: Predicate[], collated: boolean): number {
  if (index.multikey || index.truncated || collated) return 0;
  const inIndex = new Set(index.fields.map(({ path }) => path));
  // Only an index that is not multikey guarantees that the field has no array, which would sort by another element.
  const fixed = new Set(
    predicates
      .filter(({ operator, argument, path }) => operator === '$eq' && !Array.isArray(argument) && inIndex.has(path))
      .map(({ path }) => path),
  );
  let at = 0;
  let scanDirection = 0;
  for (const [path, order] of Object.entries(sort)) {
    if (fixed.has(path)) continue;
    while (index.fields[at] && index.fields[at]!.path !== path && fixed.has(index.fields[at]!.path)) at++;
    const field = index.fields[at++];
    if (field?.path !== path) return 0;
    const direction = (asNumber(order) ?? 1) === field.direction ? 1 : -1;
    if (scanDirection && scanDirection !== direction) return 0;
    scanDirection = direction;
  }
  return scanDirection || 1;
}

// Uses one index for each branch of an {$or: […]}.
function planUnion(indexes: Index[], { alternatives }: FilterParts, request: PlanRequest): Plan | undefined {
  for (const branches of alternatives) {
    const plans = branches.map((filter) => {
      const parts = splitFilter(filter);
      const plans = indexes
        .map((index) => planIndex(index, parts, { filter, collated: request.collated }, false))
        .filter((plan) => plan !== undefined);
      return plans.sort((left, right) => right.score - left.score || byName(left, right))[0];
    });
    if (plans.every((plan) => plan !== undefined)) return { kind: 'union', branches: plans, sorted: false };
  }
  return undefined;
}
