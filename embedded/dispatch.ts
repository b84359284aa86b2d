import { asNumber, type Doc, hasField } from './bson.ts';
import { bulkWriteCommands } from './commands/bulk-write.ts';
import { checkCommands } from './commands/check.ts';
import type { Command, Commands } from './commands/command.ts';
import { explainCommands } from './commands/explain.ts';
import { readCommands } from './commands/read.ts';
import { sessionCommands } from './commands/session.ts';
import { shellCommands } from './commands/shell.ts';
import { structureCommands } from './commands/structure.ts';
import { writeCommands } from './commands/write.ts';
import type { Connection } from './connection.ts';
import type { Call, Engine } from './engine.ts';
import { StoreError, storeError } from './errors.ts';
import { failure, int, YES } from './reply.ts';
import { earlierReply, keepReply, sessionOf, toBigInt } from './retry-record.ts';
import { HeldKey } from './transactions.ts';
import { validateCommand } from './validate.ts';
import { startWatch } from './watch.ts';
import type { Reply, Request } from './wire.ts';

const LONGEST_WAIT_MS = 30_000;

const COMMANDS: Commands = {
  ...sessionCommands,
  ...readCommands,
  ...writeCommands,
  ...bulkWriteCommands,
  ...structureCommands,
  ...explainCommands,
  ...shellCommands,
  ...checkCommands,
};

/** Runs one request to its answer; whatever is thrown becomes an answer too. */
export async function dispatch(engine: Engine, request: Request, connection: Connection): Promise<Reply> {
  const { body } = request;
  try {
    const reply = await run(engine, request, connection);
    return Buffer.isBuffer(reply) ? reply : { ...reply, ...concernError(body), ok: YES, ...engine.clock.stamp() };
  } catch (error) {
    return { ...failure(asStoreError(error, engine)), ...engine.clock.stamp() };
  }
}

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
    const reply = command.kind === 'plain' ? await command.run(inside) : command.run(inside, transaction.view);
    if (!Buffer.isBuffer(reply) && reply.writeErrors !== undefined) engine.transactions.abortNow(transaction);
    return reply;
  } catch (error) {
    engine.transactions.abortNow(transaction);
    throw error;
  }
}

// Tried again whenever an open transaction holds what it wants to write, until the time is up.
async function runWrite(call: Call, command: Extract<Command, { kind: 'write' }>, session: Uint8Array | undefined): Promise<Doc> {
  const { engine, body } = call;
  const write = session && body.txnNumber !== undefined ? { session, number: toBigInt(body.txnNumber) } : undefined;
  if (write) engine.transactions.endSession(write.session, write.number);
  const until = performance.now() + (asNumber(body.maxTimeMS) || LONGEST_WAIT_MS);
  for (;;) {
    try {
      return await engine.storage.write(
        (view) => {
          const earlier = write && earlierReply(view, write);
          if (earlier) return earlier;
          const reply = command.run(call, view);
          if (write) keepReply(view, write, reply);
          engine.clock.note(view);
          return reply;
        },
        { shrinking: command.shrinking === true },
      );
    } catch (error) {
      if (!(error instanceof HeldKey)) throw error;
      await releasedBefore(error.released, until);
    }
  }
}

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
