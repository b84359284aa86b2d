// Runs the commands of concurrent requests in shared transactions.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { turnsOf } from '../platform/conflict-queue.ts';
import { isOutcomeUnknown, isStoreError, type Mongo } from '../store/mongo.ts';
import { RecordBuffer } from '../store/query/record-buffer.ts';
import { TransactionRecords } from '../store/query/transaction-records.ts';
import {
  type Command,
  type CommandRun,
  inTransaction,
  publishCommit,
  publishFailure,
  runCommand,
  type Services,
  sendAll,
  TRANSACTION,
  type Transaction,
  toDomainError,
  type WriteRequest,
} from '../work.ts';

type Member = {
  services: Services;
  request: WriteRequest;
  command: Command<unknown, unknown>;
  input: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
};

type Ended = { run: CommandRun<unknown>; buffer: RecordBuffer };
/**
 * How a command of a shared transaction ended. `waiting`: it did not run, and does in the next one. `late`: it exceeded
 * the time limit.
 */
type Outcome = Ended | { error: unknown } | 'alone' | 'in turn' | 'waiting' | 'late';
/** The outcomes by member, and the commands that ended in the order of their writes, which is that of their records. */
type Results = { outcomes: Outcome[]; ended: CommandRun<unknown>[]; isOverloaded: boolean };
/** The members of a transaction that wait for the next, and whether it had too many members. */
type Rest = { again: readonly Member[]; isOverloaded: boolean };

const MAX_MEMBERS = 64;
/** How long a command may delay the others of its transaction, and a transaction the next. */
const MAX_MS = 200;
const MAX_RUNS = 3;

const queues = new WeakMap<Mongo['db'], (member: Member) => void>();

/**
 * Runs a command like `inTransaction`, but in one transaction with commands of other requests that arrived while the
 * previous transaction ran. Commands that write different records run at once; the others run after them in their
 * order, and see what these wrote. A command that fails does not affect the others. One that queries a collection after
 * it wrote to it, or that takes more than 200 ms, runs again in a transaction of its own. If at least half of several
 * take that long, they run again in smaller shared transactions.
 */
export function inSharedTransaction<I, R>(
  services: Services,
  request: WriteRequest,
  command: Command<I, R>,
  input: I,
): Promise<R> {
  const { db } = services.mongo;
  const enqueue = queues.get(db) ?? createQueue(db);
  queues.set(db, enqueue);
  return new Promise<R>((resolve, reject) => enqueue({ services, request, command, input, resolve, reject } as Member));
}

function createQueue(db: Mongo['db']): (member: Member) => void {
  let waiting: Member[] = [];
  let isRunning = false;
  let maxMembers = MAX_MEMBERS;

  async function run(): Promise<void> {
    isRunning = true;
    // requests of several connections arrive in separate callbacks of one iteration
    await nextLoopIteration();
    while (waiting.length)
      await turnsOf(db).runExclusive(() => {
        const members = waiting.slice(0, maxMembers);
        waiting = waiting.slice(maxMembers);
        return withTimeLimit(runMembers(members));
      });
    isRunning = false;
  }

  // Never rejects, so that the queue continues whatever happens.
  async function runMembers(members: readonly Member[]): Promise<void> {
    try {
      const { again, isOverloaded } = await (members.length === 1 ? runAlone(members[0]!) : runTogether(members));
      maxMembers = isOverloaded ? Math.ceil(members.length / 2) : Math.min(2 * maxMembers, MAX_MEMBERS);
      waiting.unshift(...again);
    } catch (error) {
      for (const { reject } of members) reject(toDomainError(error)); // has no effect on those that ended
    }
    if (!isRunning && waiting.length) void run();
  }

  return (member) => {
    waiting.push(member);
    if (!isRunning) void run();
  };
}

/** Runs a command in a transaction of its own. */
async function runAlone({ services, request, command, input, resolve, reject }: Member): Promise<Rest> {
  await inTransaction(services, request, command, input).then(resolve, reject);
  return NO_REST;
}

const NO_REST: Rest = { again: [], isOverloaded: false };

