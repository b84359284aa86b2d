// Runs plans: reads documents and index entries.
import type { Collection } from '../data/catalog.ts';
import { documentRange, type RecordId, recordOfDocumentKey, recordOfPlainEntry } from '../data/keys.ts';
import { readDocument, recordOfUnique, verifyChecksum } from '../data/records.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import type { View } from '../storage/view.ts';
import { type Doc, decode } from '../values/bson.ts';
import type { IndexPlan, Plan, Point } from './planner.ts';
import { walkRanges } from './range-walk.ts';

/** A matching document: its stored bytes, decoded on first access. */
export type Hit = { record: RecordId; bytes: Buffer; doc: Doc };

/** Yielded when the time slice is used up: the caller pauses, or continues if it must not be interrupted. */
export const PAUSE = null;
export type Hits = Generator<Hit | typeof PAUSE, void, undefined>;

export type Examined = { keys: number; documents: number };

/** Returns the key of a plan that reads a single complete key of a unique index; undefined for other plans. */
export function singlePoint(plan: Plan): Point | undefined {
  if (plan.kind !== 'index' || !plan.points || !plan.index.unique || plan.index.multikey || plan.count !== 1)
    return undefined;
  return { index: plan.index, key: plan.ranges[0]![0], exact: plan.exact };
}

/** Returns the document of one key if it passes the filter. */
export function readPoint(
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
  const hit = toUndecodedHit({ record, bytes });
  return exact || test(hit.doc) ? hit : undefined;
}

/** Yields the documents of a plan that pass the filter, in the order of the plan. */
export function* scan(
  view: View,
  collection: Collection,
  plan: Plan,
  test: (doc: Doc) => boolean,
  timeSlice: TimeSlice,
  examined?: Examined,
): Hits {
  const exact = plan.kind === 'index' && plan.exact;
  if (timeSlice.shouldPause()) yield PAUSE;
  for (const found of readCandidates(view, collection, plan, timeSlice, examined)) {
    if (found === PAUSE) {
      yield PAUSE;
      continue;
    }
    if (examined) examined.documents++;
    if (exact) yield toUndecodedHit(found);
    else {
      const doc = decode(found.bytes);
      if (test(doc)) yield { record: found.record, bytes: found.bytes, doc };
    }
    if (timeSlice.shouldPause()) yield PAUSE;
  }
}

/** Counts the index entries of an exact plan without reading documents, up to `max` (0: no limit). */
export function* countEntries(
  view: View,
  plan: IndexPlan,
  max: number,
  timeSlice: TimeSlice,
  examined?: Examined,
): Generator<typeof PAUSE, number, undefined> {
  let count = 0;
  for (const record of indexRecords(view, plan, timeSlice, examined)) {
    if (record === PAUSE || timeSlice.shouldPause()) yield PAUSE;
    if (record !== PAUSE && ++count === max) break;
  }
  return count;
}

/** Counts the hits. */
export function* countHits(hits: Hits): Generator<typeof PAUSE, number, undefined> {
  let count = 0;
  for (const hit of hits) {
    if (hit === PAUSE) yield PAUSE;
    else count++;
  }
  return count;
}

type StoredDocument = { record: RecordId; bytes: Buffer };

function* readCandidates(
  view: View,
  collection: Collection,
  plan: Plan,
  timeSlice: TimeSlice,
  examined: Examined | undefined,
): Generator<StoredDocument | typeof PAUSE> {
  if (plan.kind === 'collection') {
    for (const { key, value } of view.range(...documentRange(collection.id), { reverse: plan.reverse })) {
      const record = recordOfDocumentKey(key);
      yield { record, bytes: verifyChecksum(value, collection, record) };
    }
    return;
  }
  for (const record of plan.kind === 'union'
    ? unionRecords(view, plan.branches, timeSlice, examined)
    : indexRecords(view, plan, timeSlice, examined)) {
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
  timeSlice: TimeSlice,
  examined?: Examined,
): Generator<RecordId | typeof PAUSE> {
  const visited = new Set<RecordId>();
  for (const branch of branches) {
    for (const record of indexRecords(view, branch, timeSlice, examined)) {
      if (record !== PAUSE && visited.has(record)) continue;
      if (record !== PAUSE) visited.add(record);
      yield record;
    }
  }
}

function* indexRecords(
  view: View,
  plan: IndexPlan,
  timeSlice: TimeSlice,
  examined?: Examined,
): Generator<RecordId | typeof PAUSE> {
  const { index, reverse } = plan;
  if (timeSlice.shouldPause()) yield PAUSE;
  yield* plan.computeRanges(timeSlice.shouldPause);
  const { ranges } = plan;
  // A point lookup needs no cursor.
  if (index.unique && plan.points && !index.multikey) {
    for (const [key] of reverse ? ranges.toReversed() : ranges) {
      const value = view.get(key);
      if (value) {
        if (examined) examined.keys++;
        yield recordOfUnique(value);
      }
      if (timeSlice.shouldPause()) yield PAUSE;
    }
    return;
  }
  // A document with an array has several entries in a multikey index.
  const visited = index.multikey ? new Set<RecordId>() : undefined;
  for (const entry of walkRanges(view, ranges, { reverse, keysOnly: !index.unique }, timeSlice.shouldPause)) {
    if (entry === PAUSE) {
      yield PAUSE;
      continue;
    }
    if (examined) examined.keys++;
    const record = index.unique ? recordOfUnique(entry.value) : recordOfPlainEntry(entry.key);
    if (visited?.has(record)) {
      if (timeSlice.shouldPause()) yield PAUSE;
      continue;
    }
    visited?.add(record);
    yield record;
  }
}

/** Returns the hit without its decoded document, which is decoded again on access. */
export const toUndecodedHit = ({ record, bytes }: StoredDocument): Hit => new UndecodedHit(record, bytes);

// A class, because one object is created per document: a getter on a prototype costs nothing until it is used.
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
