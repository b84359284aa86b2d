// Runs concurrent requests for the same command in shared transactions.
import { type Command, type RequestContext, type Services, toDomainError } from '../work.ts';
import {
  type BatchPart,
  type Candidate,
  createTransactionBatcher,
  type Queue,
  selectRunnable,
  type TransactionBatcher,
} from './transaction-batcher.ts';

type Request = Omit<RequestContext, 'signal'>;
/** One of the requests that share a transaction. */
export type Member<I> = { request: Request; input: I };
/** The outcome of one request: its result, or an error that does not affect the others. */
export type Outcome<R> = { result: R } | { error: unknown };

/**
 * A command whose requests may share a transaction. `writesOf` returns for each input the keys of the records that
 * other requests may write at the same time, which are the chains of its audit records.
 */
export type BatchedCommand<I, R> = {
  command: Command<readonly Member<I>[], Outcome<R>[]>;
  writesOf(services: Services, inputs: readonly I[]): Promise<readonly (readonly string[])[]>;
};

type Waiting<I, R> = Candidate &
  Member<I> & { services: Services; resolve(result: R): void; reject(error: unknown): void };

const MAX_BATCH = 64;

/**
 * Returns a function that runs a request in the next shared transaction; audit records name the request that caused
 * them. A request with an idempotency key or an expected tag runs in a transaction of its own, and so does each request
 * of a shared transaction that failed. Pass `batcher` to share transactions with other commands that write the same
 * records.
 */
export function batched<I, R>(
  { command, writesOf }: BatchedCommand<I, R>,
  batcher: TransactionBatcher = createTransactionBatcher(),
) {
  const waiting: Waiting<I, R>[] = [];

  const queue: Queue = {
    waiting: () => waiting.length,
    async prepare(max, busy) {
      await loadWrites(waiting.slice(0, MAX_BATCH));
      const members = selectRunnable(waiting, Math.min(max, MAX_BATCH), busy);
      removeFrom(waiting, members);
      return partOf(members);
    },
  };

  async function loadWrites(requests: readonly Waiting<I, R>[]): Promise<void> {
    const unknown = requests.filter(({ writes }) => !writes);
    const [first] = unknown;
    if (!first) return;
    try {
      const inputs = unknown.map(({ input }) => input);
      const writes = await writesOf(first.services, inputs);
      for (const [n, request] of unknown.entries()) request.writes = writes[n] ?? [];
    } catch (error) {
      removeFrom(waiting, unknown);
      for (const { reject } of unknown) reject(toDomainError(error));
    }
  }

  function partOf(members: readonly Waiting<I, R>[]): BatchPart | null {
    const [first] = members;
    if (!first) return null;
    const { services, request } = first;
    return {
      services,
      request,
      name: command.name,
      writes: members.flatMap(({ writes }) => writes ?? []),
      run: (work) => command(work, members),
      done: (result) => {
        const outcomes = result as Outcome<R>[];
        for (const [n, { resolve, reject }] of members.entries()) {
          const outcome = outcomes[n] ?? { error: new Error(`${command.name} returned no outcome for a request`) };
          if ('result' in outcome) resolve(outcome.result);
          else reject(outcome.error);
        }
      },
      fail: (error) => {
        if (members.length === 1) return first.reject(error);
        waiting.unshift(...members.map((member) => ({ ...member, alone: true })));
        batcher(queue);
      },
    };
  }

  return (services: Services, request: Request, input: I): Promise<R> =>
    new Promise((resolve, reject) => {
      const alone = Boolean(request.idempotency || request.expected);
      waiting.push({ services, request, input, writes: null, alone, resolve, reject });
      batcher(queue);
    });
}

function removeFrom<T>(list: T[], removed: readonly T[]): void {
  const removedItems = new Set(removed);
  const rest = list.filter((item) => !removedItems.has(item));
  list.splice(0, list.length, ...rest);
}
