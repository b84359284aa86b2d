import { asNumber, type Doc, hasField } from './bson.ts';
import { bulkWriteCommands } from './commands/bulk-write.ts';
import { checkCommands } from './commands/check.ts';
import type { Command, Commands } from './commands/command.ts';
import { explainCommands } from './commands/explain.ts';
import { findAndModifyCommands } from './commands/find-and-modify.ts';
import { readCommands } from './commands/read.ts';
import { sessionCommands } from './commands/session.ts';
import { shellCommands } from './commands/shell.ts';
import { structureCommands } from './commands/structure.ts';
import { writeCommands } from './commands/write.ts';
import type { Connection } from './connection.ts';
import type { Call, Engine } from './engine.ts';
import { StoreError, storeError } from './errors.ts';
import { PAUSE } from './execute.ts';
import { documentReply, failure, int } from './reply.ts';
import { earlierReply, keepReply, sessionOf, toBigInt, type WriteNumber } from './retry-record.ts';
import { HeldKey } from './transactions.ts';
import { validateCommand } from './validate.ts';
import type { WriteView } from './view.ts';
import { startWatch } from './watch.ts';
import type { Reply, Request } from './wire.ts';
import { runPausing, runWhole, type Steps } from './write-steps.ts';

const LONGEST_WAIT_MS = 30_000;
/** Longer than a slice of a read, as each slice of a write costs a sync. */
const WRITE_SLICE_MS = 10;

const COMMANDS: Commands = {
  ...sessionCommands,
  ...readCommands,
  ...writeCommands,
  ...findAndModifyCommands,
  ...bulkWriteCommands,
  ...structureCommands,
  ...explainCommands,
  ...shellCommands,
  ...checkCommands,
};

/** Runs one request to its answer; whatever is thrown becomes an answer too. Null closes the connection instead. */
export async function dispatch(engine: Engine, request: Request, connection: Connection): Promise<Reply | null> {
  const { body } = request;
  try {
    const { close, addition } = engine.failpoints ? await engine.failpoints.meet(body, connection) : NO_FAULT;
    if (close) return null;
    const reply = engine.failpoints && body.configureFailPoint ? engine.failpoints.configure(body) : await run(engine, request, connection);
    return Buffer.isBuffer(reply) ? reply : documentReply({ ...reply, ...concernError(body), ...addition }, engine.clock.ending());
  } catch (error) {
    return { ...failure(asStoreError(error, engine)), ...engine.clock.stamp() };
  }
}

const NO_FAULT = { close: false, addition: {} };

