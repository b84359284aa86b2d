// Lets requests of several kinds share transactions, because concurrent writes to the same records would only conflict.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { type Command, inTransaction, type RequestContext, type Services, type Work } from '../work.ts';

/**
 * One queue's share of a transaction. `writes`: the keys of the records that other parts may write too, e.g. audit
 * chains. `done` receives the result once it is on disk; if the transaction fails, `fail` receives the error instead.
 */
export type BatchPart = {
  services: Services;
  request: Omit<RequestContext, 'signal'>;
  name: string;
  writes: readonly string[];
  run(work: Work): Promise<unknown>;
  done(result: unknown): void;
  fail(error: unknown): void;
};

/** Requests of one kind that wait for a transaction. */
export type Queue = {
  /** The number of waiting requests. */
  waiting(): number;
  /**
   * Takes at most `max` requests that write nothing in `busy`, and returns their part of the next transaction; null if
   * none can run now. Never rejects.
   */
  prepare(max: number, busy: ReadonlySet<string>): Promise<BatchPart | null>;
};

/** Starts transactions for a queue that has new requests, as soon as the limits allow. */
export type TransactionBatcher = (queue: Queue) => void;

/**
 * While the store executes one transaction, the next is prepared and sent. A third would only split the same requests
 * into smaller transactions.
 */
const MAX_TRANSACTIONS = 2;
/** With fewer waiting requests, a second transaction costs more than it saves. */
const MIN_FOR_SECOND = 16;

/**
 * Creates a batcher: requests that arrive while transactions run form the next transaction. Under load, two
 * transactions run at once; they never write the same records. If a shared transaction fails, each of its requests runs
 * alone, so that one error does not affect the others. A request with an idempotency key or If-Match also runs alone.
 */
export function createTransactionBatcher(): TransactionBatcher {
  const queues = new Set<Queue>();
  const running = new Set<readonly string[]>();
  let starting = false;
  let startRequested = false;

  async function startTransactions(): Promise<void> {
    starting = true;
    while (startRequested) {
      startRequested = false;
      // requests of several connections arrive in separate callbacks of one iteration
      await nextLoopIteration();
      while (await startTransaction());
    }
    starting = false;
  }

  function requestStart(): void {
    startRequested = true;
    if (!starting) void startTransactions();
  }

  /** Starts a transaction if the limits allow it. Returns whether another may start now. */
  async function startTransaction(): Promise<boolean> {
    const count = countWaiting(queues);
    if (count < (running.size ? MIN_FOR_SECOND : 1) || running.size === MAX_TRANSACTIONS) return false;
    // without a running transaction, many requests are split between two
    const transactions = running.size || count < 2 * MIN_FOR_SECOND ? 1 : 2;
    const busy = new Set([...running].flat());
    const parts: BatchPart[] = [];
    // one after the other, because each takes requests out of its queue
    for (const queue of queues) {
      const part = await queue.prepare(Math.ceil(queue.waiting() / transactions), busy);
      if (part) parts.push(part);
      if (!queue.waiting()) queues.delete(queue);
    }
    // nothing can run now; tries again only if a queue has dropped requests
    if (!parts.length) return countWaiting(queues) < count;
    const written = parts.flatMap(({ writes }) => writes);
    running.add(written);
    void runAll(parts).then(() => {
      running.delete(written);
      requestStart();
    });
    return true;
  }

  return (queue) => {
    queues.add(queue);
    requestStart();
  };
}

/** A waiting request: the keys that it writes (null: not known yet), and whether it needs its own transaction. */
export type Candidate = { writes: readonly string[] | null; alone: boolean };

/**
 * Returns the candidates that can run now, at most `max`, in order. Skips those that write something busy, or something
 * that a skipped earlier one writes. Stops at one whose writes are unknown. One that needs its own transaction runs
 * alone.
 */
export function selectRunnable<C extends Candidate>(
  waiting: readonly C[],
  max: number,
  busy: ReadonlySet<string>,
): C[] {
  const blocked = new Set(busy);
  const selected: C[] = [];
  for (const candidate of waiting) {
    const { writes, alone } = candidate;
    if (selected.length >= max || !writes || (alone && selected.length)) break;
    if (writes.some((write) => blocked.has(write))) for (const write of writes) blocked.add(write);
    else selected.push(candidate);
    if (alone && selected.length) break;
  }
  return selected;
}

function countWaiting(queues: Iterable<Queue>): number {
  let count = 0;
  for (const queue of queues) count += queue.waiting();
  return count;
}

async function runAll(parts: readonly BatchPart[]): Promise<void> {
  const isAlone = ({ request }: BatchPart) => Boolean(request.idempotency || request.expected);
  await run(parts.filter((part) => !isAlone(part)));
  for (const part of parts) if (isAlone(part)) await run([part]);
}

async function run(parts: readonly BatchPart[]): Promise<void> {
  const [first, second] = parts;
  if (!first) return;
  try {
    const command = combinedCommand(parts, second ? (work) => runInOrder(work, parts) : first.run);
    const result = await inTransaction(first.services, first.request, command, null);
    for (const [n, { done }] of parts.entries()) done(second ? (result as unknown[])[n] : result);
  } catch (error) {
    if (!second) return first.fail(error);
    for (const part of parts) await run([part]);
  }
}

async function runInOrder(work: Work, parts: readonly BatchPart[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const part of parts) results.push(await part.run(work));
  return results;
}

// The name of a command appears in metrics, and is part of the key under which its result is stored.
function combinedCommand(parts: readonly BatchPart[], run: BatchPart['run']): Command<null, unknown> {
  const command = (work: Work) => run(work); // a new function, because its name is set
  return Object.defineProperty(command, 'name', { value: parts.map(({ name }) => name).join('+') });
}
