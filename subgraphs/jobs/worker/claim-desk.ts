import { type Part, type Queue, sharedTurns, type Turns } from '../../core/batching/shared-turns.ts';
import type { Actor } from '../../core/domain/access/actor.ts';
import type { Context } from '../../core/graphql.ts';
import { oldestWaiting, type Wanted } from '../../core/store/jobs/job-queue.ts';
import { JobsChanged } from '../../core/store/jobs/jobs.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import { endedMeanwhile } from '../../core/store/tokens.ts';
import { type QueueView, queueViews } from '../queue-views.ts';
import { revoked, takeJobs } from './take-jobs.ts';

/**
 * Who claims: a request, and the worker it is for. In a hurry when a job is likely to be there: it has just come, or a bell has rung. Who has waited already may have lost
 * the right to claim since; who has just come has just shown it.
 */
export type Claimant = Pick<Context, 'services' | 'request'> & { workerId: string; hurry: boolean; hasWaited: boolean };

/** Hands out waiting jobs to the claims of this process, the oldest first and none to two of them; null when none fits. */
export type ClaimDesk = { take(wish: Wanted, by: Claimant): Promise<JobRecord | null> };

type Waiting = { by: Claimant; tries: number; give(job: JobRecord | null): void; fail(error: unknown): void };
type Match = { waiting: Waiting; job: JobRecord; by: Claimant };
type Line = Queue & { key: string; wish: Wanted; claims: Waiting[] };
type Found = { free: JobRecord[]; view: QueueView };

const MOST_TOGETHER = 64;
// Claims of other processes that were faster that often in a row: then this one comes again with its next look.
const TRIES = 5;
// Of a queue that is known to be longer, so many are read for the next claims as well.
const LEAST_AHEAD = 16;
const TURNS_AHEAD = 3;

/**
 * Claims that arrive while others are served share the next query and the next transaction, and each gets a job of its own: a transaction for each would
 * spend most of its time on what they can share, and claimers that all went for the one oldest job on write conflicts. The transaction decides, also
 * between processes: where another was faster, those who got nothing are served again. What is known to wait is not read again (`queue-views.ts`), and of a long queue some are
 * read ahead. `turns` lets it share transactions with others that write the same records.
 */
