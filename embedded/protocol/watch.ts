import { setImmediate as nextTurn } from 'node:timers/promises';
import { storeError } from './errors.ts';

const SLICE_MS = 5;

/** Looks at the clock for one command: slices of 5 ms, and the end that `maxTimeMS` sets to the time it works. */
export type Watch = {
  /** Is the slice used up? Throws 50 when the time limit has passed. */
  due(): boolean;
  /** Lets the other connections run, then starts a new slice. */
  pause(): Promise<void>;
  /** Starts a slice of another length, here and now. */
  slice(milliseconds: number): void;
  /** Stops and restarts the clock of the time limit: a cursor that waits for its client uses none of it. */
  rest(): void;
  resume(): void;
};

export function startWatch(maxTimeMs = 0): Watch {
  let left = maxTimeMs > 0 ? maxTimeMs : Number.POSITIVE_INFINITY;
  let deadline = performance.now() + left;
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
    slice(milliseconds) {
      sliceEnd = performance.now() + milliseconds;
    },
    rest() {
      left = deadline - performance.now();
    },
    resume() {
      deadline = performance.now() + left;
      sliceEnd = performance.now() + SLICE_MS;
    },
  };
}
