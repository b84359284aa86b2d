// Runs the statements of write commands: insert, update and delete, also for bulkWrite and findAndModify.

import { ObjectId } from 'bson';
import type { Collection } from '../data/catalog.ts';
import type { RecordId } from '../data/keys.ts';
import { insertDocument, readDocument, removeDocument, replaceDocument } from '../data/records.ts';
import type { Call } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { type Hit, type Hits, PAUSE } from '../query/execute.ts';
import { longLists } from '../query/planner.ts';
import { type PreparedQuery, prepareQuery } from '../query/query.ts';
import { LockConflict } from '../storage/transactions.ts';
import type { WriteView } from '../storage/view.ts';
import { compileUpdate } from '../update/update.ts';
import { checkUpsertFilter } from '../update/upsert.ts';
import { type Doc, decode, isDocument, isTruthy, type Value } from '../values/bson.ts';
import { bytesToStore, encodeBytes } from '../values/bytes.ts';
import { compileCollation } from '../values/compare.ts';
import { getOrCreateCollection } from './command.ts';
import { runWhenReleased, type Steps } from './write-steps.ts';

/** The result of an update statement. */
export type UpdateResult = { matched: number; modified: number; upserted?: { _id: Value } };

// How many documents `removeIndexRange` reads before it deletes them.
const DELETE_BATCH = 20;

/**
 * The filter and options of an update or delete (`multi`, `upsert`, `sort`, `hint`, `collation`, `arrayFilters`), and
 * the variables of its command.
 */
export type Statement = { filter: Doc; options: Doc; variables: Doc | undefined };

type CompiledUpdate = ReturnType<typeof compileUpdate>;

/** Inserts a document, decoded or as the bytes received. */
export function* insertStatement(view: WriteView, collection: Collection, document: Buffer | Doc): Steps<void> {
  const isBytes = Buffer.isBuffer(document);
  const { doc, bytes } = bytesToStore(
    isBytes ? decode(document) : document,
    isBytes ? document : undefined,
    createObjectId,
  );
  yield* runWhenReleased(() => insertDocument(view, collection, bytes, doc));
}

/** Runs an update statement. */
export function* updateStatement(
  call: Call,
  view: WriteView,
  namespace: string,
  statement: Statement,
  change: Value,
): Steps<UpdateResult> {
  const { filter, options } = statement;
  const multi = isTruthy(options.multi);
  if (multi) assertNotRetryable(call, 'multi=true');
  const upsert = isTruthy(options.upsert);
  const compiled = compileStatementUpdate(call, change, statement);
  if (multi && isDocument(options.sort)) throw storeError(9, 'Cannot specify sort with multi=true');
  if (multi && compiled.replacement) throw storeError(9, 'multi update is not supported for replacement-style update');
  const query = prepareStatement(statement, multi ? 0 : 1);
  const collection = upsert ? getOrCreateCollection(call, view, namespace) : call.store.catalog.get(namespace);
  if (!collection) return { matched: 0, modified: 0 };
  let modified = 0;
  const matched = yield* writeMatches(call, view, collection, query, multi, (hit) => {
    const after = compiled.apply(hit.doc);
    if (writeUpdated(view, collection, hit, after) !== hit.bytes) modified++;
  });
  if (matched > 0 || !upsert) return { matched, modified };
  const { _id } = yield* runWhenReleased(() => insertUpsert(view, collection, compiled, filter));
  return { matched: 0, modified: 0, upserted: { _id } };
}

/** Runs a delete statement and returns the number of deleted documents. */
export function* deleteStatement(
  call: Call,
  view: WriteView,
  namespace: string,
  statement: Statement,
  limit: 0 | 1,
): Steps<number> {
  if (limit === 0) assertNotRetryable(call, 'limit=0');
  const query = prepareStatement(statement, limit);
  const collection = call.store.catalog.get(namespace);
  if (!collection) return 0;
  // `removeIndexRange` plans the query once per batch, which takes too long for a filter with a long list.
  const plan = limit === 0 && longLists(statement.filter).length === 0 ? query.plan(view, collection) : undefined;
  if (plan?.kind === 'index' && plan.exact) return yield* removeIndexRange(call, view, collection, query);
  return yield* writeMatches(call, view, collection, query, limit === 0, ({ record, doc }) =>
    removeDocument(view, collection, record, doc),
  );
}

// A statement that writes several documents cannot resume in the middle, so it is not retryable.
function assertNotRetryable({ body, transaction }: Call, what: string): void {
  if (body.txnNumber !== undefined && !transaction)
    throw storeError(72, `Cannot use (or request) retryable writes with ${what}`);
}

// Deletes all documents of an exact index range in batches. Each batch searches again from the start of the range, which
// contains no deleted document.
function* removeIndexRange(
  { timeSlice, store }: Call,
  view: WriteView,
  collection: Collection,
  query: PreparedQuery,
): Steps<number> {
  let removed = 0;
  while (store.catalog.get(collection.namespace) === collection) {
    const hits: Hit[] = [];
    for (const hit of query.run(view, collection, timeSlice)) {
      if (hit !== PAUSE) hits.push(hit);
      if (hits.length >= DELETE_BATCH) break;
    }
    if (hits.length === 0) break;
    for (const { record, doc } of hits) {
      const conflict = catchLockConflict(() => removeDocument(view, collection, record, doc));
      if (conflict) {
        yield conflict;
        break;
      }
      removed++;
    }
    if (timeSlice.shouldPause()) yield PAUSE;
  }
  return removed;
}

