// Reads many index ranges with few cursors.
import type { Entry, RangeOptions, View } from '../storage/view.ts';

type Range = readonly [low: Buffer, high: Buffer];

const MAX_SKIPPED = 16;

/**
 * Yields the entries of many ranges, which must be ordered and disjoint. Positioning a cursor costs as much as several
 * steps, so up to 16 entries between two ranges are skipped instead. The next entry may also show that ranges are
 * empty. A list of close values therefore needs only one cursor. Yields null to pause when a cursor was positioned.
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
  const ordered = reverse ? ranges.toReversed() : ranges;
  let at = 0;
  let maxSkipped = MAX_SKIPPED;
  for (let next = ordered[0]; next; ) {
    const entries = reverse ? view.range(first[0], next[1], options) : view.range(next[0], last[1], options);
    next = undefined;
    if (shouldPause()) yield null;
    let skipped = 0;
    for (const entry of entries) {
      let range = ordered[at];
      while (range && isPast(range, entry.key)) range = ordered[++at];
      if (!range) return;
      if (isReached(range, entry.key)) {
        if (skipped) maxSkipped = Math.min(MAX_SKIPPED, maxSkipped * 2);
        skipped = 0;
        yield entry;
      } else if (++skipped > maxSkipped) {
        maxSkipped = Math.max(1, maxSkipped >> 1);
        next = range;
        break;
      }
    }
  }
}
