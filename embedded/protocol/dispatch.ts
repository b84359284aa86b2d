// Runs a request: validation, transaction, retry record, write slices and errors.

import { administrationCommands } from '../commands/administration.ts';
import { bulkWriteCommands } from '../commands/bulk-write.ts';
import type { Command, Commands } from '../commands/command.ts';
import { diagnosticCommands } from '../commands/diagnostics.ts';
import { explainCommands } from '../commands/explain.ts';
import { findAndModifyCommands } from '../commands/find-and-modify.ts';
import { readCommands } from '../commands/read.ts';
import { sessionCommands } from '../commands/session.ts';
import { validationCommands } from '../commands/validate-collection.ts';
import { writeCommands } from '../commands/write.ts';
import { emptyProgress, type Progress, runWithPauses, type Steps, type Stop } from '../commands/write-steps.ts';
import type { Call, Store } from '../process/store.ts';
import { PAUSE } from '../query/execute.ts';
import {
  findRetryRecord,
  type RetryableWrite,
  saveRetryRecord,
  sessionName,
  sessionOf,
  toBigInt,
} from '../storage/retry-record.ts';
import type { WriteView } from '../storage/view.ts';
import { asNumber, type Doc } from '../values/bson.ts';
import { findWriteConcernError } from './common-fields.ts';
import type { Connection } from './connection.ts';
import { StoreError, storeError } from './errors.ts';
import { encodeDocumentReply, errorReply, int } from './reply.ts';
import { startTimeSlice } from './time-slice.ts';
import { validateCommand } from './validate.ts';
import type { Reply, Request } from './wire.ts';

const MAX_LOCK_WAIT_MS = 30_000;
/** The sync of a slice takes about the same time. */
const WRITE_SLICE_MS = 5;
const MAX_STORED_RESULTS = 1_000;

const COMMANDS: Commands = {
  ...sessionCommands,
  ...readCommands,
  ...writeCommands,
  ...findAndModifyCommands,
  ...bulkWriteCommands,
  ...administrationCommands,
  ...explainCommands,
  ...diagnosticCommands,
  ...validationCommands,
};

/** Runs a request and returns its reply, also for an error. Null closes the connection instead. */
export async function dispatch(store: Store, request: Request, connection: Connection): Promise<Reply | null> {
  const { body } = request;
  try {
    const { close, extraFields } = store.failpoints ? await store.failpoints.apply(body, connection) : NO_FAILPOINT;
    if (close) return null;
    const reply = store.failpoints?.runCommand(body, store) ?? (await run(store, request, connection));
    if (Buffer.isBuffer(reply)) return reply;
    const concernError = findWriteConcernError(body);
    const writeConcernError = concernError && { ...concernError, code: int(concernError.code) };
    const fields =
      concernError || extraFields ? { ...reply, ...(concernError && { writeConcernError }), ...extraFields } : reply;
    return encodeDocumentReply(fields, store.clock.encodedReplyEnd());
  } catch (error) {
    return { ...errorReply(asStoreError(error, store)), ...store.clock.replyFields() };
  }
}

const NO_FAILPOINT = { close: false, extraFields: undefined };

async function run(store: Store, { body, sequences }: Request, connection: Connection): Promise<Reply> {
  const name = Object.keys(body)[0] ?? '';
  validateCommand(body, sequences);
  const command = COMMANDS[name]!;
  validateConcerns(body, name, command);
  const session = sessionOf(body.lsid);
  const call: Call = {
    store,
    name,
    body,
    sequences,
    connection,
    database: String(body.$db ?? 'admin'),
    session: session && sessionName(session),
    transaction: undefined,
    timeSlice: startTimeSlice(asNumber(body.maxTimeMS)),
    progress: emptyProgress(),
    now: new Date(),
  };
  if (body.autocommit === false && name !== 'commitTransaction' && name !== 'abortTransaction')
    return runInTransaction(call, command, session);
  if (command.kind === 'plain') return command.run(call);
  return runWrite(call, command, session);
}

