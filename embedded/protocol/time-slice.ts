// Divides the work of a command into time slices and limits its total time.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { storeError } from './errors.ts';

const SLICE_MS = 5;

/** The time slices of one command (5 ms unless changed) and its time limit, `maxTimeMS`. */
export type TimeSlice = {
  /** Whether the slice is used up. Throws MaxTimeMSExpired (50) when the time limit has passed. */
  shouldPause(): boolean;
  /** Lets other connections run, then starts a new slice. */
  pause(): Promise<void>;
  /** Starts a slice of another length. */
  restart(milliseconds: number): void;
  /** Stops the time limit while a cursor waits for its client; `resume` continues it and starts a new slice. */
  suspend(): void;
  resume(): void;
};

export function startTimeSlice(maxTimeMs = 0): TimeSlice {
  let remainingMs = maxTimeMs > 0 ? maxTimeMs : Number.POSITIVE_INFINITY;
  let deadline = performance.now() + remainingMs;
  let sliceEnd = performance.now() + SLICE_MS;
  return {
    shouldPause() {
      const now = performance.now();
      if (now > deadline) throw storeError(50, 'operation exceeded time limit');
      return now > sliceEnd;
    },
    async pause() {
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    },
    restart(milliseconds) {
      sliceEnd = performance.now() + milliseconds;
    },
    suspend() {
      remainingMs = deadline - performance.now();
    },
    resume() {
      deadline = performance.now() + remainingMs;
      sliceEnd = performance.now() + SLICE_MS;
    },
  };
}
