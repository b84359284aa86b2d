import type { Collection, Index } from '../data/catalog.ts';
import { CUT_AT } from '../data/index-keys.ts';
import { successor } from '../data/keys.ts';
import { encodeKey } from '../data/keystring.ts';
import { storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, isDocument, type Value } from '../values/bson.ts';
import { equal } from '../values/compare.ts';
import { allowsMissing, type Interval, intersect, intervalLabel, intervalsOf, isPlainRange, placed } from './bounds.ts';
import { atOnce } from './merge-sort.ts';
import { impliesFilter } from './partial.ts';
import { type Demands, demandsOf, type Predicate } from './predicates.ts';

export type Range = [low: Buffer, high: Buffer];

/**
 * How the documents of a query are found. `sorted`: they come in the order asked for. `exact`: each of them matches, the filter need not run.
 * `points`: each range is one whole key.
 */
export type Plan =
  | { kind: 'collection'; reverse: boolean; sorted: boolean }
  | {
      kind: 'index';
      index: Index;
      /** How many ranges there are; they are made when they are asked for, of thousands a few at a time by `makeRanges`. */
      count: number;
      readonly ranges: Range[];
      makeRanges(due: () => boolean): Generator<null, void>;
      /** For explain. */
      labels: string[][];
      /** Some field of the index has bounds. */
      narrowed: boolean;
      reverse: boolean;
      sorted: boolean;
      exact: boolean;
      points: boolean;
      score: number;
    }
  | { kind: 'union'; branches: IndexPlan[]; sorted: false };
export type IndexPlan = Extract<Plan, { kind: 'index' }>;

export type Wanted = { filter: Doc; sort?: Doc; hint?: Value; collated: boolean };

const MOST_RANGES = 50_000;
const LONG_LIST = 256;

/** The long lists in a filter that decide how an index is read: to work them out takes as long as all other planning together. */
export function longLists(filter: Doc): Value[][] {
  const { predicates, alternatives } = demandsOf(filter);
  const own = predicates.flatMap(({ operator, argument }) =>
    operator === '$in' && Array.isArray(argument) && argument.length > LONG_LIST ? [argument] : [],
  );
  return own.concat(alternatives.flat().flatMap(longLists));
}

/** Chooses the index with the best score, ties by name; a scan of the collection when none helps. `version` is that of the view that will be read. */
export function choosePlan(collection: Collection, version: number, wanted: Wanted): Plan {
  const natural = naturalOrder(wanted);
  if (natural) return { kind: 'collection', reverse: natural < 0, sorted: isNatural(wanted.sort) };
  const byId = pointOf(collection, version, wanted);
  if (byId) return planPoint(byId, wanted);
  const hinted = hintedIndex(collection, wanted.hint);
  const indexes = hinted ? [hinted] : collection.indexes.filter((index) => index.readyAt <= version);
  const demands = demandsOf(wanted.filter);
  const plans = indexes
    .map((index) => planIndex(index, demands, wanted, hinted !== undefined))
    .filter((plan) => plan !== undefined);
  const best = plans.sort(
    (left, right) =>
      right.score - left.score || left.index.fields.length - right.index.fields.length || byName(left, right),
  )[0];
  if (best && (hinted || best.narrowed)) return best;
  return unionOf(indexes, demands, wanted) ?? best ?? { kind: 'collection', reverse: false, sorted: !wanted.sort };
}

/** The index by which a join finds the documents of a value, missing ones included; without one, or under a collation, the join hashes the collection. */
export function joinIndex(collection: Collection | undefined, version: number, path: string): Index | undefined {
  return collection?.indexes.find(
    ({ fields, sparse, partial, readyAt }) => fields[0]?.path === path && !sparse && !partial && readyAt <= version,
  );
}

/** One whole key of a unique index. `exact`: its document matches, the filter need not run. */
export type Point = { index: Index; key: Buffer; exact: boolean };

/** Where a filter names the one id, there is nothing to choose. */
export function pointOf(
  { indexes }: Collection,
  version: number,
  { filter, sort, hint, collated }: Wanted,
): Point | undefined {
  const given = filter._id;
  const id = isDocument(given) && Object.keys(given).length === 1 ? given.$eq : given;
  if (typeof id !== 'string' || id.length > LONGEST_ID || hint !== undefined || collated || isNatural(sort))
    return undefined;
  const index = indexes.find(({ name }) => name === '_id_');
  if (!index || index.cut || index.readyAt > version) return undefined;
  return { index, key: encodeKey([id], [1], index.prefix), exact: Object.keys(filter).length === 1 };
}

