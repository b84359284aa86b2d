import type { Collection } from '../data/catalog.ts';
import type { Watch } from '../protocol/watch.ts';
import type { View } from '../storage/view.ts';
import { asNumber, type Doc, type Value } from '../values/bson.ts';
import { type Collation, compileCollation } from '../values/compare.ts';
import { readList } from './bounds.ts';
import {
  countEntries,
  countHits,
  type Examined,
  type Hit,
  type Hits,
  lookUp,
  onePoint,
  PAUSE,
  scan,
} from './execute.ts';
import { compileFilter } from './match.ts';
import { choosePlan, longLists, type Plan, type Point, pointOf } from './planner.ts';
import { sortHits } from './sorting.ts';

/** A query as commands state it; all parts checked and compiled by `prepare`. */
export type Query = {
  filter: Doc;
  sort?: Doc | undefined;
  skip?: number;
  limit?: number;
  hint?: Value;
  let?: Doc | undefined;
  collation?: Doc | undefined;
};

/** A query ready to run, also several times (an update looks again at what it found). */
export type Prepared = {
  test(doc: Doc): boolean;
  position(doc: Doc): number | undefined;
  plan(view: View, collection: Collection): Plan;
  run(view: View, collection: Collection, watch: Watch, examined?: Examined): Hits;
  /** How many documents `run` would find; where an index alone tells it, none is read. */
  count(
    view: View,
    collection: Collection,
    watch: Watch,
    examined?: Examined,
  ): Generator<typeof PAUSE, number, undefined>;
  /** The first document, with its iterator closed: it may be written. Null when it takes longer than a slice. */
  first(view: View, collection: Collection, watch: Watch): Hit | typeof PAUSE | undefined;
  collation?: Collation;
};

export function prepare(query: Query): Prepared {
  const { filter, hint, skip = 0, limit = 0 } = query;
  const sort = query.sort && Object.keys(query.sort).length > 0 ? query.sort : undefined;
  const collation = compileCollation(query.collation);
  const options = { ...(collation && { collation }), ...(query.let && { let: query.let }) };
  const compiled = compileFilter(filter, options);
  const test = (doc: Doc) => compiled.test(doc);
  const wanted = { filter, ...(sort && { sort }), hint, collated: collation !== undefined };
  const plan = (view: View, collection: Collection) => choosePlan(collection, view.version, wanted);
  const pointIn = (view: View, collection: Collection) =>
    skip === 0 ? pointOf(collection, view.version, wanted) : undefined;
  function* lookedUp(view: View, collection: Collection, point: Point, examined?: Examined): Hits {
    const hit = lookUp(view, collection, point, test, examined);
    if (hit) yield hit;
  }
  const run: Prepared['run'] = (view, collection, watch, examined) => {
    const chosen = plan(view, collection);
    const point = skip === 0 ? onePoint(chosen) : undefined;
    if (point) return lookedUp(view, collection, point, examined);
    const found = scan(view, collection, chosen, test, watch, examined);
    const inOrder =
      sort && !chosen.sorted ? sortHits(found, sort, limit > 0 ? skip + limit : 0, watch, collation) : found;
    return skip > 0 || limit > 0 ? section(inOrder, skip, limit) : inOrder;
  };
  function* inParts(lists: Value[][], ...[view, collection, watch, examined]: Parameters<Prepared['run']>): Hits {
    yield* readLists(lists, watch);
    yield* run(view, collection, watch, examined);
  }
  function* readLists(lists: Value[][], watch: Watch): Generator<typeof PAUSE> {
    if (watch.due()) yield PAUSE;
    for (const list of lists) yield* readList(list, collation !== undefined, watch.due);
  }
  const start: Prepared['run'] = (view, collection, watch, examined) => {
    const point = pointIn(view, collection);
    if (point) return lookedUp(view, collection, point, examined);
    // A list of thousands takes long to read, and as long again to plan for.
    const lists = longLists(filter);
    return lists.length > 0 || watch.due()
      ? inParts(lists, view, collection, watch, examined)
      : run(view, collection, watch, examined);
  };
  return {
    test,
    position: (doc) => compiled.position(doc),
    plan,
    run: start,
    *count(view, collection, watch, examined) {
      yield* readLists(longLists(filter), watch);
      const chosen = plan(view, collection);
      if (chosen.kind === 'index' && chosen.exact)
        return Math.max(0, (yield* countEntries(view, chosen, limit > 0 ? skip + limit : 0, watch, examined)) - skip);
      return yield* countHits(run(view, collection, watch, examined));
    },
    first(view, collection, watch) {
      const point = pointIn(view, collection);
      if (point) return lookUp(view, collection, point, test);
      for (const hit of start(view, collection, watch)) return hit;
      return undefined;
    },
    ...(collation && { collation }),
  };
}

/** A whole number of a command's field; `least` is the smallest allowed. */
export function wholeNumber(value: Value, least: number, complain: (value: number) => Error): number | undefined {
  const number = asNumber(value);
  if (number === undefined) return undefined;
  if (number < least) throw complain(number);
  return Math.trunc(number);
}

function* section(hits: Hits, skip: number, limit: number): Hits {
  let passed = 0;
  let given = 0;
  for (const hit of hits) {
    if (hit === PAUSE) yield PAUSE;
    else if (passed++ >= skip) {
      yield hit;
      if (limit > 0 && ++given >= limit) return;
    }
  }
}
