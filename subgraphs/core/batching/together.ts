import { asRefusal, type Command, type RequestContext, type Services } from '../work.ts';
import { type Candidate, type Part, type Queue, sharedTurns, type Turns, whoMayGo } from './shared-turns.ts';

type Request = Omit<RequestContext, 'signal'>;
/** One of some requests that are worked on in one transaction. */
export type Member<I> = { request: Request; input: I };
/** What became of one of them: its answer, or its own refusal, which does not touch the others. */
export type Outcome<R> = { answer: R } | { refused: unknown };

/** A deed whose requests may share a transaction, and what each of some inputs writes that others may want to write at the same moment (the chains of its audit records). */
export type Deed<I, R> = {
  command: Command<readonly Member<I>[], Outcome<R>[]>;
  writesOf(services: Services, inputs: readonly I[]): Promise<readonly (readonly string[])[]>;
};

type Waiting<I, R> = Candidate & Member<I> & { services: Services; give(answer: R): void; fail(error: unknown): void };

const MOST_TOGETHER = 64;

/**
 * Runs requests for the same deed, which arrive while others of them are worked on, together in the next transaction: on disk together, recorded each as its own. A request
 * under a key, or one that says which state it has seen, has a transaction of its own, and so has each of those whose common one failed. `turns` lets them share transactions with
 * others that write the same records.
 */
export function together<I, R>({ command, writesOf }: Deed<I, R>, turns: Turns = sharedTurns()) {
  const waiting: Waiting<I, R>[] = [];

  const queue: Queue = {
    waiting: () => waiting.length,
    async prepare(most, busy) {
      await learnWrites(waiting.slice(0, MOST_TOGETHER));
      const members = whoMayGo(waiting, Math.min(most, MOST_TOGETHER), busy);
      leave(waiting, members);
      return partFor(members);
    },
  };

  // once for each, together for all who have just come; usually nothing is read for it
  async function learnWrites(some: readonly Waiting<I, R>[]): Promise<void> {
    const fresh = some.filter(({ writes }) => !writes);
    const [first] = fresh;
    if (!first) return;
    try {
      const written = await writesOf(
        first.services,
        fresh.map(({ input }) => input),
      );
      for (const [n, member] of fresh.entries()) member.writes = written[n] ?? [];
    } catch (error) {
      leave(waiting, fresh);
      for (const { fail } of fresh) fail(asRefusal(error));
    }
  }

  function partFor(members: readonly Waiting<I, R>[]): Part | null {
    const [first] = members;
    if (!first) return null;
    const { services, request } = first;
    return {
      ...{ services, request, name: command.name, writes: members.flatMap(({ writes }) => writes ?? []) },
      act: (work) => command(work, members),
      done: (answer) => {
        const outcomes = answer as Outcome<R>[];
        for (const [n, { give, fail }] of members.entries()) {
          const outcome = outcomes[n] ?? { refused: new Error(`${command.name} left a request without an answer`) };
          if ('answer' in outcome) give(outcome.answer);
          else fail(outcome.refused);
        }
      },
      fail: (error) => {
        if (members.length === 1) return first.fail(error);
        waiting.unshift(...members.map((member) => ({ ...member, alone: true })));
        turns(queue);
      },
    };
  }

  return (services: Services, request: Request, input: I): Promise<R> =>
    new Promise((give, fail) => {
      waiting.push({
        services,
        request,
        input,
        writes: null,
        alone: Boolean(request.once || request.seen),
        give,
        fail,
      });
      turns(queue);
    });
}

function leave<T>(waiting: T[], going: readonly T[]): void {
  const gone = new Set(going);
  const rest = waiting.filter((one) => !gone.has(one));
  waiting.splice(0, waiting.length, ...rest);
}