async function run(engine: Engine, { body, sequences }: Request, connection: Connection): Promise<Reply> {
  const name = Object.keys(body)[0] ?? '';
  validateCommand(body, sequences);
  const command = hasField(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw storeError(59, `no such command: '${name}'`);
  checkConcerns(body, name, command);
  const session = sessionOf(body.lsid);
  const call: Call = {
    engine,
    name,
    body,
    sequences,
    connection,
    database: String(body.$db ?? 'admin'),
    session: session && Buffer.from(session).toString('hex'),
    transaction: undefined,
    watch: startWatch(asNumber(body.maxTimeMS)),
    now: new Date(),
  };
  if (body.autocommit === false && name !== 'commitTransaction' && name !== 'abortTransaction') return inTransaction(call, command, session);
  if (command.kind === 'plain') return command.run(call);
  return runWrite(call, command, session);
}

async function inTransaction(call: Call, command: Command, session: Uint8Array | undefined): Promise<Reply> {
  const { engine, body, connection } = call;
  if (!session || body.txnNumber === undefined) throw storeError(72, "'autocommit' field requires a session and a transaction number");
  const transaction = engine.transactions.enter(session, toBigInt(body.txnNumber), body.startTransaction === true, connection.id);
  const inside = { ...call, transaction };
  try {
    const reply = await (command.kind === 'plain' ? command.run(inside) : runPausing(command.run(inside, transaction.view), call.watch.pause));
    if (!Buffer.isBuffer(reply) && reply.writeErrors !== undefined) engine.transactions.abortNow(transaction);
    return reply;
  } catch (error) {
    engine.transactions.abortNow(transaction);
    throw error;
  }
}

type WriteCommand = Extract<Command, { kind: 'write' }>;

// A numbered write is one commit with its answer, so that a retry finds both or neither; any other may give way between two documents.
function runWrite(call: Call, command: WriteCommand, session: Uint8Array | undefined): Promise<Doc> {
  const { engine, body } = call;
  if (!session || body.txnNumber === undefined) return inSlices(call, command);
  const write = { session, number: toBigInt(body.txnNumber) };
  engine.transactions.endSession(write.session, write.number);
  return inOneCommit(call, command, write);
}

async function inOneCommit(call: Call, command: WriteCommand, write: WriteNumber): Promise<Doc> {
  const { engine } = call;
  const until = patience(call);
  // All in one commit: it cannot give way.
  call.watch.slice(Number.POSITIVE_INFINITY);
  const work = (view: WriteView): Doc => {
    const earlier = earlierReply(view, write);
    if (earlier) return earlier;
    const reply = runWhole(command.run(call, view));
    keepReply(view, write, reply);
    engine.clock.note(view);
    return reply;
  };
  for (;;) {
    try {
      return await engine.storage.write(work, { shrinking: command.shrinking === true });
    } catch (error) {
      if (!(error instanceof HeldKey)) throw error;
      await releasedBefore(error.released, until);
    }
  }
}

async function inSlices(call: Call, command: WriteCommand): Promise<Doc> {
  const { engine, watch } = call;
  let steps: Steps<Doc> | undefined;
  const slice = (view: WriteView) => {
    watch.slice(WRITE_SLICE_MS);
    steps ??= command.run(call, view);
    const reached = steps.next();
    engine.clock.note(view);
    return reached;
  };
  try {
    for (;;) {
      const until = patience(call);
      const step = await engine.storage.write(slice, { shrinking: command.shrinking === true });
      if (step.done) return step.value;
      if (step.value === PAUSE) await watch.pause();
      else await releasedBefore(step.value.released, until);
    }
  } finally {
    // What it reads from is given back, also when it does not come to its end.
    steps?.return({});
  }
}

const patience = ({ body }: Call): number => performance.now() + (asNumber(body.maxTimeMS) || LONGEST_WAIT_MS);

async function releasedBefore(released: Promise<void>, until: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(storeError(50, 'operation exceeded time limit')), Math.max(0, until - performance.now()));
  try {
    await Promise.race([released, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function checkConcerns({ autocommit, readConcern, writeConcern }: Doc, name: string, command: Command): void {
  const transactional = autocommit === false;
  const ends = name === 'commitTransaction' || name === 'abortTransaction';
  if (transactional && command.kind === 'plain' && !command.inTransaction)
    throw storeError(263, `Cannot run '${name}' in a multi-document transaction.`);
  if (transactional && writeConcern !== undefined && !ends) throw storeError(72, 'writeConcern is not allowed within a multi-statement transaction');
  if (level(readConcern) === 'snapshot' && !transactional) throw storeError(246, 'embedded store: snapshot reads exist only inside a transaction');
}

const level = (concern: unknown): unknown => (typeof concern === 'object' && concern !== null && 'level' in concern ? concern.level : undefined);

// There is one member: more cannot acknowledge. The write itself is done.
function concernError({ writeConcern }: Doc): Doc {
  const wanted = typeof writeConcern === 'object' && writeConcern !== null && 'w' in writeConcern ? asNumber(writeConcern.w) : undefined;
  if (wanted === undefined || wanted <= 1) return {};
  return { writeConcernError: { code: int(100), codeName: 'UnsatisfiableWriteConcern', errmsg: 'Not enough data-bearing nodes' } };
}

function asStoreError(error: unknown, engine: Engine): StoreError {
  if (error instanceof StoreError) return error;
  const text = error instanceof Error ? error : new Error(String(error));
  if (text.name.startsWith('BSON')) return storeError(22, text.message);
  engine.log(`unexpected: ${text.stack ?? text.message}`);
  return storeError(1, `embedded store: internal error: ${text.message}`);
}
