/** Whether something that is done on the loop has become too slow for it, and is done in a thread instead. */
export type Pace = {
  isSlow(): boolean;
  /** It was done on the loop and took so long (ms). */
  took(ms: number): void;
  /** It was done in a thread and took so long (ms), with what the loop took to hear of it. */
  tookInThread(ms: number): void;
};

const SLOW_FOR_MS = 1_000;

/** Slow is what usually takes longer than `limit` ms. It stays so for a second, and for another while it was never quick in the thread. */
export function createPace(limit: number): Pace {
  let usual = 0;
  let slowUntil = 0;
  let quickest = 0;

  function slowDown(): void {
    slowUntil = performance.now() + SLOW_FOR_MS;
    quickest = Number.POSITIVE_INFINITY;
  }

  return {
    isSlow() {
      if (performance.now() >= slowUntil && quickest >= limit) slowDown();
      return performance.now() < slowUntil;
    },
    took(ms) {
      usual += (ms - usual) / 8;
      if (usual < limit) return;
      slowDown();
      usual = limit;
    },
    tookInThread(ms) {
      quickest = Math.min(quickest, ms);
    },
  };
}
