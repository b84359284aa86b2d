// Group commit: combines queued writes into one commit with one sync.

/** How long the writes of one commit may occupy the event loop; later ones go into the next commit. */
const TURN_MS = 5;

export type Commits = {
  /**
   * Runs `work` exclusively and resolves when its writes are on disk. If `work` throws, only its writes are undone.
   * Throws `CommitFailed` on disk errors.
   */
  run<T>(work: () => T): Promise<T>;
  /** Runs `action` between two commits. */
  runBetweenCommits(action: () => Promise<void> | undefined): Promise<void>;
};

/** The commit failed and its writes were undone, whether or not `work` succeeded. */
export class CommitFailed extends Error {}

/** The operations on the pending commit. */
export type PendingCommit = {
  /** Returns a savepoint in the pending commit. */
  savepoint(): number;
  rollBackTo(savepoint: number): void;
  /** Writes the pending commit to disk. It is durable on return, or when the promise resolves. */
  persist(): Promise<void> | undefined;
  /** Called after a failed commit, before its callers see the error: state derived from the data may be wrong. */
  onFailed(): void;
};

/**
 * Opens the queue. All writes of one turn of the event loop, or queued during a commit, form one commit with one sync.
 */
export function openCommits({ savepoint, rollBackTo, persist, onFailed }: PendingCommit): Commits {
  let waiting: QueuedWrite[] = [];
  const actions: (() => Promise<void>)[] = [];
  let busy = false;

  async function next(): Promise<void> {
    const action = actions.shift();
    await (action ? action() : commit());
    busy = waiting.length > 0 || actions.length > 0;
    if (busy) setImmediate(next);
  }

  async function commit(): Promise<void> {
    const batch = waiting;
    waiting = [];
    let started = 0;
    let failure: CommitFailed | undefined;
    const until = performance.now() + TURN_MS;
    while (started < batch.length && (started === 0 || performance.now() < until)) start(batch[started++]!);
    waiting = [...batch.slice(started), ...waiting];
    try {
      const synced = persist();
      if (synced) await synced;
    } catch (cause) {
      rollBackTo(0);
      failure = new CommitFailed('a commit failed', { cause });
    }
    for (const write of batch.slice(0, started)) write.settle(failure);
    if (failure) onFailed();
  }

  function start(write: QueuedWrite): void {
    const before = savepoint();
    if (!write.start()) rollBackTo(before);
  }

  function schedule(): void {
    if (!busy) setImmediate(next);
    busy = true;
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(createQueuedWrite(work, resolve, reject));
        schedule();
      }),
    runBetweenCommits: (action) =>
      new Promise((resolve, reject) => {
        actions.push(async () => {
          try {
            await action();
            resolve();
          } catch (error) {
            reject(error);
          }
        });
        schedule();
      }),
  };
}

type QueuedWrite = {
  /** Runs the work. Returns false if it threw. */
  start(): boolean;
  settle(failure: CommitFailed | undefined): void;
};

function createQueuedWrite<T>(
  work: () => T,
  resolve: (result: T) => void,
  reject: (error: unknown) => void,
): QueuedWrite {
  let settleOwn: () => void;
  let failed = false;
  return {
    start() {
      try {
        const result = work();
        settleOwn = () => resolve(result);
      } catch (error) {
        failed = true;
        settleOwn = () => reject(error);
      }
      return !failed;
    },
    settle(failure) {
      if (failure && !failed) reject(failure);
      else settleOwn();
    },
  };
}
