import { ABORT, type RootDatabase } from 'lmdb';

/** A commit on the loop costs no thread its turn, but everybody waits for as long as the disk takes. */
const QUICK_MS = 4;
const SLOW_FOR_MS = 1_000;
/** The writes of one commit hold the loop together: what has not begun by then goes into the next. */
const TURN_MS = 5;

export type Commits = {
  /** Runs `work` in a write transaction of the environment; answers when it is on disk. What it throws undoes it alone; `CommitFailed` when the disk did not take it. */
  run<T>(work: () => T): Promise<T>;
  /** How many commits were made. */
  made(): number;
};

/** The commit did not happen, whatever the work did. */
export class CommitFailed extends Error {}

/**
 * Group commit: all that comes in one turn of the loop, or while a commit is under way, becomes one commit with one sync. It is made on the loop while the disk
 * usually takes it within four milliseconds, else in a thread, so that others are answered meanwhile; once a second it is tried whether the disk is quick again. `onFailed` is called
 * before anybody hears of it: what is known of the data may no longer be true.
 */
export function openCommits(environment: RootDatabase<Buffer, Buffer>, onFailed: () => void): Commits {
  let waiting: Waiting[] = [];
  let busy = false;
  let made = 0;
  let usual = 0;
  let slowUntil = 0;
  // After a commit that failed it is for the thread to find out whether the environment still works: on the loop LMDB does not look.
  let failed = false;

  async function commitNext(): Promise<void> {
    const turn = waiting;
    waiting = [];
    let failure: CommitFailed | undefined;
    try {
      if (failed || performance.now() < slowUntil) await environment.transaction(() => runSome(turn));
      else commitOnLoop(turn);
      made++;
      failed = false;
    } catch (cause) {
      failed = true;
      failure = new CommitFailed('a commit failed', { cause });
    }
    const over = failure ? turn.length : turn.filter(({ begun }) => begun).length;
    waiting = [...turn.slice(over), ...waiting];
    busy = waiting.length > 0;
    if (busy) setImmediate(commitNext);
    for (const one of turn.slice(0, over)) one.settle(failure);
    if (failure) onFailed();
  }

  function commitOnLoop(turn: Waiting[]): void {
    const [only] = turn;
    let done = 0;
    const ended = environment.transactionSync(() => {
      if (only && turn.length === 1) only.begin((work) => work());
      else runSome(turn);
      done = performance.now();
      // One that is alone is undone with the whole.
      return turn.length === 1 && only?.refused ? ABORT : undefined;
    });
    if (ended === ABORT) return;
    const now = performance.now();
    usual += (now - done - usual) / 8;
    if (usual < QUICK_MS) return;
    slowUntil = now + SLOW_FOR_MS;
    usual = QUICK_MS;
  }

  // Each is a transaction inside the transaction, which it undoes alone.
  function runSome(turn: Waiting[]): void {
    const until = performance.now() + TURN_MS;
    for (const one of turn) {
      one.begin((work) => environment.transactionSync(work));
      if (performance.now() > until) return;
    }
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(waitingFor(work, resolve, reject));
        if (!busy) setImmediate(commitNext);
        busy = true;
      }),
    made: () => made,
  };
}

type Waiting = { begun: boolean; refused: boolean; begin(inside: (work: () => void) => void): void; settle(failure: CommitFailed | undefined): void };

function waitingFor<T>(work: () => T, resolve: (result: T) => void, reject: (why: unknown) => void): Waiting {
  let end: (() => void) | undefined;
  return {
    begun: false,
    refused: false,
    begin(inside) {
      this.begun = true;
      try {
        inside(() => {
          try {
            const result = work();
            end = () => resolve(result);
          } catch (why) {
            this.refused = true;
            end = () => reject(why);
            throw why;
          }
        });
      } catch (cause) {
        if (!this.refused) end = () => reject(new CommitFailed('a transaction inside a commit failed', { cause }));
      }
    },
    settle(failure) {
      if (failure && !this.refused) reject(failure);
      else end?.();
    },
  };
}
