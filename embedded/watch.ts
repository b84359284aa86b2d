import { setImmediate as nextTurn } from 'node:timers/promises';
import { storeError } from './errors.ts';

const SLICE_MS = 5;

/** Looks at the clock for one command: slices of 5 ms, and the end that `maxTimeMS` or a kill sets. */
export type Watch = {
  /** Is the slice used up? Throws 50 when the time limit has passed. */
  due(): boolean;
  /** Lets the other connections run, then starts a new slice. */
  pause(): Promise<void>;
};

export function startWatch(maxTimeMs = 0): Watch {
  const deadline = maxTimeMs > 0 ? performance.now() + maxTimeMs : Number.POSITIVE_INFINITY;
  let sliceEnd = performance.now() + SLICE_MS;
  return {
    due() {
      const now = performance.now();
      if (now > deadline) throw storeError(50, 'operation exceeded time limit');
      return now > sliceEnd;
    },
    async pause() {
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    },
  };
}