/** Runs commands in one transaction. */
async function runTogether(members: readonly Member[]): Promise<Rest> {
  const { services } = members[0]!;
  let runs = 0;
  let isCommitting = false;
  let results: Results;
  let cacheHeads = () => {};
  try {
    results = await services.mongo.client.withSession((session) =>
      session.withTransaction(async () => {
        isCommitting = false;
        runs += 1;
        if (runs > MAX_RUNS) throw new Error('the commands conflict with those of other processes');
        const records = new TransactionRecords(services.mongo, session, { isShared: true });
        const transaction: Transaction = { services, records, isRetry: runs > 1 };
        const results = await runAll(transaction, members);
        cacheHeads = await sendAll(transaction, results.ended);
        isCommitting = true;
        return results;
      }, TRANSACTION),
    );
  } catch (error) {
    // If they may be on disk, they must not run again. Otherwise each reports its own error.
    const isUnknown = isCommitting && isOutcomeUnknown(error);
    for (const member of members) {
      if (isUnknown) settle(member, { error }, runs);
      else void runAlone(member);
    }
    return NO_REST;
  }
  cacheHeads();
  const { outcomes, isOverloaded } = results;
  return { again: members.filter((member, n) => settle(member, outcomes[n]!, runs)), isOverloaded };
}

/** Answers the request of a command. Returns whether it has to wait for the next transaction. */
function settle(member: Member, outcome: Outcome, runs: number): boolean {
  const { services, request, command, resolve, reject } = member;
  const { name } = command;
  if (isEnded(outcome))
    publishCommit(services, { request, name, runs }, outcome.run, outcome.buffer).then(
      () => resolve(outcome.run.result),
      reject,
    );
  else if (outcome === 'alone') void runAlone(member);
  else if (typeof outcome === 'object') {
    publishFailure(name, runs, outcome.error);
    reject(toDomainError(outcome.error));
  }
  return outcome === 'waiting';
}

function isEnded(outcome: Outcome): outcome is Ended {
  return typeof outcome === 'object' && 'run' in outcome;
}

async function runAll(transaction: Transaction, members: readonly Member[]): Promise<Results> {
  try {
    return await runInPhases(transaction, members);
  } finally {
    await transaction.records.close();
  }
}

// First all commands at once, then in turn those that wrote records of others.
async function runInPhases(transaction: Transaction, members: readonly Member[]): Promise<Results> {
  const ended: CommandRun<unknown>[] = [];
  const end = ({ run, buffer }: Ended) => {
    buffer.end();
    ended.push(run);
  };
  const owners = new Map<string, RecordBuffer>();
  const outcomes = await Promise.all(
    members.map((member) => runOne(transaction, member, new RecordBuffer(transaction.records, 'at once', owners))),
  );
  for (const outcome of outcomes) if (isEnded(outcome)) end(outcome);
  // If several and at least half are late, the process is overloaded. Transactions of their own would take even longer.
  const late = outcomes.filter((outcome) => outcome === 'late').length;
  const isOverloaded = late >= Math.max(2, members.length / 2);
  for (const [n, outcome] of outcomes.entries())
    if (outcome === 'late') outcomes[n] = isOverloaded ? 'waiting' : 'alone';
  const startedAt = performance.now();
  for (const [n, member] of members.entries()) {
    if (outcomes[n] !== 'in turn') continue;
    const isLate = performance.now() - startedAt > MAX_MS;
    outcomes[n] = isLate
      ? 'waiting'
      : await runOne(transaction, member, new RecordBuffer(transaction.records, 'in turn'));
    const outcome = outcomes[n]!;
    if (isEnded(outcome)) end(outcome);
    else if (outcome === 'late') outcomes[n] = 'alone';
  }
  return { outcomes, ended, isOverloaded };
}

async function runOne(transaction: Transaction, member: Member, buffer: RecordBuffer): Promise<Outcome> {
  const { services, request, command, input } = member;
  const ended = runCommand({ ...transaction, services }, buffer, request, command, input).then(
    (run): Outcome => ({ run, buffer }),
    (error: unknown): Outcome => ({ error }),
  );
  const outcome = (await withTimeLimit(ended)) ?? 'late';
  const { runAgain } = buffer;
  if (runAgain || !isEnded(outcome)) buffer.abandon(); // a part of the command may still run
  // it ends the transaction
  if (typeof outcome === 'object' && 'error' in outcome && isStoreError(outcome.error)) throw outcome.error;
  if (runAgain) return runAgain.alone ? 'alone' : 'in turn';
  return outcome;
}

/** Resolves to undefined if the promise takes longer. */
async function withTimeLimit<T>(promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  // after a turn of the event loop that took long, what arrived meanwhile is processed first
  const timer = setTimeout(() => setImmediate(() => late.resolve(undefined)), MAX_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
