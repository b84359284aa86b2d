import type { Call } from '../process/engine.ts';
import { StoreError, storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { int, writeError } from '../protocol/reply.ts';
import { validateStatement } from '../protocol/validate.ts';
import type { Sequence } from '../protocol/wire.ts';
import { PAUSE } from '../query/execute.ts';
import type { WriteView } from '../storage/view.ts';
import { asNumber, type Doc, decode, type Value } from '../values/bson.ts';
import { arrayField, type Commands, collectionToWrite, documentField, isOn, namespaceOf } from './command.ts';
import { deleteStatement, insertOne, type Statement, updateStatement } from './statements.ts';
import { count, countsOf, note, type Steps } from './write-steps.ts';

export const writeCommands: Commands = {
  insert: { kind: 'write', run: insert },
  update: { kind: 'write', run: update },
  delete: { kind: 'write', run: remove, shrinking: true },
};

function* insert(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const given: Sequence<Buffer | Doc> =
    call.sequences.documents ?? (arrayField(call.body, 'documents') as Doc[] | undefined) ?? [];
  checkBatch(given.length);
  yield* each(call, given, function* (one) {
    yield* insertOne(view, collectionToWrite(call, view, namespace), one);
    count(call.progress, 'n');
  });
  return { ...countsOf(call.progress, ['n']), ...call.progress.lists };
}

function* update(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const variables = documentField(call.body, 'let');
  const { progress } = call;
  yield* each(call, yield* statements(call, 'update'), function* (statement, index) {
    const { matched, modified, upserted } = yield* updateStatement(
      call,
      view,
      namespace,
      saidBy(statement, variables),
      statement.u,
    );
    count(progress, 'n', matched + (upserted ? 1 : 0));
    count(progress, 'nModified', modified);
    if (upserted) note(progress, 'upserted', { index: int(index), ...upserted });
  });
  return { ...countsOf(progress, ['n', 'nModified']), ...progress.lists };
}

function* remove(call: Call, view: WriteView): Steps<Doc> {
  const namespace = namespaceOf(call);
  const variables = documentField(call.body, 'let');
  yield* each(call, yield* statements(call, 'delete'), function* (statement) {
    count(
      call.progress,
      'n',
      yield* deleteStatement(call, view, namespace, saidBy(statement, variables), limitOf(statement)),
    );
  });
  return { ...countsOf(call.progress, ['n']), ...call.progress.lists };
}

const saidBy = (statement: Doc, variables: Doc | undefined): Statement => ({
  filter: statement.q as Doc,
  options: statement,
  variables,
});

function limitOf({ limit }: Doc): 0 | 1 {
  const number = asNumber(limit);
  if (number !== 0 && number !== 1)
    throw storeError(9, `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  return number;
}

/** Errors that end a whole write command: a conflict, a time limit, a full disk, a collection that cannot be. Any other is an entry of `writeErrors`. */
export const isOfStatement = (error: unknown): error is StoreError =>
  error instanceof StoreError && !WHOLE_COMMAND.has(error.code);
const WHOLE_COMMAND = new Set([50, 73, 112, 225, 251, 257, 263, 14031]);

// All are checked before the first is run.
function* statements({ body, sequences, watch }: Call, command: 'update' | 'delete'): Steps<Doc[]> {
  const given: Sequence<Value> = sequences[`${command}s`] ?? arrayField(body, `${command}s`) ?? [];
  checkBatch(given.length);
  const valid: Doc[] = [];
  for (let at = 0; at < given.length; at++) {
    const one = given.at(at);
    valid.push(validateStatement(command, Buffer.isBuffer(one) ? decode(one) : one));
    if ((valid.length & 63) === 0 && watch.due()) yield PAUSE;
  }
  return valid;
}

/** Refuses a write of no statement, or of more than one may have. */
export function checkBatch(length: number): void {
  if (length < 1 || length > LIMITS.batchStatements)
    throw storeError(
      16,
      `Write batch sizes must be between 1 and ${LIMITS.batchStatements}. Got ${length} operations.`,
    );
}

/** Goes on with the statements of a write where it stands; an error of one is an entry of its answer. */
export function* each<T>(
  { body, transaction, watch, progress }: Call,
  list: Sequence<T>,
  work: (one: T, index: number) => Steps<void>,
): Steps<void> {
  for (; progress.done < list.length; progress.done++) {
    if (progress.done > 0 && watch.due()) yield PAUSE;
    try {
      yield* work(list.at(progress.done)!, progress.done);
    } catch (error) {
      if (!isOfStatement(error)) throw error;
      note(progress, 'writeErrors', writeError(error, progress.done));
      if (transaction || isOn(body.ordered ?? true)) break;
    }
  }
}