async function runInTransaction(call: Call, command: Command, session: Uint8Array | undefined): Promise<Reply> {
  const { store, body, connection } = call;
  if (!session || body.txnNumber === undefined)
    throw storeError(72, "'autocommit' field requires a session and a transaction number");
  const transaction = store.transactions.enter(
    session,
    toBigInt(body.txnNumber),
    body.startTransaction === true,
    connection.id,
  );
  const transactionCall = { ...call, transaction };
  try {
    const reply = await (command.kind === 'plain'
      ? command.run(transactionCall)
      : runWithPauses(command.run(transactionCall, transaction.view), call.timeSlice.pause));
    if (!Buffer.isBuffer(reply) && reply.writeErrors !== undefined) store.transactions.abortNow(transaction);
    if (command.kind === 'write' && command.allowWhenFull) transaction.frees = true;
    return reply;
  } catch (error) {
    store.transactions.abortNow(transaction);
    throw error;
  }
}

type WriteCommand = Extract<Command, { kind: 'write' }>;

// A retryable write and its retry record are one commit, so a retry finds both or neither.
async function runWrite(call: Call, command: WriteCommand, session: Uint8Array | undefined): Promise<Doc> {
  const { store, body } = call;
  if (!session || body.txnNumber === undefined) return runInSlices(call, command);
  const write = { session, number: toBigInt(body.txnNumber) };
  store.transactions.endSession(write.session, write.number);
  return store.runSerially(call.session ?? '', () => runInSlices(call, command, write));
}

// Yields to other commands between statements, and between the documents of one statement.
async function runInSlices(call: Call, command: WriteCommand, write?: RetryableWrite): Promise<Doc> {
  const { store, timeSlice } = call;
  let steps: Steps<Doc> | undefined;
  const slice = (view: WriteView): IteratorResult<Stop, Doc> => {
    if (write && !steps) {
      const earlier = findRetryRecord(view, write);
      if (earlier && 'reply' in earlier) return { done: true, value: earlier.reply };
      if (earlier) call.progress = earlier.progress;
    }
    timeSlice.restart(WRITE_SLICE_MS);
    steps ??= command.run(call, view);
    let step = steps.next();
    while (write && step.value === PAUSE && isLongReply(call.progress)) step = steps.next();
    if (write && step.done) saveRetryRecord(view, write, { reply: step.value });
    else if (write && call.progress.done > 0) saveRetryRecord(view, write, { progress: call.progress });
    store.clock.store(view);
    return step;
  };
  try {
    for (;;) {
      const deadline = lockWaitDeadline(call);
      const step = await store.storage.write(slice, { allowWhenFull: command.allowWhenFull === true });
      if (step.done) return step.value;
      if (step.value === PAUSE) await timeSlice.pause();
      else await waitForRelease(step.value.released, deadline);
    }
  } finally {
    // Also after an error: releases the snapshot that the command reads from.
    steps?.return({});
  }
}

// Storing a long reply with every slice would cost more than the pauses gain.
const isLongReply = ({ lists }: Progress): boolean =>
  Object.values(lists).some(({ length }) => length > MAX_STORED_RESULTS);

const lockWaitDeadline = ({ body }: Call): number => performance.now() + (asNumber(body.maxTimeMS) || MAX_LOCK_WAIT_MS);

async function waitForRelease(released: Promise<void>, deadline: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(storeError(50, 'operation exceeded time limit')),
    Math.max(0, deadline - performance.now()),
  );
  try {
    await Promise.race([released, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function validateConcerns({ autocommit, readConcern, writeConcern }: Doc, name: string, command: Command): void {
  const transactional = autocommit === false;
  const endsTransaction = name === 'commitTransaction' || name === 'abortTransaction';
  if (transactional && command.kind === 'plain' && !command.inTransaction)
    throw storeError(263, `Cannot run '${name}' in a multi-document transaction.`);
  if (transactional && writeConcern !== undefined && !endsTransaction)
    throw storeError(72, 'writeConcern is not allowed within a multi-statement transaction');
  if (levelOf(readConcern) === 'snapshot' && !transactional)
    throw storeError(246, 'embedded store: snapshot reads are supported only in a transaction');
}

const levelOf = (concern: unknown): unknown =>
  typeof concern === 'object' && concern !== null && 'level' in concern ? concern.level : undefined;

function asStoreError(error: unknown, store: Store): StoreError {
  if (error instanceof StoreError) return error;
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  if (name.startsWith('BSON')) return storeError(22, message);
  store.log(`unexpected: ${stack ?? message}`);
  return storeError(1, `embedded store: internal error: ${message}`);
}
