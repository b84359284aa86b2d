import { ObjectId } from 'bson';
import { asNumber, type Doc, decode, isDocument, type Value } from './bson.ts';
import { bytesToStore, encodeBytes } from './bytes.ts';
import type { Collection } from './catalog.ts';
import { collectionToWrite, isOn } from './commands/command.ts';
import { compileCollation } from './compare.ts';
import type { Call } from './engine.ts';
import { storeError } from './errors.ts';
import { type Hit, type Hits, PAUSE } from './execute.ts';
import type { RecordId } from './keys.ts';
import { type Prepared, prepare } from './query.ts';
import { insertDocument, readDocument, removeDocument, replaceDocument } from './records.ts';
import { HeldKey } from './transactions.ts';
import { compileUpdate } from './update.ts';
import { checkUpsertFilter } from './upsert.ts';
import type { WriteView } from './view.ts';
import { onceFree, type Steps } from './write-steps.ts';

/** What one update statement did. */
export type Updated = { matched: number; modified: number; upserted?: { _id: Value } };

const AT_ONCE = 20;

type Changer = ReturnType<typeof compileUpdate>;

/** Adds one document, given as it came or decoded. */
export function* insertOne(view: WriteView, collection: Collection, given: Buffer | Doc): Steps<void> {
  const isBytes = Buffer.isBuffer(given);
  const { doc, bytes } = bytesToStore(isBytes ? decode(given) : given, isBytes ? given : undefined, newId);
  yield* onceFree(() => insertDocument(view, collection, bytes, doc));
}

/** One update statement `{q, u, multi, upsert, …}`. */
export function* updateStatement(call: Call, view: WriteView, namespace: string, statement: Doc, variables: Doc | undefined): Steps<Updated> {
  const { arrayFilters, collation, q: filter } = statement;
  const multi = isOn(statement.multi);
  if (multi) refuseNumbered(call, 'multi=true');
  const upsert = isOn(statement.upsert);
  const changer = compileChange(call, statement.u, { arrayFilters, let: variables, collation });
  if (multi && changer.replacement) throw storeError(9, 'multi update is not supported for replacement-style update');
  const query = queryOf(filter as Doc, { ...statement, let: variables, limit: multi ? 0 : 1 });
  const collection = upsert ? collectionToWrite(call, view, namespace) : call.engine.catalog.get(namespace);
  if (!collection) return { matched: 0, modified: 0 };
  const positional = usesPosition(statement.u);
  let modified = 0;
  const matched = yield* eachTarget(call, view, collection, query, multi, (hit) => {
    const after = changer.apply(hit.doc, positional ? query.position(hit.doc) : undefined);
    if (writeChange(view, collection, hit, after)) modified++;
  });
  if (matched > 0 || !upsert) return { matched, modified };
  const { _id } = yield* onceFree(() => insertUpsert(view, collection, changer, filter as Doc));
  return { matched: 0, modified: 0, upserted: { _id } };
}

/** One delete statement `{q, limit, …}`; answers how many documents went. */
export function* deleteStatement(call: Call, view: WriteView, namespace: string, statement: Doc, variables: Doc | undefined): Steps<number> {
  const limit = asNumber(statement.limit);
  if (limit !== 0 && limit !== 1) throw storeError(9, `The limit field in delete objects must be 0 or 1. Got ${statement.limit}`);
  if (limit === 0) refuseNumbered(call, 'limit=0');
  const query = queryOf(statement.q as Doc, { ...statement, let: variables, limit });
  const collection = call.engine.catalog.get(namespace);
  if (!collection) return 0;
  const plan = query.plan(view, collection);
  if (limit === 0 && plan.kind === 'index' && plan.exact) return yield* removeAll(call, view, collection, query);
  return yield* eachTarget(call, view, collection, query, limit === 0, ({ record, doc }) => removeDocument(view, collection, record, doc));
}

