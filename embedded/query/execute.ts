import type { Collection } from '../data/catalog.ts';
import { documentRange, type RecordId, recordOfDocumentKey, recordOfPlainEntry } from '../data/keys.ts';
import { checked, readDocument, recordOfUnique } from '../data/records.ts';
import type { Watch } from '../protocol/watch.ts';
import type { View } from '../storage/view.ts';
import { type Doc, decode } from '../values/bson.ts';
import type { IndexPlan, Plan, Point } from './planner.ts';
import { walkRanges } from './range-walk.ts';

/** A document found: its stored bytes, and decoded once somebody asks. */
export type Hit = { record: RecordId; bytes: Buffer; doc: Doc };

/** What a scan yields when its slice of time is used up: the caller lets others run, or goes on when it must not be interrupted. */
export const PAUSE = null;
export type Hits = Generator<Hit | typeof PAUSE, void, undefined>;

export type Examined = { keys: number; documents: number };

/** The one whole key of a unique index that a plan reads, if that is all. */
export function onePoint(plan: Plan): Point | undefined {
  if (plan.kind !== 'index' || !plan.points || !plan.index.unique || plan.index.multikey || plan.count !== 1)
    return undefined;
  return { index: plan.index, key: plan.ranges[0]![0], exact: plan.exact };
}

/** The document of one key, if it passes the filter: no cursor is needed for one entry. */
export function lookUp(
  view: View,
  collection: Collection,
  { key, exact }: Point,
  test: (doc: Doc) => boolean,
  examined?: Examined,
): Hit | undefined {
  const entry = view.get(key);
  if (!entry) return undefined;
  const record = recordOfUnique(entry);
  const bytes = readDocument(view, collection, record);
  if (examined) examined.keys++;
  if (!bytes) return undefined;
  if (examined) examined.documents++;
  const hit = undecoded({ record, bytes });
  return exact || test(hit.doc) ? hit : undefined;
}

/** The documents of a plan that pass the filter, in the order of the plan. */
export function* scan(
  view: View,
  collection: Collection,
  plan: Plan,
  test: (doc: Doc) => boolean,
  watch: Watch,
  examined?: Examined,
): Hits {
  const exact = plan.kind === 'index' && plan.exact;
  if (watch.due()) yield PAUSE;
  for (const found of candidates(view, collection, plan, watch, examined)) {
    if (found === PAUSE) {
      yield PAUSE;
      continue;
    }
    if (examined) examined.documents++;
    if (exact) yield undecoded(found);
    else {
      const doc = decode(found.bytes);
      if (test(doc)) yield { record: found.record, bytes: found.bytes, doc };
    }
    if (watch.due()) yield PAUSE;
  }
}

/** How many documents an exact plan finds, no more than `most` (0: all): its entries are counted, and no document is read. */
export function* countEntries(
  view: View,
  plan: IndexPlan,
  most: number,
  watch: Watch,
  examined?: Examined,
): Generator<typeof PAUSE, number, undefined> {
  let count = 0;
  for (const record of indexRecords(view, plan, watch, examined)) {
    if (record === PAUSE || watch.due()) yield PAUSE;
    if (record !== PAUSE && ++count === most) break;
  }
  return count;
}

/** How many hits there are. */
export function* countHits(hits: Hits): Generator<typeof PAUSE, number, undefined> {
  let count = 0;
  for (const hit of hits) {
    if (hit === PAUSE) yield PAUSE;
    else count++;
  }
  return count;
}

type Found = { record: RecordId; bytes: Buffer };

function* candidates(
  view: View,
  collection: Collection,
  plan: Plan,
  watch: Watch,
  examined: Examined | undefined,
): Generator<Found | typeof PAUSE> {
  if (plan.kind === 'collection') {
    for (const { key, value } of view.range(...documentRange(collection.id), { reverse: plan.reverse })) {
      const record = recordOfDocumentKey(key);
      yield { record, bytes: checked(value, collection, record) };
    }
    return;
  }
  for (const record of plan.kind === 'union'
    ? unionRecords(view, plan.branches, watch, examined)
    : indexRecords(view, plan, watch, examined)) {
    if (record === PAUSE) yield PAUSE;
    else {
      const bytes = readDocument(view, collection, record);
      if (bytes) yield { record, bytes };
    }
  }
}

function* unionRecords(
  view: View,
  branches: IndexPlan[],
  watch: Watch,
  examined?: Examined,
): Generator<RecordId | typeof PAUSE> {
  const seen = new Set<RecordId>();
  for (const branch of branches) {
    for (const record of indexRecords(view, branch, watch, examined)) {
      if (record !== PAUSE && seen.has(record)) continue;
      if (record !== PAUSE) seen.add(record);
      yield record;
    }
  }
}

function* indexRecords(
  view: View,
  plan: IndexPlan,
  watch: Watch,
  examined?: Examined,
): Generator<RecordId | typeof PAUSE> {
  const { index, reverse } = plan;
  if (watch.due()) yield PAUSE;
  yield* plan.makeRanges(watch.due);
  const { ranges } = plan;
  // A whole key of a unique index is looked up: no cursor is needed for one entry.
  if (index.unique && plan.points && !index.multikey) {
    for (const [key] of reverse ? ranges.toReversed() : ranges) {
      const value = view.get(key);
      if (value) {
        if (examined) examined.keys++;
        yield recordOfUnique(value);
      }
      if (watch.due()) yield PAUSE;
    }
    return;
  }
  // A document with an array stands in a multikey index several times.
  const seen = index.multikey ? new Set<RecordId>() : undefined;
  for (const entry of walkRanges(view, ranges, { reverse, keysOnly: !index.unique }, watch.due)) {
    if (entry === PAUSE) {
      yield PAUSE;
      continue;
    }
    if (examined) examined.keys++;
    const record = index.unique ? recordOfUnique(entry.value) : recordOfPlainEntry(entry.key);
    if (seen?.has(record)) {
      if (watch.due()) yield PAUSE;
      continue;
    }
    seen?.add(record);
    yield record;
  }
}

/** The same hit without its decoded form, which is made again when asked for. */
export const undecoded = ({ record, bytes }: Found): Hit => new UndecodedHit(record, bytes);

// A class, as one is made per document found: a getter on a prototype costs nothing until it is used.
class UndecodedHit implements Hit {
  record: RecordId;
  bytes: Buffer;
  #doc: Doc | undefined;

  constructor(record: RecordId, bytes: Buffer) {
    this.record = record;
    this.bytes = bytes;
  }

  get doc(): Doc {
    this.#doc ??= decode(this.bytes);
    return this.#doc;
  }
}
