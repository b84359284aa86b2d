// Reads many index ranges with few cursors.
import type { Entry, RangeOptions, View } from '../storage/view.ts';

type Range = readonly [low: Buffer, high: Buffer];

const MAX_SKIPPED = 16;

/**
 * Yields the entries of many ranges, which must be ordered and disjoint. Positioning a cursor costs as much as several
 * steps: few entries between two ranges are skipped instead, and the next entry may show that ranges are empty. So a list
 * of close values takes one cursor. Yields null when others are `shouldPause` and nothing is found.
 */
export function* walkRanges(
  view: Pick<View, 'range'>,
  ranges: readonly Range[],
  options: RangeOptions,
  shouldPause: () => boolean = () => false,
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
  let patience = MAX_SKIPPED;
  for (let next = inTurn[0]; next; ) {
    const rest = reverse ? view.range(first[0], next[1], options) : view.range(next[0], last[1], options);
    next = undefined;
    if (shouldPause()) yield null;
    let passed = 0;
    for (const entry of rest) {
      let range = inTurn[at];
      while (range && isPast(range, entry.key)) range = inTurn[++at];
      if (!range) return;
      if (isReached(range, entry.key)) {
        if (passed) patience = Math.min(MAX_SKIPPED, patience * 2);
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
