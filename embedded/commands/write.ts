import { ObjectId } from 'bson';
import { asNumber, type Doc, decode, isDocument, type Value } from '../bson.ts';
import { bytesToStore, encodeBytes } from '../bytes.ts';
import type { Collection } from '../catalog.ts';
import type { Call } from '../engine.ts';
import { StoreError, storeError } from '../errors.ts';
import { type Hit, type Hits, PAUSE } from '../execute.ts';
import { compileProjection } from '../project.ts';
import { type Prepared, prepare } from '../query.ts';
import { insertDocument, readDocument, removeDocument, replaceDocument } from '../records.ts';
import { int, writeError } from '../reply.ts';
import { compileUpdate } from '../update.ts';
import { validateStatement } from '../validate.ts';
import type { View, WriteView } from '../view.ts';
import { arrayField, type Commands, collectionToWrite, documentField, isOn, namespaceOf } from './command.ts';

/** Statements of one write: what each of them does, and how the answer is built. The same functions serve bulkWrite. */
export type Updated = { matched: number; modified: number; upserted?: Value; hasUpserted: boolean };

export const writeCommands: Commands = {
  insert: { kind: 'write', run: insert },
  update: { kind: 'write', run: update },
  delete: { kind: 'write', run: remove, shrinking: true },
  findAndModify: { kind: 'write', run: findAndModify },
  findandmodify: { kind: 'write', run: findAndModify },
};

function insert(call: Call, view: WriteView): Doc {
  const namespace = namespaceOf(call);
  const given: (Buffer | Doc)[] = call.sequences.documents ?? (arrayField(call.body, 'documents') as Doc[] | undefined) ?? [];
  checkBatch(given.length);
  const collection = collectionToWrite(call, view, namespace);
  let n = 0;
  const writeErrors = each(call, given, (one) => {
    insertOne(view, collection, one);
    n++;
  });
  return { n: int(n), ...(writeErrors.length > 0 && { writeErrors }) };
}

export function insertOne(view: WriteView, collection: Collection, given: Buffer | Doc): void {
  const isBytes = Buffer.isBuffer(given);
  const { doc, bytes } = bytesToStore(isBytes ? decode(given) : given, isBytes ? given : undefined, newId);
  insertDocument(view, collection, bytes, doc);
}

function update(call: Call, view: WriteView): Doc {
  const namespace = namespaceOf(call);
  const given = statements(call, 'update');
  let matched = 0;
  let modified = 0;
  const upserted: Doc[] = [];
  const writeErrors = each(call, given, (statement, index) => {
    const done = updateOne(call, view, namespace, statement, documentField(call.body, 'let'));
    matched += done.matched;
    modified += done.modified;
    if (done.hasUpserted) upserted.push({ index: int(index), _id: done.upserted });
  });
  return {
    n: int(matched + upserted.length),
    nModified: int(modified),
    ...(upserted.length > 0 && { upserted }),
    ...(writeErrors.length > 0 && { writeErrors }),
  };
}

/** One update statement `{q, u, multi, upsert, …}`. */
export function updateOne(call: Call, view: WriteView, namespace: string, statement: Doc, variables: Doc | undefined): Updated {
  const { multi, upsert } = statement;
  const changer = compileChange(call, statement.u, { arrayFilters: statement.arrayFilters, let: variables, collation: statement.collation });
  if (isOn(multi) && changer.replacement) throw storeError(9, 'multi update is not supported for replacement-style update');
  const query = queryOf(statement.q as Doc, { ...statement, let: variables, limit: isOn(multi) ? 0 : 1 });
  const collection = isOn(upsert) ? collectionToWrite(call, view, namespace) : call.engine.catalog.get(namespace);
  if (!collection) return { matched: 0, modified: 0, hasUpserted: false };
  const positional = usesPosition(statement.u);
  let matched = 0;
  let modified = 0;
  for (const hit of targets(call, view, collection, query, isOn(multi))) {
    matched++;
    const after = changer.apply(hit.doc, positional ? query.position(hit.doc) : undefined);
    if (change(view, collection, hit, after)) modified++;
  }
  if (matched > 0 || !isOn(upsert)) return { matched, modified, hasUpserted: false };
  return { matched: 0, modified: 0, hasUpserted: true, upserted: insertUpsert(view, collection, changer, statement.q as Doc)._id };
}

