/** The writes of one commit hold the loop together: what has not begun by then goes into the next. */
const TURN_MS = 5;

export type Commits = {
  /** Runs `work` alone; answers when what it wrote is on disk. What it throws undoes it alone; `CommitFailed` when the disk did not take it. */
  run<T>(work: () => T): Promise<T>;
  /** Does something else between two commits. */
  between(deed: () => Promise<void> | undefined): Promise<void>;
};

/** The commit did not happen, whatever the work did. */
export class CommitFailed extends Error {}

/** What a commit is made of. */
export type Writing = {
  /** A place in what the turn has written so far, to go back to. */
  place(): number;
  takeBack(place: number): void;
  /** Has what the turn wrote on disk, at once or when the promise is kept. */
  persist(): Promise<void> | undefined;
  /** What is known of the data may no longer be true; called before anybody hears of it. */
  onFailed(): void;
};

/** Group commit: all that comes in one turn of the loop, or while a commit is under way, becomes one commit with one sync. */
export function openCommits({ place, takeBack, persist, onFailed }: Writing): Commits {
  let waiting: Waiting[] = [];
  const deeds: (() => Promise<void>)[] = [];
  let busy = false;

  async function next(): Promise<void> {
    const deed = deeds.shift();
    await (deed ? deed() : commit());
    busy = waiting.length > 0 || deeds.length > 0;
    if (busy) setImmediate(next);
  }

  async function commit(): Promise<void> {
    const turn = waiting;
    waiting = [];
    let begun = 0;
    let failure: CommitFailed | undefined;
    const until = performance.now() + TURN_MS;
    while (begun < turn.length && (begun === 0 || performance.now() < until)) begin(turn[begun++]!);
    waiting = [...turn.slice(begun), ...waiting];
    try {
      const later = persist();
      if (later) await later;
    } catch (cause) {
      takeBack(0);
      failure = new CommitFailed('a commit failed', { cause });
    }
    for (const one of turn.slice(0, begun)) one.settle(failure);
    if (failure) onFailed();
  }

  function begin(one: Waiting): void {
    const before = place();
    if (!one.begin()) takeBack(before);
  }

  function soon(): void {
    if (!busy) setImmediate(next);
    busy = true;
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(waitingFor(work, resolve, reject));
        soon();
      }),
    between: (deed) =>
      new Promise((resolve, reject) => {
        deeds.push(async () => {
          try {
            await deed();
            resolve();
          } catch (error) {
            reject(error);
          }
        });
        soon();
      }),
  };
}

type Waiting = {
  /** False when the work was refused. */
  begin(): boolean;
  settle(failure: CommitFailed | undefined): void;
};

function waitingFor<T>(work: () => T, resolve: (result: T) => void, reject: (why: unknown) => void): Waiting {
  let end: () => void;
  let refused = false;
  return {
    begin() {
      try {
        const result = work();
        end = () => resolve(result);
      } catch (why) {
        refused = true;
        end = () => reject(why);
      }
      return !refused;
    },
    settle(failure) {
      if (failure && !refused) reject(failure);
      else end();
    },
  };
}
