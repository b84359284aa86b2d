import { type Doc, decode, type Value } from '../bson.ts';
import type { Call } from '../engine.ts';
import { StoreError, storeError } from '../errors.ts';
import { PAUSE } from '../execute.ts';
import { LIMITS } from '../limits.ts';
import { int, writeError } from '../reply.ts';
import { deleteStatement, insertOne, updateStatement } from '../statements.ts';
import { validateStatement } from '../validate.ts';
import type { WriteView } from '../view.ts';
import type { Steps } from '../write-steps.ts';
import { arrayField, type Commands, collectionToWrite, documentField, isOn, namespaceOf } from './command.ts';

export const writeCommands: Commands = {
  insert: { kind: 'write', run: insert },
  update: { kind: 'write', run: update },
  delete: { kind: 'write', run: remove, shrinking: true },
};

function* insert(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const given: (Buffer | Doc)[] = call.sequences.documents ?? (arrayField(call.body, 'documents') as Doc[] | undefined) ?? [];
  checkBatch(given.length);
  let n = 0;
  const writeErrors = yield* each(call, given, function* (one) {
    yield* insertOne(view, collectionToWrite(call, view, namespace), one);
    n++;
  });
  return { n: int(n), ...(writeErrors.length > 0 && { writeErrors }) };
}

function* update(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const variables = documentField(call.body, 'let');
  let matched = 0;
  let modified = 0;
  const upserted: Doc[] = [];
  const writeErrors = yield* each(call, statements(call, 'update'), function* (statement, index) {
    const done = yield* updateStatement(call, view, namespace, statement, variables);
    matched += done.matched;
    modified += done.modified;
    if (done.upserted) upserted.push({ index: int(index), ...done.upserted });
  });
  return {
    n: int(matched + upserted.length),
    nModified: int(modified),
    ...(upserted.length > 0 && { upserted }),
    ...(writeErrors.length > 0 && { writeErrors }),
  };
}

function* remove(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const variables = documentField(call.body, 'let');
  let n = 0;
  const writeErrors = yield* each(call, statements(call, 'delete'), function* (statement) {
    n += yield* deleteStatement(call, view, namespace, statement, variables);
  });
  return { n: int(n), ...(writeErrors.length > 0 && { writeErrors }) };
}

/** Errors that end a whole write command: a conflict, a time limit, a full disk. Any other is an entry of `writeErrors`. */
export const isOfStatement = (error: unknown): error is StoreError => error instanceof StoreError && !WHOLE_COMMAND.has(error.code);
const WHOLE_COMMAND = new Set([50, 112, 225, 251, 257, 263, 14031]);

// All are checked before the first is run.
function statements({ body, sequences }: Call, command: 'update' | 'delete'): Doc[] {
  const given: Value[] = sequences[`${command}s`]?.map((bytes) => decode(bytes)) ?? arrayField(body, `${command}s`) ?? [];
  checkBatch(given.length);
  return given.map((statement) => validateStatement(command, statement));
}

function checkBatch(length: number): void {
  if (length < 1 || length > LIMITS.batchStatements)
    throw storeError(16, `Write batch sizes must be between 1 and 100000. Got ${length} operations.`);
}

function* each<T>({ body, transaction, watch }: Call, list: T[], work: (one: T, index: number) => Steps<void>): Steps<Doc[]> {
  const errors: Doc[] = [];
  for (const [index, one] of list.entries()) {
    if (index > 0 && watch.due()) yield PAUSE;
    try {
      yield* work(one, index);
    } catch (error) {
      if (!isOfStatement(error)) throw error;
      errors.push(writeError(error, index));
      if (transaction || isOn(body.ordered ?? true)) break;
    }
  }
  return errors;
}
