import { type Command, inTransaction, type RequestContext, type Services } from './work.ts';

type Request = Omit<RequestContext, 'signal'>;
/** One of some requests that are worked on in one transaction. */
export type Member<I> = { request: Request; input: I };
/** What became of one of them: its answer, or its own refusal, which does not touch the others. */
export type Outcome<R> = { answer: R } | { refused: unknown };

type Waiting<I, R> = Member<I> & { services: Services; give(answer: R): void; fail(error: unknown): void };

export type InTurn = <T>(deed: () => Promise<T>) => Promise<T>;

const MOST_TOGETHER = 64;

/**
 * Runs requests for the same deed, which arrive while others of them are worked on, together in the next transaction: on disk together, recorded each as its own. A request
 * under a key, or one that says which state it has seen, has a transaction of its own, and so has each of those whose common one failed. `inTurn` lets them wait for others
 * that write the same records: side by side they would only conflict.
 */
export function together<I, R>(command: Command<readonly Member<I>[], Outcome<R>[]>, inTurn: InTurn = (deed) => deed()) {
  const waiting: Waiting<I, R>[] = [];
  let serving = false;

  async function run(members: Waiting<I, R>[], request: Request): Promise<void> {
    const [first] = members;
    if (!first) return;
    const outcomes = await inTransaction(first.services, request, command, members);
    for (const [n, { give, fail }] of members.entries()) {
      const outcome = outcomes[n] ?? { refused: new Error(`${command.name} left a request without an answer`) };
      if ('answer' in outcome) give(outcome.answer);
      else fail(outcome.refused);
    }
  }

  async function serveNext(): Promise<void> {
    const members = nextMembers(waiting);
    const [first, second] = members;
    try {
      if (first) await run(members, first.request);
    } catch (error) {
      if (second) for (const member of members) await run([member], member.request).catch(member.fail);
      else first?.fail(error);
    }
  }

  async function serve(): Promise<void> {
    serving = true;
    while (waiting.length) await inTurn(serveNext);
    serving = false;
  }

  return (services: Services, request: Request, input: I): Promise<R> =>
    new Promise((give, fail) => {
      waiting.push({ services, request, input, give, fail });
      if (!serving) void serve();
    });
}

function nextMembers<M extends { request: Request }>(waiting: M[]): M[] {
  const alone = waiting.findIndex(({ request }) => request.once || request.seen);
  return waiting.splice(0, alone === 0 ? 1 : Math.min(MOST_TOGETHER, alone < 0 ? waiting.length : alone));
}
