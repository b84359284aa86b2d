import type { Entry, RangeOptions, View } from '../storage/view.ts';

type Range = readonly [low: Buffer, high: Buffer];

const MOST_PASSED = 16;

/**
 * The entries of many ranges, which lie in order and do not overlap. To place a cursor costs as much as some steps of it: what lies between two ranges is
 * passed over while it is little, and ranges that the next entry shows to be empty are not looked for. So a list of values that stand close together is one walk.
 * It yields null whenever others are due while nothing is found.
 */
export function* walkRanges(
  view: Pick<View, 'range'>,
  ranges: readonly Range[],
  options: RangeOptions,
  due: () => boolean = () => false,
): Iterable<Entry | null> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) return;
  if (first === last) {
    yield* view.range(...first, options);
    return;
  }
  const { reverse = false } = options;
  const isPast = ([low, high]: Range, key: Buffer) =>
    reverse ? Buffer.compare(low, key) > 0 : Buffer.compare(high, key) <= 0;
  const isReached = ([low, high]: Range, key: Buffer) =>
    reverse ? Buffer.compare(key, high) < 0 : Buffer.compare(low, key) <= 0;
  const inTurn = reverse ? ranges.toReversed() : ranges;
  let at = 0;
  let patience = MOST_PASSED;
  for (let next = inTurn[0]; next; ) {
    const rest = reverse ? view.range(first[0], next[1], options) : view.range(next[0], last[1], options);
    next = undefined;
    if (due()) yield null;
    let passed = 0;
    for (const entry of rest) {
      let range = inTurn[at];
      while (range && isPast(range, entry.key)) range = inTurn[++at];
      if (!range) return;
      if (isReached(range, entry.key)) {
        if (passed) patience = Math.min(MOST_PASSED, patience * 2);
        passed = 0;
        yield entry;
      } else if (++passed > patience) {
        patience = Math.max(1, patience >> 1);
        next = range;
        break;
      }
    }
  }
}
