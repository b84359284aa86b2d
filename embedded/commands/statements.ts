import { ObjectId } from 'bson';
import type { Collection } from '../data/catalog.ts';
import type { RecordId } from '../data/keys.ts';
import { insertDocument, readDocument, removeDocument, replaceDocument } from '../data/records.ts';
import type { Call } from '../process/engine.ts';
import { storeError } from '../protocol/errors.ts';
import { type Hit, type Hits, PAUSE } from '../query/execute.ts';
import { longLists } from '../query/planner.ts';
import { type Prepared, prepare } from '../query/query.ts';
import { HeldKey } from '../storage/transactions.ts';
import type { WriteView } from '../storage/view.ts';
import { compileUpdate } from '../update/update.ts';
import { checkUpsertFilter } from '../update/upsert.ts';
import { type Doc, decode, isDocument, type Value } from '../values/bson.ts';
import { bytesToStore, encodeBytes } from '../values/bytes.ts';
import { compileCollation } from '../values/compare.ts';
import { collectionToWrite, isOn } from './command.ts';
import { onceFree, type Steps } from './write-steps.ts';

/** What one update statement did. */
export type Updated = { matched: number; modified: number; upserted?: { _id: Value } };

const AT_ONCE = 20;

/** What an update or a delete says: which documents, and its options (`multi`, `upsert`, `sort`, `hint`, `collation`, `arrayFilters`). */
export type Statement = { filter: Doc; options: Doc; variables: Doc | undefined };

type Changer = ReturnType<typeof compileUpdate>;

/** Adds one document, given as it came or decoded. */
export function* insertOne(view: WriteView, collection: Collection, given: Buffer | Doc): Steps<void> {
  const isBytes = Buffer.isBuffer(given);
  const { doc, bytes } = bytesToStore(isBytes ? decode(given) : given, isBytes ? given : undefined, newId);
  yield* onceFree(() => insertDocument(view, collection, bytes, doc));
}

/** Runs one update statement. */
export function* updateStatement(
  call: Call,
  view: WriteView,
  namespace: string,
  statement: Statement,
  change: Value,
): Steps<Updated> {
  const { filter, options } = statement;
  const multi = isOn(options.multi);
  if (multi) refuseNumbered(call, 'multi=true');
  const upsert = isOn(options.upsert);
  const changer = compileChange(call, change, statement);
  if (multi && changer.replacement) throw storeError(9, 'multi update is not supported for replacement-style update');
  const query = queryOf(statement, multi ? 0 : 1);
  const collection = upsert ? collectionToWrite(call, view, namespace) : call.engine.catalog.get(namespace);
  if (!collection) return { matched: 0, modified: 0 };
  const positional = usesPosition(change);
  let modified = 0;
  const matched = yield* eachTarget(call, view, collection, query, multi, (hit) => {
    const after = changer.apply(hit.doc, positional ? query.position(hit.doc) : undefined);
    if (writeChange(view, collection, hit, after) !== hit.bytes) modified++;
  });
  if (matched > 0 || !upsert) return { matched, modified };
  const { _id } = yield* onceFree(() => insertUpsert(view, collection, changer, filter));
  return { matched: 0, modified: 0, upserted: { _id } };
}

/** Runs one delete statement; answers how many documents went. */
export function* deleteStatement(
  call: Call,
  view: WriteView,
  namespace: string,
  statement: Statement,
  limit: 0 | 1,
): Steps<number> {
  if (limit === 0) refuseNumbered(call, 'limit=0');
  const query = queryOf(statement, limit);
  const collection = call.engine.catalog.get(namespace);
  if (!collection) return 0;
  // To plan for a long list again and again would take longer than to note what it finds.
  const plan = limit === 0 && longLists(statement.filter).length === 0 ? query.plan(view, collection) : undefined;
  if (plan?.kind === 'index' && plan.exact) return yield* removeAll(call, view, collection, query);
  return yield* eachTarget(call, view, collection, query, limit === 0, ({ record, doc }) =>
    removeDocument(view, collection, record, doc),
  );
}

// A statement over many documents cannot be gone on with in its middle.
function refuseNumbered({ body, transaction }: Call, what: string): void {
  if (body.txnNumber !== undefined && !transaction)
    throw storeError(72, `Cannot use (or request) retryable writes with ${what}`);
}

// When every entry of an index range is to go, the range is read a little at a time: what was removed is not met again.
function* removeAll({ watch, engine }: Call, view: WriteView, collection: Collection, query: Prepared): Steps<number> {
  let removed = 0;
  while (engine.catalog.get(collection.namespace) === collection) {
    const hits: Hit[] = [];
    for (const hit of query.run(view, collection, watch)) {
      if (hit !== PAUSE) hits.push(hit);
      if (hits.length >= AT_ONCE) break;
    }
    if (hits.length === 0) break;
    for (const { record, doc } of hits) {
      const held = heldOr(() => removeDocument(view, collection, record, doc));
      if (held) {
        yield held;
        break;
      }
      removed++;
    }
    if (watch.due()) yield PAUSE;
  }
  return removed;
}

function heldOr(work: () => void): HeldKey | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof HeldKey) return error;
    throw error;
  }
}

