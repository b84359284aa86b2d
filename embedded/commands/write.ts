// The insert, update and delete commands.
import type { Call } from '../process/store.ts';
import { StoreError, storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { int, writeError } from '../protocol/reply.ts';
import { validateStatement } from '../protocol/validate.ts';
import type { DocumentSequence } from '../protocol/wire.ts';
import { PAUSE } from '../query/execute.ts';
import type { WriteView } from '../storage/view.ts';
import { asNumber, type Doc, decode, isTruthy, type Value } from '../values/bson.ts';
import { arrayField, type Commands, documentField, getOrCreateCollection, namespaceOf } from './command.ts';
import { deleteStatement, insertStatement, type Statement, updateStatement } from './statements.ts';
import { addCount, addEntry, countFields, type Steps } from './write-steps.ts';

export const writeCommands: Commands = {
  insert: { kind: 'write', run: insert },
  update: { kind: 'write', run: update },
  delete: { kind: 'write', run: remove, allowWhenFull: true },
};

function* insert(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const list: DocumentSequence<Buffer | Doc> =
    call.sequences.documents ?? (arrayField(call.body, 'documents') as Doc[] | undefined) ?? [];
  validateBatchSize(list.length);
  yield* runStatements(call, list, function* (item) {
    yield* insertStatement(view, getOrCreateCollection(call, view, namespace), item);
    addCount(call.progress, 'n');
  });
  return { ...countFields(call.progress, ['n']), ...call.progress.lists };
}

function* update(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const variables = documentField(call.body, 'let');
  const { progress } = call;
  yield* runStatements(call, yield* readStatements(call, 'update'), function* (statement, index) {
    const { matched, modified, upserted } = yield* updateStatement(
      call,
      view,
      namespace,
      toStatement(statement, variables),
      statement.u,
    );
    addCount(progress, 'n', matched + (upserted ? 1 : 0));
    addCount(progress, 'nModified', modified);
    if (upserted) addEntry(progress, 'upserted', { index: int(index), ...upserted });
  });
  return { ...countFields(progress, ['n', 'nModified']), ...progress.lists };
}

function* remove(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const variables = documentField(call.body, 'let');
  yield* runStatements(call, yield* readStatements(call, 'delete'), function* (statement) {
    addCount(
      call.progress,
      'n',
      yield* deleteStatement(call, view, namespace, toStatement(statement, variables), deleteLimit(statement)),
    );
  });
  return { ...countFields(call.progress, ['n']), ...call.progress.lists };
}

const toStatement = (statement: Doc, variables: Doc | undefined): Statement => ({
  filter: statement.q as Doc,
  options: statement,
  variables,
});

function deleteLimit({ limit }: Doc): 0 | 1 {
  const number = asNumber(limit);
  if (number !== 0 && number !== 1)
    throw storeError(9, `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  return number;
}

/**
 * Whether an error concerns one statement and becomes an entry of `writeErrors`. Other errors end the command: a
 * conflict, a time limit, a full disk, a collection that cannot be created.
 */
export const isStatementError = (error: unknown): error is StoreError =>
  error instanceof StoreError && !COMMAND_ERRORS.has(error.code);
// MaxTimeMSExpired, InvalidNamespace, WriteConflict, TransactionTooOld, NoSuchTransaction, TransactionTooLarge,
// OperationNotSupportedInTransaction, OutOfDiskSpace
const COMMAND_ERRORS = new Set([50, 73, 112, 225, 251, 257, 263, 14031]);

// Validates all statements before the first one runs.
function* readStatements({ body, sequences, timeSlice }: Call, command: 'update' | 'delete'): Steps<Doc[]> {
  const list: DocumentSequence<Value> = sequences[`${command}s`] ?? arrayField(body, `${command}s`) ?? [];
  validateBatchSize(list.length);
  const statements: Doc[] = [];
  for (let at = 0; at < list.length; at++) {
    const item = list.at(at);
    statements.push(validateStatement(command, Buffer.isBuffer(item) ? decode(item) : item));
    if ((statements.length & 63) === 0 && timeSlice.shouldPause()) yield PAUSE;
  }
  return statements;
}

/** Throws InvalidLength (16) if the number of statements is 0 or above the limit. */
export function validateBatchSize(length: number): void {
  if (length < 1 || length > LIMITS.batchStatements)
    throw storeError(
      16,
      `Write batch sizes must be between 1 and ${LIMITS.batchStatements}. Got ${length} operations.`,
    );
}

/** Runs the remaining statements of a write. The error of a statement becomes an entry of `writeErrors`. */
export function* runStatements<T>(
  { body, transaction, timeSlice, progress }: Call,
  list: DocumentSequence<T>,
  work: (item: T, index: number) => Steps<void>,
): Steps<void> {
  for (; progress.done < list.length; progress.done++) {
    if (progress.done > 0 && timeSlice.shouldPause()) yield PAUSE;
    try {
      yield* work(list.at(progress.done)!, progress.done);
    } catch (error) {
      if (!isStatementError(error)) throw error;
      addEntry(progress, 'writeErrors', writeError(error, progress.done));
      if (transaction || isTruthy(body.ordered ?? true)) break;
    }
  }
}
