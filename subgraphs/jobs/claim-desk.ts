import type { Context } from '../core/graphql.ts';
import { type Part, type Queue, sharedTurns, type Turns } from '../core/shared-turns.ts';
import type { JobRecord } from '../core/store/collections.ts';
import { oldestWaiting, type Wanted } from '../core/store/job-queue.ts';
import { JobsChanged } from '../core/store/jobs.ts';
import type { Scope } from '../core/store/scope.ts';
import { endedMeanwhile } from '../core/store/tokens.ts';
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
/** What a look found beyond what was asked for, until it is told that something came or `AHEAD_MILLISECONDS` have passed. */
type Ahead = { jobs: JobRecord[]; stale: boolean };

const MOST_TOGETHER = 64;
// Claims of other processes that were faster that often in a row: then this one comes again with its next look.
const TRIES = 5;
// Of a queue that is known to be longer, so many are read for the next claims as well.
const LEAST_AHEAD = 16;
const TURNS_AHEAD = 3;
const AHEAD_MILLISECONDS = 100;

/**
 * Claims that arrive while others are served share the next query and the next transaction, and each gets a job of its own: a transaction for each would
 * spend most of its time on what they can share, and claimers that all went for the one oldest job on write conflicts. The transaction decides, also
 * between processes: where another was faster, those who got nothing are served again. Of a long queue some are read ahead. `turns` lets it share transactions with others that write the same records.
 */
export function claimDesk(scope: Scope, clock: () => Date, turns: Turns = sharedTurns()): ClaimDesk {
  const lines = new Map<string, Line>();
  const taken = new Set<string>();
  const ahead = new Map<string, Ahead>();

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

  // A job that comes or comes back may be older than those ahead.
  function watched({ types }: Wanted, { services: { dispatch } }: Claimant): Ahead {
    const fresh: Ahead = { jobs: [], stale: false };
    const end = () => {
      fresh.stale = true;
      for (const [key, known] of ahead) if (known === fresh) ahead.delete(key);
    };
    void dispatch.heard(types, AHEAD_MILLISECONDS).then(end);
    return fresh;
  }

  async function matched(line: Line, served: Waiting[], busy: ReadonlySet<string>): Promise<Part | null> {
    const { key, wish } = line;
    const [asking] = served;
    if (!asking) return null;
    const takenBefore = new Set(taken);
    const now = clock();
    const actors = served.flatMap(({ by }) => (by.hasWaited ? by.request.actor : []));
    const look = () => (actors.length ? endedMeanwhile(scope, actors, now) : Promise.resolve(new Set()));
    const known = ahead.get(key);
    const enough = known !== undefined && known.jobs.filter(({ _id }) => !taken.has(_id)).length >= served.length;
    const seen = enough ? known : known ? watched(wish, asking.by) : { jobs: [], stale: false };
    const limit = served.length + takenBefore.size + (known ? Math.max(LEAST_AHEAD, served.length * TURNS_AHEAD) : 0);
    const looking = enough ? known.jobs : oldestWaiting(scope, wish, { now, limit });
    const hurried = served.some(({ by }) => by.hurry) ? look() : null;
    const [oldest] = await Promise.all([looking, hurried]);
    if (!oldest.length) {
      for (const { give } of served) give(null);
      return null;
    }
    const ended = await (hurried ?? look());
    // What was taken when the query began may have been claimed since: the answer may be older than that.
    const free = oldest.filter(({ _id }) => !taken.has(_id) && !takenBefore.has(_id));
    const later: Waiting[] = [];
    const matches = served.flatMap((waiting) => {
      const { by, give, fail } = waiting;
      if (by.request.signal.aborted) return give(null) ?? [];
      // nobody is handed a younger job than one that waits for its document: the rest is served with the next turn
      if (free[0] && busy.has(free[0].documentId)) {
        later.push(waiting);
        return [];
      }
      const job = free.shift();
      if (!job) return give(null) ?? [];
      if (!ended.has(by.request.actor)) return [{ waiting, job, by }];
      free.unshift(job);
      return fail(revoked()) ?? [];
    });
    line.claims.unshift(...later);
    // a look that came back full: there is more, which the next one reads ahead
    seen.jobs = known ? free : [];
    if (!seen.stale && (enough || oldest.length === limit)) ahead.set(key, seen);
    else ahead.delete(key);

    return handingOut(matches, wish, seen);
  }

  function handingOut(matches: Match[], wish: Wanted, seen: Ahead): Part | null {
    const [first] = matches;
    if (!first) return null;
    for (const { job } of matches) taken.add(job._id);
    const ended = () => {
      for (const { job } of matches) taken.delete(job._id);
      const handedOut = new Set(matches.map(({ job }) => job._id));
      for (const other of ahead.values()) if (other !== seen) other.jobs = other.jobs.filter(({ _id }) => !handedOut.has(_id));
    };
    return {
      services: first.by.services,
      // Whoever claims again wants the next job: a key of one of them must not hand out the jobs of all of them again.
      request: { ...first.by.request, once: undefined, seen: undefined },
      name: takeJobs.name,
      writes: matches.map(({ job }) => job.documentId),
      act: (work) => takeJobs(work, matches),
      done: (answer) => {
        ended();
        const jobs = answer as JobRecord[];
        for (const [n, { waiting }] of matches.entries()) waiting.give(jobs[n] ?? null);
      },
      fail: (error) => {
        ended();
        ahead.clear();
        const again: Waiting[] = [];
        for (const { waiting } of matches) {
          waiting.tries += 1;
          if (!(error instanceof JobsChanged)) waiting.fail(error);
          else if (waiting.tries === TRIES) waiting.give(null);
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

// A request whose answer is kept under a key has a transaction of its own, which keeps it.
function nextTogether(waiting: Waiting[], most: number): Waiting[] {
  const alone = waiting.findIndex(({ by }) => by.request.once || by.request.seen);
  return waiting.splice(0, alone === 0 ? 1 : Math.min(most, MOST_TOGETHER, alone < 0 ? waiting.length : alone));
}
