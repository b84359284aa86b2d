// The bulkWrite command of MongoDB 8.0: writes to several collections. The results are returned as a cursor.

import { splitNamespace } from '../data/catalog.ts';
import type { Call } from '../process/store.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { int, long, NOT_OK, OK } from '../protocol/reply.ts';
import { validateNested, validateStatement } from '../protocol/validate.ts';
import type { DocumentSequence } from '../protocol/wire.ts';
import { PAUSE } from '../query/execute.ts';
import type { WriteView } from '../storage/view.ts';
import { asNumber, type Doc, decode, isTruthy } from '../values/bson.ts';
import { arrayField, type Commands, documentField, getOrCreateCollection } from './command.ts';
import { deleteStatement, insertStatement, updateStatement } from './statements.ts';
import { isStatementError, validateBatchSize } from './write.ts';
import { addCount, addEntry, countFields, type Steps } from './write-steps.ts';

export const bulkWriteCommands: Commands = { bulkWrite: { kind: 'write', run: bulkWrite } };

const TOTALS = ['nErrors', 'nInserted', 'nMatched', 'nModified', 'nUpserted', 'nDeleted'] as const;

function* bulkWrite(call: Call, view: WriteView): Steps<Doc> {
  const { body, transaction, timeSlice, progress } = call;
  const operations = readOperations(call);
  validateBatchSize(operations.length);
  const batchSize = asNumber(documentField(body, 'cursor')?.batchSize);
  if (batchSize !== undefined && batchSize < operations.length)
    throw notImplemented('bulkWrite with a cursor.batchSize below the number of operations');
  const namespaces = readNamespaces(call);
  for (; progress.done < operations.length; progress.done++) {
    const idx = progress.done;
    const operation = operations.at(idx)!;
    const raw = Buffer.isBuffer(operation) ? parseInsert(operation) : undefined;
    const fields = raw ? { insert: int(raw.at) } : toDocument(operation);
    const [kind = '', at] = Object.entries(fields)[0] ?? [];
    if (!raw) validateOperation(kind, fields);
    const namespace = namespaces[asNumber(at) ?? -1];
    if (namespace === undefined) throw storeError(2, `BulkWrite ops entry ${idx} has an invalid nsInfo index.`);
    if (idx > 0 && timeSlice.shouldPause()) yield PAUSE;
    try {
      const result = yield* runOperation(call, view, namespace, kind, raw ?? fields);
      if (!isTruthy(body.errorsOnly)) addEntry(progress, 'results', { ok: OK, idx: int(idx), ...result });
    } catch (error) {
      if (!isStatementError(error)) throw error;
      addCount(progress, 'nErrors');
      const counts = kind === 'update' ? { n: int(0), nModified: int(0) } : { n: int(0) };
      addEntry(progress, 'results', {
        ok: NOT_OK,
        idx: int(idx),
        code: int(error.code),
        errmsg: error.message,
        ...error.extra,
        ...counts,
      });
      if (transaction || isTruthy(body.ordered ?? true)) break;
    }
  }
  // All results are in the first batch: a retry must return the same reply, and a cursor would be lost on restart.
  const cursor = { id: long(0), firstBatch: progress.lists.results ?? [], ns: 'admin.$cmd.bulkWrite' };
  return { cursor, ...countFields(progress, TOTALS) };
}

function* runOperation(call: Call, view: WriteView, namespace: string, kind: string, operation: Doc): Steps<Doc> {
  const { progress } = call;
  const variables = documentField(call.body, 'let');
  switch (kind) {
    case 'insert': {
      const { document } = operation;
      yield* insertStatement(
        view,
        getOrCreateCollection(call, view, namespace),
        Buffer.isBuffer(document) ? document : (document as Doc),
      );
      addCount(progress, 'nInserted');
      return { n: int(1) };
    }
    case 'update': {
      const statement = { filter: operation.filter as Doc, options: operation, variables };
      const result = yield* updateStatement(call, view, namespace, statement, operation.updateMods);
      addCount(progress, 'nMatched', result.matched);
      addCount(progress, 'nModified', result.modified);
      if (result.upserted) addCount(progress, 'nUpserted');
      const upserted = result.upserted ? { upserted: result.upserted } : {};
      return { n: int(result.matched + (result.upserted ? 1 : 0)), nModified: int(result.modified), ...upserted };
    }
    default: {
      const statement = { filter: operation.filter as Doc, options: operation, variables };
      const n = yield* deleteStatement(call, view, namespace, statement, isTruthy(operation.multi) ? 0 : 1);
      addCount(progress, 'nDeleted', n);
      return { n: int(n) };
    }
  }
}

function validateOperation(kind: string, operation: Doc): void {
  if (kind !== 'insert' && kind !== 'update' && kind !== 'delete')
    throw storeError(9, `Unrecognized bulkWrite op type '${kind}'`);
  validateStatement(`bulkWrite ${kind}`, operation, kind);
}

const readOperations = ({ body, sequences }: Call): DocumentSequence<Buffer | Doc> =>
  sequences.ops ?? (arrayField(body, 'ops') as Doc[] | undefined) ?? [];

// Recognizes `{insert: <namespace>, document: {…}}` as drivers send it, to store the document without decoding it.
function parseInsert(operation: Buffer): { at: number; document: Buffer } | undefined {
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

function readNamespaces({ body, sequences }: Call): string[] {
  const list: DocumentSequence<Buffer | Doc> =
    sequences.nsInfo ?? (arrayField(body, 'nsInfo') as Doc[] | undefined) ?? [];
  return Array.from({ length: list.length }, (_, at) => {
    const info = toDocument(list.at(at)!);
    validateNested('nsInfo', info);
    splitNamespace(String(info.ns));
    return String(info.ns);
  });
}

const toDocument = (value: Buffer | Doc): Doc => (Buffer.isBuffer(value) ? decode(value) : value);
