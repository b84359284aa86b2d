import { readList } from './bounds.ts';
import { asNumber, type Doc, type Value } from './bson.ts';
import type { Collection } from './catalog.ts';
import { type Collation, compileCollation } from './compare.ts';
import { type Examined, type Hits, isLookup, lookUp, PAUSE, scan } from './execute.ts';
import { compileFilter } from './match.ts';
import { choosePlan, longLists, type Plan } from './planner.ts';
import { sortHits } from './sorting.ts';
import type { View } from './view.ts';
import type { Watch } from './watch.ts';

/** A query as commands state it; all parts checked and compiled by `prepare`. */
export type Query = { filter: Doc; sort?: Doc; skip?: number; limit?: number; hint?: Value; let?: Doc; collation?: Doc };

/** A query ready to run, also several times (an update looks again at what it found). */
export type Prepared = {
  test(doc: Doc): boolean;
  position(doc: Doc): number | undefined;
  plan(view: View, collection: Collection): Plan;
  run(view: View, collection: Collection, watch: Watch, examined?: Examined): Hits;
  collation?: Collation;
};

export function prepare(query: Query): Prepared {
  const { filter, hint, skip = 0, limit = 0 } = query;
  const sort = query.sort && Object.keys(query.sort).length > 0 ? query.sort : undefined;
  const collation = compileCollation(query.collation);
  const options = { ...(collation && { collation }), ...(query.let && { let: query.let }) };
  const compiled = compileFilter(filter, options);
  const test = (doc: Doc) => compiled.test(doc);
  const plan = (view: View, collection: Collection) =>
    choosePlan(collection, view.version, { filter, ...(sort && { sort }), hint, collated: collation !== undefined });
  const run: Prepared['run'] = (view, collection, watch, examined) => {
    const chosen = plan(view, collection);
    if (isLookup(chosen) && skip === 0) return lookUp(view, collection, chosen, test, examined);
    const found = scan(view, collection, chosen, test, watch, examined);
    const inOrder = sort && !chosen.sorted ? sortHits(found, sort, limit > 0 ? skip + limit : 0, watch, collation) : found;
    return skip > 0 || limit > 0 ? section(inOrder, skip, limit) : inOrder;
  };
  // A list of thousands takes long to read, and as long again to plan for.
  const lists = longLists(filter);
  function* inParts(...[view, collection, watch, examined]: Parameters<Prepared['run']>): Hits {
    if (watch.due()) yield PAUSE;
    for (const list of lists) yield* readList(list, collation !== undefined, watch.due);
    yield* run(view, collection, watch, examined);
  }
  return {
    test,
    position: (doc) => compiled.position(doc),
    plan,
    run: (view, collection, watch, examined) =>
      lists.length > 0 || watch.due() ? inParts(view, collection, watch, examined) : run(view, collection, watch, examined),
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
