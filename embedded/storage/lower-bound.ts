/** The first place below `count` from which on this is true, by halves; `count` where it never is. */
export function lowerBound(count: number, isSo: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
