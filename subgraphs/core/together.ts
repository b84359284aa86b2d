import { type Part, sharedTurns, type Turns } from './shared-turns.ts';
import type { Command, RequestContext, Services } from './work.ts';

type Request = Omit<RequestContext, 'signal'>;
/** One of some requests that are worked on in one transaction. */
export type Member<I> = { request: Request; input: I };
/** What became of one of them: its answer, or its own refusal, which does not touch the others. */
export type Outcome<R> = { answer: R } | { refused: unknown };

type Waiting<I, R> = Member<I> & { services: Services; alone: boolean; give(answer: R): void; fail(error: unknown): void };

const MOST_TOGETHER = 64;

/**
 * Runs requests for the same deed, which arrive while others of them are worked on, together in the next transaction: on disk together, recorded each as its own. A request
 * under a key, or one that says which state it has seen, has a transaction of its own, and so has each of those whose common one failed. `turns` lets them share transactions with
 * others that write the same records.
 */
export function together<I, R>(command: Command<readonly Member<I>[], Outcome<R>[]>, turns: Turns = sharedTurns()) {
  const waiting: Waiting<I, R>[] = [];
  let serving = false;

  async function next(): Promise<Part | null> {
    const members = nextMembers(waiting);
    const [first] = members;
    if (!first) return null;
    const { services, request } = first;
    return {
      ...{ services, request, name: command.name },
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
        if (members.length > 1) waiting.unshift(...members.map((member) => ({ ...member, alone: true })));
        else first.fail(error);
      },
    };
  }

  async function serve(): Promise<void> {
    serving = true;
    while (waiting.length) await turns(next);
    serving = false;
  }

  return (services: Services, request: Request, input: I): Promise<R> =>
    new Promise((give, fail) => {
      waiting.push({ services, request, input, alone: Boolean(request.once || request.seen), give, fail });
      if (!serving) void serve();
    });
}

function nextMembers<M extends { alone: boolean }>(waiting: M[]): M[] {
  const alone = waiting.findIndex((member) => member.alone);
  return waiting.splice(0, alone === 0 ? 1 : Math.min(MOST_TOGETHER, alone < 0 ? waiting.length : alone));
}
