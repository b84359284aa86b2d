// Prepares queries: compiles the filter and collation, plans, and runs the plan.
import type { Collection } from '../data/catalog.ts';
import { storeError } from '../protocol/errors.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import type { View } from '../storage/view.ts';
import { asNumber, type Doc, isDocument, type Value } from '../values/bson.ts';
import { type Collation, compileCollation, sortParts } from '../values/compare.ts';
import { prepareList } from './bounds.ts';
import {
  countEntries,
  countHits,
  type Examined,
  type Hit,
  type Hits,
  PAUSE,
  readPoint,
  scan,
  singlePoint,
} from './execute.ts';
import { compileFilter } from './match.ts';
import { choosePlan, findIdPoint, longLists, type Plan, type Point } from './planner.ts';
import { sortHits } from './sorting.ts';

/** A query as stated in a command, not yet validated. */
export type Query = {
  filter: Doc;
  sort?: Doc | undefined;
  skip?: number;
  limit?: number;
  hint?: Value;
  let?: Doc | undefined;
  collation?: Doc | undefined;
};

/** A compiled query, which can run several times. */
export type PreparedQuery = {
  test(doc: Doc): boolean;
  plan(view: View, collection: Collection): Plan;
  run(view: View, collection: Collection, timeSlice: TimeSlice, examined?: Examined): Hits;
  /** Counts the documents that `run` would find, from the index alone if possible. */
  count(
    view: View,
    collection: Collection,
    timeSlice: TimeSlice,
    examined?: Examined,
  ): Generator<typeof PAUSE, number, undefined>;
  /**
   * Returns the first document with its iterator closed, so it may be written; null if the time slice is used up first.
   */
  first(view: View, collection: Collection, timeSlice: TimeSlice): Hit | typeof PAUSE | undefined;
  collation?: Collation;
};

export function prepareQuery(query: Query): PreparedQuery {
  const { filter, hint, skip = 0, limit = 0 } = query;
  const sort = query.sort && Object.keys(query.sort).length > 0 ? query.sort : undefined;
  if (sort) assertSort(sort);
  if (isDocument(hint) && '$natural' in hint) assertNatural(hint);
  const collation = compileCollation(query.collation);
  const options = { ...(collation && { collation }), ...(query.let && { let: query.let }) };
  const compiled = compileFilter(filter, options);
  const test = (doc: Doc) => compiled.test(doc);
  const planRequest = { filter, ...(sort && { sort }), hint, collated: collation !== undefined };
  const plan = (view: View, collection: Collection) => choosePlan(collection, view.version, planRequest);
  const findPoint = (view: View, collection: Collection) =>
    skip === 0 ? findIdPoint(collection, view.version, planRequest) : undefined;
  function* readOne(view: View, collection: Collection, point: Point, examined?: Examined): Hits {
    const hit = readPoint(view, collection, point, test, examined);
    if (hit) yield hit;
  }
  const run: PreparedQuery['run'] = (view, collection, timeSlice, examined) => {
    const chosen = plan(view, collection);
    const point = skip === 0 ? singlePoint(chosen) : undefined;
    if (point) return readOne(view, collection, point, examined);
    const found = scan(view, collection, chosen, test, timeSlice, examined);
    const sorted =
      sort && !chosen.sorted ? sortHits(found, sort, limit > 0 ? skip + limit : 0, timeSlice, collation) : found;
    return skip > 0 || limit > 0 ? skipAndLimit(sorted, skip, limit) : sorted;
  };
  function* prepareAndRun(
    lists: Value[][],
    ...[view, collection, timeSlice, examined]: Parameters<PreparedQuery['run']>
  ): Hits {
    yield* prepareLists(lists, timeSlice);
    yield* run(view, collection, timeSlice, examined);
  }
  function* prepareLists(lists: Value[][], timeSlice: TimeSlice): Generator<typeof PAUSE> {
    if (timeSlice.shouldPause()) yield PAUSE;
    for (const list of lists) yield* prepareList(list, collation !== undefined, timeSlice.shouldPause);
  }
  const start: PreparedQuery['run'] = (view, collection, timeSlice, examined) => {
    const point = findPoint(view, collection);
    if (point) return readOne(view, collection, point, examined);
    // Planning for a list of thousands takes long: compute its bounds with pauses first.
    const lists = longLists(filter);
    return lists.length > 0 || timeSlice.shouldPause()
      ? prepareAndRun(lists, view, collection, timeSlice, examined)
      : run(view, collection, timeSlice, examined);
  };
  return {
    test,
    plan,
    run: start,
    *count(view, collection, timeSlice, examined) {
      yield* prepareLists(longLists(filter), timeSlice);
      const chosen = plan(view, collection);
      if (chosen.kind === 'index' && chosen.exact)
        return Math.max(
          0,
          (yield* countEntries(view, chosen, limit > 0 ? skip + limit : 0, timeSlice, examined)) - skip,
        );
      return yield* countHits(run(view, collection, timeSlice, examined));
    },
    first(view, collection, timeSlice) {
      const point = findPoint(view, collection);
      if (point) return readPoint(view, collection, point, test);
      for (const hit of start(view, collection, timeSlice)) return hit;
      return undefined;
    },
    ...(collation && { collation }),
  };
}

function assertSort(sort: Doc): void {
  if ('$natural' in sort) assertNatural(sort);
  else sortParts(sort);
}

function assertNatural(spec: Doc): void {
  const direction = asNumber(spec.$natural);
  if (Object.keys(spec).length > 1 || (direction !== 1 && direction !== -1))
    throw storeError(2, "'$natural' must be 1 or -1 and cannot be combined with other fields");
}

/** Returns a numeric field truncated to an integer, undefined if it is not a number; throws if it is below `min`. */
export function integerField(value: Value, min: number, createError: (value: number) => Error): number | undefined {
  const number = asNumber(value);
  if (number === undefined) return undefined;
  if (number < min) throw createError(number);
  return Math.trunc(number);
}

function* skipAndLimit(hits: Hits, skip: number, limit: number): Hits {
  let skipped = 0;
  let returned = 0;
  for (const hit of hits) {
    if (hit === PAUSE) yield PAUSE;
    else if (skipped++ >= skip) {
      yield hit;
      if (limit > 0 && ++returned >= limit) return;
    }
  }
}