function planPoint({ index, key, exact }: Point, wanted: Wanted): IndexPlan {
  return {
    kind: 'index',
    index,
    count: 1,
    ranges: [[key, successor(key)]],
    *makeRanges() {},
    get labels() {
      return planIndex(index, demandsOf(wanted.filter), wanted, false)?.labels ?? [];
    },
    narrowed: true,
    reverse: false,
    sorted: true,
    exact,
    points: true,
    score: 60,
  };
}

const LONGEST_ID = 100;

const byName = (left: IndexPlan, right: IndexPlan): number => (left.index.name < right.index.name ? -1 : 1);

const isNatural = (sort: Doc | undefined): boolean => sort !== undefined && '$natural' in sort;

function naturalOrder({ sort, hint }: Wanted): number | undefined {
  if (sort && isNatural(sort)) return asNumber(sort.$natural);
  return isDocument(hint) && '$natural' in hint ? asNumber(hint.$natural) : undefined;
}

function hintedIndex(collection: Collection, hint: Value): Index | undefined {
  if (hint === undefined || (isDocument(hint) && Object.keys(hint).length === 0)) return undefined;
  const found = collection.indexes.find((index) =>
    typeof hint === 'string' ? index.name === hint : equal(index.key, hint),
  );
  if (!found)
    throw storeError(
      2,
      'error processing query: planner returned error: hint provided does not correspond to an existing index',
    );
  return found;
}

function planIndex(index: Index, demands: Demands, { sort, collated }: Wanted, hinted: boolean): IndexPlan | undefined {
  if (index.partial && !impliesFilter(demands.predicates, index.partial.filter)) {
    if (hinted)
      throw storeError(
        291,
        `error processing query: the hinted index ${index.name} does not hold all documents the query may find`,
      );
    return undefined;
  }
  const chosen = chooseIntervals(index, demands.predicates, collated);
  if (index.sparse && !hinted && !chosen.excludesMissing) return undefined;
  const sorted = sort ? sortDirection(index, sort, demands.predicates, collated) : 0;
  const score = chosen.score + (sorted ? 4 : 0) + (index.unique && chosen.points === index.fields.length ? 50 : 0);
  if (score === 0 && !hinted) return undefined;
  const used = new Set(chosen.used);
  // too many ranges are left wider
  const count = chosen.fields.reduce((all, { length }) => all * length, 1);
  const asNarrow = count <= MOST_RANGES;
  const covered = demands.whole && demands.predicates.every((predicate) => used.has(predicate));
  const exact = !index.multikey && !index.cut && covered && asNarrow && chosen.whole;
  let ranges: Range[] | undefined;
  return {
    kind: 'index',
    index,
    count,
    // made for the plan that is taken, and once
    get ranges() {
      ranges ??= atOnce(toRanges(index, chosen.fields, () => false));
      return ranges;
    },
    *makeRanges(due) {
      ranges ??= yield* toRanges(index, chosen.fields, due);
    },
    get labels() {
      return chosen.fields.map((intervals, at) =>
        intervals.map((interval) => intervalLabel(interval, index.fields[at]!.direction)),
      );
    },
    narrowed: chosen.fields.length > 0,
    reverse: sorted < 0,
    sorted: !sort || sorted !== 0,
    exact,
    points: chosen.points === index.fields.length && !index.cut && asNarrow,
    score,
  };
}

/** `whole`: what lies in the intervals matches. */
type Chosen = {
  fields: Interval[][];
  used: Predicate[];
  score: number;
  points: number;
  whole: boolean;
  excludesMissing: boolean;
};

// Field by field: points let the next field narrow further, the first range ends it.
function chooseIntervals(index: Index, predicates: Predicate[], collated: boolean): Chosen {
  const chosen: Chosen = { fields: [], used: [], score: 0, points: 0, whole: true, excludesMissing: false };
  const arrays = new Map<string, Doc | undefined>();
  for (const { path } of index.fields) {
    const candidates = predicates.filter((predicate) => predicate.path === path);
    const narrowed = index.multikey ? narrowOne(candidates, path, arrays, collated) : narrowAll(candidates, collated);
    if (!narrowed) break;
    chosen.fields.push(narrowed.intervals);
    chosen.used.push(...narrowed.used);
    if (narrowed.used.some((predicate) => !allowsMissing(predicate))) chosen.excludesMissing = true;
    const points = narrowed.intervals.every(({ point }) => point);
    chosen.score += points ? (narrowed.intervals.length === 1 ? 10 : 8) : 5;
    chosen.whole &&= points || narrowed.used.every(isPlainRange);
    if (!points) break;
    chosen.points++;
  }
  return chosen;
}

