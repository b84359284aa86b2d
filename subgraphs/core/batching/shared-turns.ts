import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { type Command, inTransaction, type RequestContext, type Services, type Work } from '../work.ts';

/**
 * What somebody does in a transaction that others may share, and what it writes that others may want to write at the same moment, e.g. the chains of its audit records.
 * What comes of it is told once it is on disk; `fail` says that it is not.
 */
export type Part = {
  services: Services;
  request: Omit<RequestContext, 'signal'>;
  name: string;
  writes: readonly string[];
  act(work: Work): Promise<unknown>;
  done(answer: unknown): void;
  fail(error: unknown): void;
};

/** Requests of one kind that wait for a transaction. */
export type Queue = {
  /** How many wait. */
  waiting(): number;
  /** What the next transaction does for at most `most` of them, without anything that is `busy`. Null: nothing of it can begin now. It never rejects. */
  prepare(most: number, busy: ReadonlySet<string>): Promise<Part | null>;
};

/** Serves a queue to which something has come. */
export type Turns = (queue: Queue) => void;

/** While the store works on one transaction, the next is made ready and sent; a third would only make all of them small. */
const MOST_UNDER_WAY = 2;
/** With fewer that wait, a transaction of their own beside the other costs more than the waiting for it. */
const ENOUGH = 16;

/**
 * Lets deeds of several kinds that write the same records take turns, as side by side they would only conflict: those that came while transactions were under way are the next one.
 * Where many come at once they are two, which never write the same: what one under way writes is busy, and waits. Where a common one fails, each has one of its own,
 * so that the fault of one does not touch the others; so has a request under a key, or one that says which state it has seen.
 */
export function sharedTurns(): Turns {
  const queues = new Set<Queue>();
  const underWay = new Set<readonly string[]>();
  let serving = false;
  let called = false;

  async function serve(): Promise<void> {
    serving = true;
    while (called) {
      called = false;
      // what comes over several connections at once comes one after the other
      await nextTurnOfTheLoop();
      while (await begin());
    }
    serving = false;
  }

  function call(): void {
    called = true;
    if (!serving) void serve();
  }

  /** Begins a transaction, if one may begin; answers whether there may be more to do. */
  async function begin(): Promise<boolean> {
    const count = waitingIn(queues);
    if (count < (underWay.size ? ENOUGH : 1) || underWay.size === MOST_UNDER_WAY) return false;
    const transactions = underWay.size || count < 2 * ENOUGH ? 1 : 2;
    const busy = new Set([...underWay].flat());
    const parts: Part[] = [];
    // one by one: what one takes, the next leaves
    for (const queue of queues) {
      const part = await queue.prepare(Math.ceil(queue.waiting() / transactions), busy);
      if (part) parts.push(part);
      if (!queue.waiting()) queues.delete(queue);
    }
    if (!parts.length) return waitingIn(queues) < count;
    const written = parts.flatMap(({ writes }) => writes);
    underWay.add(written);
    void runAll(parts).then(() => {
      underWay.delete(written);
      call();
    });
    return true;
  }

  return (queue) => {
    queues.add(queue);
    call();
  };
}

/** One of those who wait: what it writes (null: not known yet), and whether it must have a transaction of its own. */
export type Candidate = { writes: readonly string[] | null; alone: boolean };

/**
 * Those who may go now, at most so many and in their order: none that writes what is busy, and none before an earlier one that writes the same.
 * One that must have a transaction of its own goes alone; nobody passes one of whom it is not known what it writes.
 */
export function whoMayGo<C extends Candidate>(waiting: readonly C[], most: number, busy: ReadonlySet<string>): C[] {
  const kept = new Set(busy);
  const going: C[] = [];
  for (const candidate of waiting) {
    const { writes, alone } = candidate;
    if (going.length >= most || !writes || (alone && going.length)) break;
    if (writes.some((one) => kept.has(one))) for (const one of writes) kept.add(one);
    else going.push(candidate);
    if (alone && going.length) break;
  }
  return going;
}

function waitingIn(queues: Iterable<Queue>): number {
  let count = 0;
  for (const queue of queues) count += queue.waiting();
  return count;
}

async function runAll(parts: readonly Part[]): Promise<void> {
  const isAlone = ({ request }: Part) => Boolean(request.once || request.seen);
  await run(parts.filter((part) => !isAlone(part)));
  for (const part of parts) if (isAlone(part)) await run([part]);
}

async function run(parts: readonly Part[]): Promise<void> {
  const [first, second] = parts;
  if (!first) return;
  try {
    const answers = await inTransaction(first.services, first.request, second ? all(parts) : only(first), null);
    for (const [n, { done }] of parts.entries()) done(second ? (answers as unknown[])[n] : answers);
  } catch (error) {
    if (!second) return first.fail(error);
    for (const part of parts) await run([part]);
  }
}

// Commands are known by their names, in metrics and where an answer is kept under a key.
function only({ name, act }: Part): Command<null, unknown> {
  return { [name]: (work: Work) => act(work) }[name]!;
}

function all(parts: readonly Part[]): Command<null, unknown[]> {
  const name = parts.map((part) => part.name).join('+');
  const command = async (work: Work) => {
    const answers: unknown[] = [];
    for (const { act } of parts) answers.push(await act(work));
    return answers;
  };
  return { [name]: command }[name]!;
}