function remove(call: Call, view: WriteView): Doc {
  const namespace = namespaceOf(call);
  let n = 0;
  const writeErrors = each(call, statements(call, 'delete'), (statement) => {
    n += deleteOne(call, view, namespace, statement, documentField(call.body, 'let'));
  });
  return { n: int(n), ...(writeErrors.length > 0 && { writeErrors }) };
}

/** One delete statement `{q, limit, …}`; answers how many documents went. */
export function deleteOne(call: Call, view: WriteView, namespace: string, statement: Doc, variables: Doc | undefined): number {
  const limit = asNumber(statement.limit);
  if (limit !== 0 && limit !== 1) throw storeError(9, `The limit field in delete objects must be 0 or 1. Got ${statement.limit}`);
  const query = queryOf(statement.q as Doc, { ...statement, let: variables, limit });
  const collection = call.engine.catalog.get(namespace);
  if (!collection) return 0;
  let removed = 0;
  for (const { record, doc } of targets(call, view, collection, query, limit === 0)) {
    removeDocument(view, collection, record, doc);
    removed++;
  }
  return removed;
}

function findAndModify(call: Call, view: WriteView): Doc {
  const { body } = call;
  const namespace = namespaceOf(call);
  const removing = isOn(body.remove);
  checkFindAndModify(body, removing);
  const filter = documentField(body, 'query') ?? {};
  const variables = documentField(body, 'let');
  const query = queryOf(filter, { ...body, let: variables, limit: 1 });
  const projection = documentField(body, 'fields') ?? documentField(body, 'projection');
  const project =
    projection &&
    compileProjection(projection, { filter, ...(variables && { let: variables }), ...(query.collation && { collation: query.collation }) });
  const answer = (value: Doc | null, lastErrorObject: Doc): Doc => ({ lastErrorObject, value: value && project ? project(value) : value });
  const changer = removing
    ? undefined
    : compileChange(call, body.update, { arrayFilters: body.arrayFilters, let: variables, collation: body.collation });
  const upsert = isOn(body.upsert);
  const collection = upsert ? collectionToWrite(call, view, namespace) : call.engine.catalog.get(namespace);
  const [hit] = collection ? targets(call, view, collection, query, false) : [];

  if (collection && hit) {
    if (!changer) {
      removeDocument(view, collection, hit.record, hit.doc);
      return answer(hit.doc, { n: int(1) });
    }
    const after = changer.apply(hit.doc, usesPosition(body.update) ? query.position(hit.doc) : undefined);
    change(view, collection, hit, after);
    return answer(isOn(body.new) ? after : hit.doc, { n: int(1), updatedExisting: true });
  }
  if (collection && changer && upsert) {
    const inserted = insertUpsert(view, collection, changer, filter);
    return answer(isOn(body.new) ? inserted : null, { n: int(1), updatedExisting: false, upserted: inserted._id });
  }
  return answer(null, removing ? { n: int(0) } : { n: int(0), updatedExisting: false });
}