export function claimDesk(scope: Scope, clock: () => Date, turns: Turns = sharedTurns()): ClaimDesk {
  const lines = new Map<string, Line>();
  const taken = new Set<string>();
  const views = queueViews(scope, clock);

  function lineOf(wish: Wanted): Line {
    const key = JSON.stringify([wish.types, wish.environments]);
    const known = lines.get(key);
    if (known) return known;
    const claims: Waiting[] = [];
    const line: Line = {
      ...{ key, wish, claims },
      waiting: () => claims.length,
      async prepare(most, busy) {
        const served = nextTogether(claims, most);
        try {
          return await matched(line, served, busy);
        } catch (error) {
          for (const { fail } of served) fail(error);
          return null;
        } finally {
          if (!claims.length) lines.delete(key);
        }
      },
    };
    lines.set(key, line);
    return line;
  }

  /** The jobs that may be handed out, the oldest first: those that are known to wait, if that is known well enough for these claims, else those that a look shows. */
  async function waitingFor(
    { key, wish }: Line,
    served: readonly Waiting[],
    { services: { dispatch } }: Claimant,
  ): Promise<Found> {
    const known = views.known(key);
    if (known) {
      const free = known.jobs.filter(({ _id }) => !taken.has(_id));
      const enough = free.length >= served.length && known.isFresh();
      // who was woken goes on from what it was woken for; who has just come, or looks by the clock, is told of an empty queue only after a look
      const toldAll = known.whole && served.every(({ by }) => by.hurry && by.hasWaited);
      if (enough || toldAll) return { free, view: known };
    }
    const takenBefore = new Set(taken);
    const ahead = known && !known.whole ? Math.max(LEAST_AHEAD, served.length * TURNS_AHEAD) : 0;
    const limit = served.length + takenBefore.size + ahead;
    const view = views.open(key, wish, dispatch);
    const oldest = await oldestWaiting(scope, wish, { now: clock(), limit });
    view.seen(oldest, oldest.length < limit);
    // What was taken when the query began may have been claimed since: the answer may be older than that.
    return { free: view.jobs.filter(({ _id }) => !taken.has(_id) && !takenBefore.has(_id)), view };
  }

  async function matched(line: Line, served: Waiting[], busy: ReadonlySet<string>): Promise<Part | null> {
    const [asking] = served;
    if (!asking) return null;
    const { free, view } = await waitingFor(line, served, asking.by);
    const matches: Match[] = [];
    const later: Waiting[] = [];
    for (const waiting of served) {
      const { by, give } = waiting;
      const [job] = free;
      if (!job || by.request.signal.aborted) give(null);
      // nobody is handed a younger job than one that waits for its document: the rest is served with the next turn
      else if (later.length || busy.has(job.documentId)) later.push(waiting);
      else matches.push({ waiting, by, job: free.shift() ?? job });
    }
    line.claims.unshift(...later);
    view.keep(free);
    return handingOut(matches, line.wish);
  }

  function handingOut(matches: Match[], wish: Wanted): Part | null {
    const [first] = matches;
    if (!first) return null;
    for (const { job } of matches) taken.add(job._id);
    const ended = () => {
      for (const { job } of matches) taken.delete(job._id);
      views.without(new Set(matches.map(({ job }) => job._id)));
    };
    const waited = matches.flatMap(({ by }) => (by.hasWaited ? by.request.actor : []));
    return {
      services: first.by.services,
      // Whoever claims again wants the next job: a key of one of them must not hand out the jobs of all of them again.
      request: { ...first.by.request, once: undefined, seen: undefined },
      name: takeJobs.name,
      writes: matches.map(({ job }) => job.documentId),
      act: (work) => {
        if (waited.length) work.meanwhile(() => stillGood(scope, waited, work.now));
        return takeJobs(work, matches);
      },
      done: (answer) => {
        ended();
        const jobs = answer as JobRecord[];
        for (const [n, { waiting }] of matches.entries()) waiting.give(jobs[n] ?? null);
      },
      fail: (error) => {
        ended();
        views.clear();
        const again: Waiting[] = [];
        for (const { waiting } of matches) {
          if (error instanceof EndedMeanwhile && error.ended.has(waiting.by.request.actor)) waiting.fail(revoked());
          else if (error instanceof EndedMeanwhile) again.push(waiting);
          else if (!(error instanceof JobsChanged)) waiting.fail(error);
          else if (++waiting.tries === TRIES) waiting.give(null);
          else again.push(waiting);
        }
        if (!again.length) return;
        const line = lineOf(wish);
        line.claims.unshift(...again);
        turns(line);
      },
    };
  }

  return {
    take: (wish, by) =>
      new Promise((give, fail) => {
        const line = lineOf(wish);
        line.claims.push({ by, tries: 0, give, fail });
        turns(line);
      }),
  };
}

/** Claims whose token or user was ended while they waited. */
class EndedMeanwhile extends Error {
  override readonly name = 'EndedMeanwhile';
  readonly ended: ReadonlySet<Actor>;
  constructor(ended: ReadonlySet<Actor>) {
    super('a claim lost its right while it waited');
    this.ended = ended;
  }
}

async function stillGood(scope: Scope, waited: readonly Actor[], now: Date): Promise<void> {
  const ended = await endedMeanwhile(scope, waited, now);
  if (ended.size) throw new EndedMeanwhile(ended);
}

// A request whose answer is kept under a key has a transaction of its own, which keeps it.
function nextTogether(waiting: Waiting[], most: number): Waiting[] {
  const alone = waiting.findIndex(({ by }) => by.request.once || by.request.seen);
  return waiting.splice(0, alone === 0 ? 1 : Math.min(most, MOST_TOGETHER, alone < 0 ? waiting.length : alone));
}
