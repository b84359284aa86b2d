import { startWatch } from '../protocol/watch.ts';

// As many comparisons as take a millisecond, also under a collation.
const RUN = 256;

/** Sorts, equal ones in the order they came; it yields null whenever it is due to let others run, and ends with the items in order. */
export function* mergeSort<T>(
  items: T[],
  compare: (left: T, right: T) => number,
  due: () => boolean,
): Generator<null, T[]> {
  // Bottom-up, so that it can stop between any two merged items.
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    if (due()) yield null;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeRuns(runs[at]!, runs[at + 1] ?? [], compare, due));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Does in one go what could be interrupted. */
export function atOnce<T>(steps: Generator<null, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** The same for who may wait: others run every few milliseconds. */
export async function sortPaced<T>(items: T[], compare: (left: T, right: T) => number): Promise<T[]> {
  const watch = startWatch();
  const sorting = mergeSort(items, compare, watch.due);
  let step = sorting.next();
  for (; !step.done; step = sorting.next()) await watch.pause();
  return step.value;
}

function* mergeRuns<T>(
  left: T[],
  right: T[],
  compare: (left: T, right: T) => number,
  due: () => boolean,
): Generator<null, T[]> {
  const merged: T[] = [];
  let one = 0;
  let other = 0;
  while (one < left.length && other < right.length) {
    merged.push(compare(left[one]!, right[other]!) <= 0 ? left[one++]! : right[other++]!);
    if ((merged.length & 255) === 0 && due()) yield null;
  }
  return merged.concat(left.slice(one), right.slice(other));
}