function checkFindAndModify(body: Doc, removing: boolean): void {
  if (removing && body.update !== undefined) throw storeError(9, 'Cannot specify both an update and remove=true');
  if (!removing && body.update === undefined) throw storeError(9, 'Either an update or remove=true must be specified');
  if (removing && isOn(body.new)) throw storeError(9, "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (removing && isOn(body.upsert)) throw storeError(9, 'Cannot specify both upsert=true and remove=true');
}

type Changer = ReturnType<typeof compileUpdate>;

function compileChange({ now }: Call, change: Value, options: { arrayFilters?: Value; let?: Doc | undefined; collation?: Value }): Changer {
  const prepared = prepare({ filter: {}, ...(options.collation ? { collation: options.collation as Doc } : {}) });
  return compileUpdate(change as Doc | Doc[], {
    now,
    ...(Array.isArray(options.arrayFilters) && { arrayFilters: options.arrayFilters as Doc[] }),
    ...(options.let && { let: options.let }),
    ...(prepared.collation && { collation: prepared.collation }),
  });
}

function queryOf(filter: Doc, { sort, hint, collation, let: variables, limit }: Doc): Prepared {
  return prepare({
    filter,
    hint,
    limit: asNumber(limit) ?? 0,
    ...(sort ? { sort: sort as Doc } : {}),
    ...(collation ? { collation: collation as Doc } : {}),
    ...(variables ? { let: variables as Doc } : {}),
  });
}

// All first, then the writing: a document that moves in the index it was found by must not be met again, and iterators close before a commit.
// Of many only the records are held; each is read again, as an earlier change of the same statement may concern it.
function* targets({ watch }: Call, view: View, collection: Collection, query: Prepared, many: boolean): Generator<Hit> {
  if (!many) {
    const found = firstOf(query.run(view, collection, watch));
    if (found) yield found;
    return;
  }
  const records: number[] = [];
  for (const hit of query.run(view, collection, watch)) if (hit !== PAUSE) records.push(hit.record);
  for (const record of records) {
    const bytes = readDocument(view, collection, record);
    const doc = bytes && decode(bytes);
    if (bytes && doc && query.test(doc)) yield { record, bytes, doc };
  }
}

function firstOf(hits: Hits): Hit | undefined {
  for (const hit of hits) if (hit !== PAUSE) return hit;
  return undefined;
}

// The place that the filter matched in an array is looked for only where a path asks for it.
const usesPosition = (change: Value): boolean =>
  isDocument(change) && Object.values(change).some((paths) => isDocument(paths) && Object.keys(paths).some((path) => path.includes('.$')));

function change(view: WriteView, collection: Collection, hit: Hit, after: Doc): boolean {
  const bytes = encodeBytes(after);
  if (bytes.equals(hit.bytes)) return false;
  replaceDocument(view, collection, hit.record, hit.doc, bytes, after);
  return true;
}

function insertUpsert(view: WriteView, collection: Collection, changer: Changer, filter: Doc): Doc {
  const made = changer.apply(changer.upsertBase(filter), undefined, true);
  const { doc, bytes } = bytesToStore(made, undefined, newId);
  insertDocument(view, collection, bytes, doc);
  return doc;
}

const newId = (): ObjectId => new ObjectId();

// All are checked before the first is run.
function statements({ body, sequences }: Call, command: 'update' | 'delete'): Doc[] {
  const given = sequences[`${command}s`]?.map((bytes) => decode(bytes)) ?? arrayField(body, `${command}s`) ?? [];
  checkBatch(given.length);
  return given.map((statement) => validateStatement(command, statement));
}

function checkBatch(length: number): void {
  if (length < 1 || length > 100_000) throw storeError(16, `Write batch sizes must be between 1 and 100000. Got ${length} operations.`);
}

// One statement's refusal is an entry of writeErrors; what concerns the whole command (a conflict, a full disk, a held key) goes through.
function each<T>({ body, transaction }: Call, list: T[], work: (one: T, index: number) => void): Doc[] {
  const errors: Doc[] = [];
  for (const [index, one] of list.entries()) {
    try {
      work(one, index);
    } catch (error) {
      if (!(error instanceof StoreError) || WHOLE_COMMAND.has(error.code)) throw error;
      errors.push(writeError(error, index));
      if (transaction || isOn(body.ordered ?? true)) break;
    }
  }
  return errors;
}

/** Errors that end a whole write command. */
export const WHOLE_COMMAND = new Set([50, 112, 225, 251, 257, 263, 14031]);