export function compileChange({ now }: Call, change: Value, { options, variables }: Statement): Changer {
  const collation = compileCollation(options.collation as Doc | undefined);
  const arrayFilters = Array.isArray(options.arrayFilters) ? (options.arrayFilters as Doc[]) : undefined;
  return compileUpdate(change as Doc | Doc[], { now, arrayFilters, let: variables, collation });
}

export function queryOf({ filter, options, variables }: Statement, limit: 0 | 1): Prepared {
  if (isOn(options.upsert)) checkUpsertFilter(filter);
  const { sort, hint, collation } = options;
  return prepare({
    filter,
    hint,
    limit,
    sort: (sort || undefined) as Doc | undefined,
    collation: (collation || undefined) as Doc | undefined,
    let: variables,
  });
}

/** Writes the new form of a document and answers its bytes: the very same as before when nothing changed. */
export function writeChange(view: WriteView, collection: Collection, hit: Hit, after: Doc): Buffer {
  if (after === hit.doc) return hit.bytes;
  const bytes = encodeBytes(after);
  if (bytes.equals(hit.bytes)) return hit.bytes;
  replaceDocument(view, collection, hit.record, hit.doc, bytes, after);
  return bytes;
}

export function insertUpsert(
  view: WriteView,
  collection: Collection,
  changer: Changer,
  filter: Doc,
): { _id: Value; bytes: Buffer } {
  const made = changer.apply(changer.upsertBase(filter), undefined, true);
  const { doc, bytes } = bytesToStore(made, undefined, newId);
  insertDocument(view, collection, bytes, doc);
  return { _id: doc._id, bytes };
}

/** The place that the filter matched in an array is looked for only where a path asks for it. */
export const usesPosition = (change: Value): boolean =>
  isDocument(change) &&
  Object.values(change).some((paths) => isDocument(paths) && Object.keys(paths).some((path) => path.includes('.$')));

/**
 * Writes to the first document of a query, or does without one. What is not found within a slice is looked for a little at a time, and again when it changed
 * meanwhile.
 */
export function* onFirst<T>(
  call: Call,
  view: WriteView,
  collection: Collection,
  query: Prepared,
  write: (hit: Hit | undefined) => T,
): Steps<T> {
  for (;;) {
    let hit = query.first(view, collection, call.watch);
    if (hit === PAUSE) {
      const [record] = yield* lookedFor(call, view, collection, query);
      if (call.engine.catalog.get(collection.namespace) !== collection)
        throw storeError(175, `${collection.namespace} was dropped under a write`);
      hit = record === undefined ? undefined : readAgain(view, collection, query, record);
      if (record !== undefined && !hit) continue;
    }
    const found = hit;
    try {
      return write(found);
    } catch (error) {
      if (!(error instanceof HeldKey)) throw error;
      yield error;
    }
  }
}

// All are found first, then written: a document that moves in the index it was found by must not be met again, and iterators close before a commit.
// Of many only the records are held; each is read and tested again, as it may have changed since, also by others between two steps.
function* eachTarget(
  call: Call,
  view: WriteView,
  collection: Collection,
  query: Prepared,
  many: boolean,
  write: (hit: Hit) => void,
): Steps<number> {
  const { watch, engine } = call;
  if (!many) {
    return yield* onFirst(call, view, collection, query, (hit) => {
      if (hit) write(hit);
      return hit ? 1 : 0;
    });
  }
  let written = 0;
  for (const record of yield* recordsOf(call, view, collection, query)) {
    if (watch.due()) yield PAUSE;
    if (engine.catalog.get(collection.namespace) !== collection) break;
    written += yield* onceFree(() => {
      const hit = readAgain(view, collection, query, record);
      if (hit) write(hit);
      return hit ? 1 : 0;
    });
  }
  return written;
}

// Few are read where they are written. When that takes long, what was written so far is committed first, then a snapshot is read a little at a time;
// a transaction has a snapshot of its own.
function* recordsOf(call: Call, view: WriteView, collection: Collection, query: Prepared): Steps<RecordId[]> {
  return readUntilDue(query.run(view, collection, call.watch)) ?? (yield* lookedFor(call, view, collection, query));
}

function* lookedFor(
  { watch, engine }: Call,
  view: WriteView,
  collection: Collection,
  query: Prepared,
): Steps<RecordId[]> {
  yield PAUSE;
  const snapshot = view.transactional ? undefined : engine.storage.snapshot();
  const records: RecordId[] = [];
  try {
    for (const hit of query.run(snapshot ?? view, collection, watch)) {
      if (hit === PAUSE) yield PAUSE;
      else records.push(hit.record);
    }
  } finally {
    snapshot?.close();
  }
  return records;
}

// What was found in a snapshot, or before a pause, if it still is what the query asks for.
function readAgain(view: WriteView, collection: Collection, query: Prepared, record: RecordId): Hit | undefined {
  const bytes = readDocument(view, collection, record);
  const doc = bytes && decode(bytes);
  return bytes && doc && query.test(doc) ? { record, bytes, doc } : undefined;
}

function readUntilDue(hits: Hits): RecordId[] | undefined {
  const records: RecordId[] = [];
  for (const hit of hits) {
    if (hit === PAUSE) return undefined;
    records.push(hit.record);
  }
  return records;
}

const newId = (): ObjectId => new ObjectId();