type Narrowed = { intervals: Interval[]; used: Predicate[] };

// Without arrays every condition holds for the one value, so they narrow together.
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

// With arrays each condition may be met by another element: one condition narrows, or those of one $elemMatch;
// and a second field of the same array only under the same $elemMatch.
function narrowOne(
  candidates: Predicate[],
  path: string,
  arrays: Map<string, Doc | undefined>,
  collated: boolean,
): Narrowed | undefined {
  const root = path.split('.')[0]!;
  const groups = Map.groupBy(candidates, (predicate) => predicate.together ?? predicate);
  let best: (Narrowed & { together?: Doc }) | undefined;
  for (const group of groups.values()) {
    const together = group[0]?.together;
    if (arrays.has(root) && (!together || arrays.get(root) !== together)) continue;
    const narrowed = narrowAll(group, collated);
    if (narrowed && (!best || rankNarrowed(narrowed) > rankNarrowed(best)))
      best = together ? { ...narrowed, together } : narrowed;
  }
  if (best) arrays.set(root, best.together);
  return best;
}

const rankNarrowed = ({ intervals, used }: Narrowed): number =>
  intervals.every(({ point }) => point) ? 1000 - intervals.length / 10 : used.length;

function* toRanges(index: Index, fields: Interval[][], due: () => boolean): Generator<null, Range[]> {
  let prefixes: Buffer[] = [index.prefix];
  let ranges: Range[] = [[index.prefix, successor(index.prefix)]];
  for (const [at, intervals] of fields.entries()) {
    const direction = index.fields[at]!.direction;
    if (prefixes.length * intervals.length > MOST_RANGES) break;
    const isLast = at === fields.length - 1 || !intervals.every(({ point }) => point);
    const inTurn = direction === 1 ? intervals : intervals.toReversed();
    const longer: Buffer[] = [];
    ranges = [];
    for (const prefix of prefixes) {
      for (const interval of inTurn) {
        const [low, high] = placed(interval, direction);
        ranges.push(fitted(prefix, low, high));
        if (!isLast) longer.push(joined(prefix, low));
        if ((ranges.length & 255) === 0 && due()) yield null;
      }
    }
    if (isLast) break;
    prefixes = longer;
  }
  return ranges;
}

// Keys longer than CUT_AT may have been cut there: such bounds are widened to their beginning.
function fitted(prefix: Buffer, low: Buffer, high: Buffer): Range {
  const most = CUT_AT + 5;
  const from = joined(prefix, low);
  const to = joined(prefix, high);
  return [from.length > most ? from.subarray(0, most) : from, to.length > most ? successor(to.subarray(0, most)) : to];
}

function joined(prefix: Buffer, rest: Buffer): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + rest.length);
  key.set(prefix);
  key.set(rest, prefix.length);
  return key;
}

// 1 or -1 when reading the index forwards or backwards gives the order; fields held to one value may be passed over.
function sortDirection(index: Index, sort: Doc, predicates: Predicate[], collated: boolean): number {
  if (index.multikey || index.cut || collated) return 0;
  const inIndex = new Set(index.fields.map(({ path }) => path));
  // Only the index knows that a field holds no arrays, of which another element may decide the order.
  const fixed = new Set(
    predicates
      .filter(({ operator, argument, path }) => operator === '$eq' && !Array.isArray(argument) && inIndex.has(path))
      .map(({ path }) => path),
  );
  let at = 0;
  let turn = 0;
  for (const [path, given] of Object.entries(sort)) {
    if (fixed.has(path)) continue;
    while (index.fields[at] && index.fields[at]!.path !== path && fixed.has(index.fields[at]!.path)) at++;
    const field = index.fields[at++];
    if (field?.path !== path) return 0;
    const wanted = (asNumber(given) ?? 1) === field.direction ? 1 : -1;
    if (turn && turn !== wanted) return 0;
    turn = wanted;
  }
  return turn || 1;
}

// {$or: […]} with an index for every branch.
function unionOf(indexes: Index[], { alternatives }: Demands, wanted: Wanted): Plan | undefined {
  for (const branches of alternatives) {
    const plans = branches.map((filter) => {
      const demands = demandsOf(filter);
      const plans = indexes
        .map((index) => planIndex(index, demands, { filter, collated: wanted.collated }, false))
        .filter((plan) => plan !== undefined);
      return plans.sort((left, right) => right.score - left.score || byName(left, right))[0];
    });
    if (plans.every((plan) => plan !== undefined)) return { kind: 'union', branches: plans, sorted: false };
  }
  return undefined;
}
