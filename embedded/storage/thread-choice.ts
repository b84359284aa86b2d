// Decides whether an operation runs on the main thread or in a worker thread.

/** The measured duration of an operation such as a sync. */
export type ThreadChoice = {
  /** Whether the operation is too slow for the main thread. */
  isSlow(): boolean;
  /** Records a duration on the main thread in milliseconds. */
  recordMainThread(ms: number): void;
  /** Records a duration in a worker thread in milliseconds, including the delay until the event loop continued. */
  recordWorkerThread(ms: number): void;
};

const SLOW_FOR_MS = 1_000;

/**
 * An operation is slow if it usually takes longer than `limit` ms. It stays slow for at least a second, and for further
 * seconds until a run in the worker thread takes less than the limit.
 */
export function createThreadChoice(limit: number): ThreadChoice {
  let average = 0;
  let slowUntil = 0;
  let fastest = 0;

  function slowDown(): void {
    slowUntil = performance.now() + SLOW_FOR_MS;
    fastest = Number.POSITIVE_INFINITY;
  }

  return {
    isSlow() {
      if (performance.now() >= slowUntil && fastest >= limit) slowDown();
      return performance.now() < slowUntil;
    },
    recordMainThread(ms) {
      average += (ms - average) / 8;
      if (average < limit) return;
      slowDown();
      average = limit;
    },
    recordWorkerThread(ms) {
      fastest = Math.min(fastest, ms);
    },
  };
}
