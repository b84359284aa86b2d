import type { Entry, RangeOptions } from './view.ts';

/** What was written to a key: its new value, or null where it was removed. A key is named by its bytes as a latin1 string. */
export type Write = { key: Buffer; value: Buffer | null };

const NOTHING = Buffer.alloc(0);

/**
 * Entries and what was written over them in one order. `names`, in order, are the keys written when the range began; what was written is asked for as
 * each is met.
 */
export function* merged(
  base: Iterable<Entry>,
  names: string[],
  writeOf: (name: string) => Write | undefined,
  { reverse = false, keysOnly = false }: RangeOptions = {},
): Iterable<Entry> {
  if (reverse) names.reverse();
  let next = 0;
  const entryOf = (key: Buffer, value: Buffer): Entry => ({ key, value: keysOnly ? NOTHING : value });
  function* writtenBefore(name: string | undefined): Iterable<Entry> {
    for (let candidate = names[next]; candidate !== undefined; candidate = names[++next]) {
      if (name !== undefined && (reverse ? candidate <= name : candidate >= name)) return;
      const write = writeOf(candidate);
      if (write?.value) yield entryOf(write.key, write.value);
    }
  }
  for (const entry of base) {
    const name = entry.key.toString('latin1');
    yield* writtenBefore(name);
    if (names[next] === name) next++;
    const write = writeOf(name);
    if (!write) yield entry;
    else if (write.value) yield entryOf(entry.key, write.value);
  }
  yield* writtenBefore(undefined);
}