// A statement over many documents cannot be gone on with in its middle.
function refuseNumbered({ body, transaction }: Call, what: string): void {
  if (body.txnNumber !== undefined && !transaction) throw storeError(72, `Cannot use (or request) retryable writes with ${what}`);
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

/** The first document of a query, with its iterator closed: it may be written. */
export function firstHit(hits: Hits): Hit | undefined {
  for (const hit of hits) if (hit !== PAUSE) return hit;
  return undefined;
}

export function compileChange({ now }: Call, change: Value, options: { arrayFilters?: Value; let?: Doc | undefined; collation?: Value }): Changer {
  const collation = compileCollation(options.collation as Doc | undefined);
  return compileUpdate(change as Doc | Doc[], {
    now,
    ...(Array.isArray(options.arrayFilters) && { arrayFilters: options.arrayFilters as Doc[] }),
    ...(options.let && { let: options.let }),
    ...(collation && { collation }),
  });
}

export function queryOf(filter: Doc, { sort, hint, collation, let: variables, limit, upsert }: Doc): Prepared {
  if (isOn(upsert)) checkUpsertFilter(filter);
  return prepare({
    filter,
    hint,
    limit: asNumber(limit) ?? 0,
    ...(sort ? { sort: sort as Doc } : {}),
    ...(collation ? { collation: collation as Doc } : {}),
    ...(variables ? { let: variables as Doc } : {}),
  });
}

/** Writes the new form of a document; false when nothing changed. */
export function writeChange(view: WriteView, collection: Collection, hit: Hit, after: Doc): boolean {
  if (after === hit.doc) return false;
  const bytes = encodeBytes(after);
  if (bytes.equals(hit.bytes)) return false;
  replaceDocument(view, collection, hit.record, hit.doc, bytes, after);
  return true;
}

export function insertUpsert(view: WriteView, collection: Collection, changer: Changer, filter: Doc): Doc {
  const made = changer.apply(changer.upsertBase(filter), undefined, true);
  const { doc, bytes } = bytesToStore(made, undefined, newId);
  insertDocument(view, collection, bytes, doc);
  return doc;
}

/** The place that the filter matched in an array is looked for only where a path asks for it. */
export const usesPosition = (change: Value): boolean =>
  isDocument(change) && Object.values(change).some((paths) => isDocument(paths) && Object.keys(paths).some((path) => path.includes('.$')));

// All are found first, then written: a document that moves in the index it was found by must not be met again, and iterators close before a commit.
// Of many only the records are held; each is read and tested again, as it may have changed since, also by others between two steps.
function* eachTarget(call: Call, view: WriteView, collection: Collection, query: Prepared, many: boolean, write: (hit: Hit) => void): Steps<number> {
  const { watch, engine } = call;
  if (!many) {
    return yield* onceFree(() => {
      const hit = firstHit(query.run(view, collection, watch));
      if (hit) write(hit);
      return hit ? 1 : 0;
    });
  }
  let written = 0;
  for (const record of yield* recordsOf(call, view, collection, query)) {
    if (watch.due()) yield PAUSE;
    if (engine.catalog.get(collection.namespace) !== collection) break;
    written += yield* onceFree(() => {
      const bytes = readDocument(view, collection, record);
      const doc = bytes && decode(bytes);
      if (!bytes || !doc || !query.test(doc)) return 0;
      write({ record, bytes, doc });
      return 1;
    });
  }
  return written;
}

// Few are read where they are written. When that takes long, what was written so far is committed first, then a snapshot is read a little at a time;
// a transaction has a snapshot of its own.
function* recordsOf({ watch, engine }: Call, view: WriteView, collection: Collection, query: Prepared): Steps<RecordId[]> {
  const few = readUntilDue(query.run(view, collection, watch));
  if (few) return few;
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

function readUntilDue(hits: Hits): RecordId[] | undefined {
  const records: RecordId[] = [];
  for (const hit of hits) {
    if (hit === PAUSE) return undefined;
    records.push(hit.record);
  }
  return records;
}

const newId = (): ObjectId => new ObjectId();
