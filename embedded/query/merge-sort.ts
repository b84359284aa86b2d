// A stable merge sort with pauses.
import type { TimeSlice } from '../protocol/time-slice.ts';

// About a millisecond of comparisons, even under a collation.
const RUN_LENGTH = 256;

/** Sorts stably. Yields null when it should pause and returns the sorted items. */
export function* mergeSort<T>(
  items: T[],
  compare: (left: T, right: T) => number,
  shouldPause: () => boolean,
): Generator<null, T[]> {
  // Bottom-up, so that it can pause between any two merged items.
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN_LENGTH) {
    runs.push(items.slice(at, at + RUN_LENGTH).sort(compare));
    if (shouldPause()) yield null;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeRuns(runs[at]!, runs[at + 1] ?? [], compare, shouldPause));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Runs a generator without pausing. */
export function runWithoutPauses<T>(steps: Generator<null, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Runs a generator and lets other connections run whenever it pauses. */
export async function runPaused<T>(steps: Generator<null, T>, timeSlice: TimeSlice): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await timeSlice.pause();
  }
}

function* mergeRuns<T>(
  left: T[],
  right: T[],
  compare: (left: T, right: T) => number,
  shouldPause: () => boolean,
): Generator<null, T[]> {
  const merged: T[] = [];
  let leftAt = 0;
  let rightAt = 0;
  while (leftAt < left.length && rightAt < right.length) {
    merged.push(compare(left[leftAt]!, right[rightAt]!) <= 0 ? left[leftAt++]! : right[rightAt++]!);
    if ((merged.length & 255) === 0 && shouldPause()) yield null;
  }
  return merged.concat(left.slice(leftAt), right.slice(rightAt));
}
