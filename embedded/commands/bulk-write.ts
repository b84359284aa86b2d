import { splitNamespace } from '../data/catalog.ts';
import type { Call } from '../process/engine.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { int, long, NO, YES } from '../protocol/reply.ts';
import type { Sequence } from '../protocol/wire.ts';
import { PAUSE } from '../query/execute.ts';
import type { WriteView } from '../storage/view.ts';
import { asNumber, type Doc, decode, isDocument, type Value } from '../values/bson.ts';
import { arrayField, type Commands, collectionToWrite, documentField, isOn } from './command.ts';
import { deleteStatement, insertOne, updateStatement } from './statements.ts';
import { checkBatch, isOfStatement } from './write.ts';
import { count, countsOf, note, type Steps } from './write-steps.ts';

export const bulkWriteCommands: Commands = { bulkWrite: { kind: 'write', run: bulkWrite } };

const TOTALS = ['nErrors', 'nInserted', 'nMatched', 'nModified', 'nUpserted', 'nDeleted'] as const;

// Writes to several collections in one command (8.0); the results come back as a cursor.
function* bulkWrite(call: Call, view: WriteView): Steps<Doc> {
  const { body, transaction, watch, progress } = call;
  const operations = operationsOf(call);
  checkBatch(operations.length);
  const namespaces = documents(call, 'nsInfo').map(({ ns }) => String(ns));
  for (const namespace of namespaces) splitNamespace(namespace);
  for (; progress.done < operations.length; progress.done++) {
    const idx = progress.done;
    const operation = operations.at(idx)!;
    const raw = Buffer.isBuffer(operation) ? insertIn(operation) : undefined;
    const given = raw ? { insert: int(raw.at) } : documentIn(operation);
    const [kind = '', at] = Object.entries(given)[0] ?? [];
    if (!raw) checkFields(given, idx, kind);
    const namespace = namespaces[asNumber(at) ?? -1];
    if (namespace === undefined) throw storeError(2, `BulkWrite ops entry ${idx} has an invalid nsInfo index.`);
    if (idx > 0 && watch.due()) yield PAUSE;
    try {
      const result = yield* runOne(call, view, namespace, kind, raw ?? given);
      if (!isOn(body.errorsOnly)) note(progress, 'results', { ok: YES, idx: int(idx), ...result });
    } catch (error) {
      if (!isOfStatement(error)) throw error;
      count(progress, 'nErrors');
      const none = kind === 'update' ? { n: int(0), nModified: int(0) } : { n: int(0) };
      note(progress, 'results', {
        ok: NO,
        idx: int(idx),
        code: int(error.code),
        errmsg: error.message,
        ...error.extra,
        ...none,
      });
      if (transaction || isOn(body.ordered ?? true)) break;
    }
  }
  // All results at once: a retry must get the same answer, and a cursor would not outlive the process.
  const cursor = { id: long(0), firstBatch: progress.lists.results ?? [], ns: 'admin.$cmd.bulkWrite' };
  return { cursor, ...countsOf(progress, TOTALS) };
}

function* runOne(call: Call, view: WriteView, namespace: string, kind: string, operation: Doc): Steps<Doc> {
  const { progress } = call;
  const variables = documentField(call.body, 'let');
  switch (kind) {
    case 'insert': {
      const { document } = operation;
      yield* insertOne(
        view,
        collectionToWrite(call, view, namespace),
        Buffer.isBuffer(document) ? document : documentOf(document),
      );
      count(progress, 'nInserted');
      return { n: int(1) };
    }
    case 'update': {
      const statement = { filter: documentOf(operation.filter), options: operation, variables };
      const done = yield* updateStatement(call, view, namespace, statement, operation.updateMods);
      count(progress, 'nMatched', done.matched);
      count(progress, 'nModified', done.modified);
      if (done.upserted) count(progress, 'nUpserted');
      const upserted = done.upserted ? { upserted: done.upserted } : {};
      return { n: int(done.matched + (done.upserted ? 1 : 0)), nModified: int(done.modified), ...upserted };
    }
    case 'delete': {
      const statement = { filter: documentOf(operation.filter), options: operation, variables };
      const n = yield* deleteStatement(call, view, namespace, statement, isOn(operation.multi) ? 0 : 1);
      count(progress, 'nDeleted', n);
      return { n: int(n) };
    }
    default:
      throw storeError(9, `Unrecognized bulkWrite op type '${kind}'`);
  }
}

// What each kind of operation may say.
const FIELDS: { readonly [kind: string]: ReadonlySet<string> } = {
  insert: new Set(['insert', 'document']),
  update: new Set(['update', 'filter', 'updateMods', 'multi', 'upsert', 'arrayFilters', 'collation', 'hint', 'sort']),
  delete: new Set(['delete', 'filter', 'multi', 'collation', 'hint']),
};

function checkFields(operation: Doc, idx: number, kind: string): void {
  const known = FIELDS[kind];
  const unknown = known && Object.keys(operation).find((field) => !known.has(field));
  if (unknown === 'constants') throw notImplemented('bulkWrite with constants');
  if (unknown !== undefined)
    throw storeError(40415, `BSON field 'bulkWrite.ops.${idx}.${unknown}' is an unknown field.`);
}

const operationsOf = ({ body, sequences }: Call): Sequence<Buffer | Doc> =>
  sequences.ops ?? (arrayField(body, 'ops') as Doc[] | undefined) ?? [];

// `{insert: <namespace>, document: {…}}`, as drivers send it: the document is stored as the bytes it came in.
function insertIn(operation: Buffer): { at: number; document: Buffer } | undefined {
  if (
    operation.length < DOCUMENT_AT + 6 ||
    !operation.subarray(4, 12).equals(INSERT) ||
    !operation.subarray(16, DOCUMENT_AT).equals(DOCUMENT)
  )
    return undefined;
  if (DOCUMENT_AT + operation.readInt32LE(DOCUMENT_AT) + 1 !== operation.length) return undefined;
  return { at: operation.readInt32LE(12), document: operation.subarray(DOCUMENT_AT, -1) };
}

const INSERT = Buffer.from('\x10insert\0', 'latin1');
const DOCUMENT = Buffer.from('\x03document\0', 'latin1');
const DOCUMENT_AT = 26;

function documents({ body, sequences }: Call, name: string): Doc[] {
  const given: Sequence<Buffer | Doc> = sequences[name] ?? (arrayField(body, name) as Doc[] | undefined) ?? [];
  return Array.from({ length: given.length }, (_, at) => documentIn(given.at(at)!));
}

const documentIn = (given: Buffer | Doc): Doc => (Buffer.isBuffer(given) ? decode(given) : given);

function documentOf(value: Value): Doc {
  if (!isDocument(value)) throw storeError(14, 'a bulkWrite operation needs an object here');
  return value;
}
