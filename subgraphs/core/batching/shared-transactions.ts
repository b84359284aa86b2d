// Runs the commands of concurrent requests in shared transactions.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
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
/** How a command of a shared transaction ended. `waiting`: it did not run, and does in the next one. */
type Outcome = Ended | { error: unknown } | 'alone' | 'in turn' | 'waiting';
/** The outcomes by member, and the commands that ended in the order of their writes, which is that of their records. */
type Results = { outcomes: Outcome[]; ended: CommandRun<unknown>[] };

const MAX_MEMBERS = 64;
/** How long a command may delay the others of its transaction, and a transaction the next. */
const MAX_MS = 200;
const MAX_RUNS = 3;

const queues = new WeakMap<Mongo['db'], (member: Member) => void>();

/**
 * Runs a command like `inTransaction`, but in one transaction with commands of other requests that arrived while the
 * previous transaction ran. Commands that write different records run at once; the others run after them in their
 * order, and see what these wrote. A command that fails does not affect the others. One that queries a collection after
 * it wrote to it, or that takes more than 200 ms, runs again in a transaction of its own.
 */
export function inSharedTransaction<I, R>(
  services: Services,
  request: WriteRequest,
  command: Command<I, R>,
  input: I,
): Promise<R> {
  const { db } = services.mongo;
  const enqueue = queues.get(db) ?? createQueue();
  queues.set(db, enqueue);
  return new Promise<R>((resolve, reject) => enqueue({ services, request, command, input, resolve, reject } as Member));
}

function createQueue(): (member: Member) => void {
  let waiting: Member[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    // requests of several connections arrive in separate callbacks of one iteration
    await nextLoopIteration();
    while (waiting.length) {
      const members = waiting.slice(0, MAX_MEMBERS);
      waiting = waiting.slice(MAX_MEMBERS);
      const ended = members.length === 1 ? runAlone(members[0]!) : runTogether(members);
      const requeued = ended.then((again) => void waiting.unshift(...again));
      await withTimeLimit(requeued);
      void requeued.then(() => {
        if (!isRunning && waiting.length) void run();
      });
    }
    isRunning = false;
  }

  return (member) => {
    waiting.push(member);
    if (!isRunning) void run();
  };
}

/** Runs a command in a transaction of its own. */
async function runAlone({ services, request, command, input, resolve, reject }: Member): Promise<Member[]> {
  await inTransaction(services, request, command, input).then(resolve, reject);
  return [];
}

/** Runs commands in one transaction. Returns those that have to wait for the next. */
async function runTogether(members: readonly Member[]): Promise<Member[]> {
  const { services } = members[0]!;
  let runs = 0;
  let isCommitting = false;
  let outcomes: Outcome[];
  let cacheHeads = () => {};
  try {
    outcomes = await services.mongo.client.withSession((session) =>
      session.withTransaction(async () => {
        isCommitting = false;
        runs += 1;
        if (runs > MAX_RUNS) throw new Error('the commands conflict with those of other processes');
        const records = new TransactionRecords(services.mongo, session, { isShared: true });
        const transaction: Transaction = { services, records, isRetry: runs > 1 };
        const { outcomes, ended } = await runAll(transaction, members);
        cacheHeads = await sendAll(transaction, ended);
        isCommitting = true;
        return outcomes;
      }, TRANSACTION),
    );
  } catch (error) {
    // If they may be on disk, they must not run again. Otherwise each reports its own error.
    const isUnknown = isCommitting && isOutcomeUnknown(error);
    for (const member of members) {
      if (isUnknown) settle(member, { error }, runs);
      else void runAlone(member);
    }
    return [];
  }
  cacheHeads();
  return members.filter((member, n) => settle(member, outcomes[n]!, runs));
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
  const startedAt = performance.now();
  for (const [n, member] of members.entries()) {
    if (outcomes[n] !== 'in turn') continue;
    const isLate = performance.now() - startedAt > MAX_MS;
    outcomes[n] = isLate
      ? 'waiting'
      : await runOne(transaction, member, new RecordBuffer(transaction.records, 'in turn'));
    const outcome = outcomes[n];
    if (outcome && isEnded(outcome)) end(outcome);
  }
  return { outcomes, ended };
}

async function runOne(transaction: Transaction, member: Member, buffer: RecordBuffer): Promise<Outcome> {
  const { services, request, command, input } = member;
  const ended = runCommand({ ...transaction, services }, buffer, request, command, input).then(
    (run): Outcome => ({ run, buffer }),
    (error: unknown): Outcome => ({ error }),
  );
  const outcome = (await withTimeLimit(ended)) ?? 'alone';
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
  const timer = setTimeout(() => late.resolve(undefined), MAX_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
