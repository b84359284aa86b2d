// Binary search.

/** The first index below `count` at which a monotonic predicate is true; `count` if there is none. */
export function lowerBound(count: number, isTrueAt: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrueAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
