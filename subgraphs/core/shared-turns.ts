import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { type Command, inTransaction, type RequestContext, type Services, type Work } from './work.ts';

/** What somebody does in a transaction that others may share. What comes of it is told once it is on disk; `fail` says that it is not. */
export type Part = {
  services: Services;
  request: Omit<RequestContext, 'signal'>;
  name: string;
  act(work: Work): Promise<unknown>;
  done(answer: unknown): void;
  fail(error: unknown): void;
};

/** Takes part in the next transaction with what is prepared then, if anything; resolves when that was told or has failed. */
export type Turns = (prepare: () => Promise<Part | null>) => Promise<void>;

type Waiting = { prepare: () => Promise<Part | null>; ended(): void };

/**
 * Lets deeds of several kinds that write the same records take turns, as side by side they would only conflict: those that came while a transaction was under way are the next one.
 * Where the common one fails, each has one of its own, so that the fault of one does not touch the others; so has a request under a key, or one that says which state it has seen.
 */
export function sharedTurns(): Turns {
  const waiting: Waiting[] = [];
  let serving = false;

  async function serve(): Promise<void> {
    serving = true;
    // what comes over several connections at once comes one after the other
    await nextTurnOfTheLoop();
    while (waiting.length) {
      const some = waiting.splice(0);
      const parts: Part[] = [];
      // one by one: what one takes, the next leaves
      for (const { prepare } of some) {
        const part = await prepare();
        if (part) parts.push(part);
      }
      const isAlone = ({ request }: Part) => Boolean(request.once || request.seen);
      await run(parts.filter((part) => !isAlone(part)));
      for (const part of parts) if (isAlone(part)) await run([part]);
      for (const { ended } of some) ended();
    }
    serving = false;
  }

  return (prepare) =>
    new Promise((ended) => {
      waiting.push({ prepare, ended });
      if (!serving) void serve();
    });
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
