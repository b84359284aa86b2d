// Merges stored entries with newer writes.

import type { Entry, RangeOptions } from './view.ts';

/** A write to a key: the new value, or null if the key was removed. */
export type Write = { key: Buffer; value: Buffer | null };

const EMPTY = Buffer.alloc(0);

/**
 * Returns the entries of `base` with newer writes applied, in key order. `names` are the written keys in ascending
 * order when the range starts; `writeOf` is called when the iteration reaches a key.
 */
export function* mergeWrites(
  base: Iterable<Entry>,
  names: string[],
  writeOf: (name: string) => Write | undefined,
  { reverse = false, keysOnly = false }: RangeOptions = {},
): Iterable<Entry> {
  if (reverse) names.reverse();
  let next = 0;
  const entryOf = (key: Buffer, value: Buffer): Entry => ({ key, value: keysOnly ? EMPTY : value });
  function* writesBefore(name: string | undefined): Iterable<Entry> {
    for (let candidate = names[next]; candidate !== undefined; candidate = names[++next]) {
      if (name !== undefined && (reverse ? candidate <= name : candidate >= name)) return;
      const write = writeOf(candidate);
      if (write?.value) yield entryOf(write.key, write.value);
    }
  }
  for (const entry of base) {
    const name = entry.key.toString('latin1');
    yield* writesBefore(name);
    if (names[next] === name) next++;
    const write = writeOf(name);
    if (!write) yield entry;
    else if (write.value) yield entryOf(entry.key, write.value);
  }
  yield* writesBefore(undefined);
}
