/** Whether something that is done on the loop has become too slow for it. */
export type Pace = {
  isSlow(): boolean;
  /** It was done on the loop and took so long (ms). */
  took(ms: number): void;
};

const SLOW_FOR_MS = 1_000;

/** Slow is what usually takes longer than `limit` ms; once a second it is tried whether it is quick again. */
export function createPace(limit: number): Pace {
  let usual = 0;
  let slowUntil = 0;
  return {
    isSlow: () => performance.now() < slowUntil,
    took(ms) {
      usual += (ms - usual) / 8;
      if (usual < limit) return;
      slowUntil = performance.now() + SLOW_FOR_MS;
      usual = limit;
    },
  };
}