function catchLockConflict(work: () => void): LockConflict | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof LockConflict) return error;
    throw error;
  }
}

export function compileStatementUpdate(
  { now }: Call,
  change: Value,
  { options, variables }: Statement,
): CompiledUpdate {
  const collation = compileCollation(options.collation as Doc | undefined);
  const arrayFilters = Array.isArray(options.arrayFilters) ? (options.arrayFilters as Doc[]) : undefined;
  return compileUpdate(change as Doc | Doc[], { now, arrayFilters, let: variables, collation });
}

export function prepareStatement({ filter, options, variables }: Statement, limit: 0 | 1): PreparedQuery {
  if (isTruthy(options.upsert)) checkUpsertFilter(filter);
  const { sort, hint, collation } = options;
  return prepareQuery({
    filter,
    hint,
    limit,
    sort: (sort || undefined) as Doc | undefined,
    collation: (collation || undefined) as Doc | undefined,
    let: variables,
  });
}

/** Writes the updated document and returns its bytes: the identical buffer if nothing changed. */
export function writeUpdated(view: WriteView, collection: Collection, hit: Hit, after: Doc): Buffer {
  if (after === hit.doc) return hit.bytes;
  const bytes = encodeBytes(after);
  if (bytes.equals(hit.bytes)) return hit.bytes;
  replaceDocument(view, collection, hit.record, hit.doc, bytes, after);
  return bytes;
}

export function insertUpsert(
  view: WriteView,
  collection: Collection,
  compiled: CompiledUpdate,
  filter: Doc,
): { _id: Value; bytes: Buffer } {
  const upserted = compiled.apply(compiled.upsertBase(filter), true);
  const { doc, bytes } = bytesToStore(upserted, undefined, createObjectId);
  insertDocument(view, collection, bytes, doc);
  return { _id: doc._id, bytes };
}

/**
 * Calls `write` with the first match of a query, or undefined if there is none. If the search exceeds the time slice, it
 * continues in a snapshot with pauses, and is repeated if the document found there has changed.
 */
export function* writeFirstMatch<T>(
  call: Call,
  view: WriteView,
  collection: Collection,
  query: PreparedQuery,
  write: (hit: Hit | undefined) => T,
): Steps<T> {
  for (;;) {
    let hit = query.first(view, collection, call.timeSlice);
    if (hit === PAUSE) {
      const [record] = yield* findRecordsInSnapshot(call, view, collection, query);
      if (call.store.catalog.get(collection.namespace) !== collection)
        throw storeError(175, `${collection.namespace} was dropped under a write`);
      hit = record === undefined ? undefined : rereadMatch(view, collection, query, record);
      if (record !== undefined && !hit) continue;
    }
    const found = hit;
    try {
      return write(found);
    } catch (error) {
      if (!(error instanceof LockConflict)) throw error;
      yield error;
    }
  }
}

// Finds all documents before writing the first: an update may move a document to a later position of the index, and
// iterators must be closed before a commit. For several documents, only the record ids are kept in memory. Each document
// is read and tested again before it is written, because it may have changed since.
function* writeMatches(
  call: Call,
  view: WriteView,
  collection: Collection,
  query: PreparedQuery,
  multi: boolean,
  write: (hit: Hit) => void,
): Steps<number> {
  const { timeSlice, store } = call;
  if (!multi) {
    return yield* writeFirstMatch(call, view, collection, query, (hit) => {
      if (hit) write(hit);
      return hit ? 1 : 0;
    });
  }
  let written = 0;
  for (const record of yield* findRecords(call, view, collection, query)) {
    if (timeSlice.shouldPause()) yield PAUSE;
    if (store.catalog.get(collection.namespace) !== collection) break;
    written += yield* runWhenReleased(() => {
      const hit = rereadMatch(view, collection, query, record);
      if (hit) write(hit);
      return hit ? 1 : 0;
    });
  }
  return written;
}

// Searches in the current view. If that exceeds the time slice, commits what was written so far and searches a snapshot
// with pauses. A transaction already reads from a snapshot.
function* findRecords(call: Call, view: WriteView, collection: Collection, query: PreparedQuery): Steps<RecordId[]> {
  return (
    readWithinSlice(query.run(view, collection, call.timeSlice)) ??
    (yield* findRecordsInSnapshot(call, view, collection, query))
  );
}

function* findRecordsInSnapshot(
  { timeSlice, store }: Call,
  view: WriteView,
  collection: Collection,
  query: PreparedQuery,
): Steps<RecordId[]> {
  yield PAUSE;
  const snapshot = view.transactional ? undefined : store.storage.snapshot();
  const records: RecordId[] = [];
  try {
    for (const hit of query.run(snapshot ?? view, collection, timeSlice)) {
      if (hit === PAUSE) yield PAUSE;
      else records.push(hit.record);
    }
  } finally {
    snapshot?.close();
  }
  return records;
}

// Reads a document that was found earlier; undefined if it no longer matches.
function rereadMatch(view: WriteView, collection: Collection, query: PreparedQuery, record: RecordId): Hit | undefined {
  const bytes = readDocument(view, collection, record);
  const doc = bytes && decode(bytes);
  return bytes && doc && query.test(doc) ? { record, bytes, doc } : undefined;
}

function readWithinSlice(hits: Hits): RecordId[] | undefined {
  const records: RecordId[] = [];
  for (const hit of hits) {
    if (hit === PAUSE) return undefined;
    records.push(hit.record);
  }
  return records;
}

const createObjectId = (): ObjectId => new ObjectId();
