import type { Write } from './merge.ts';
import { sortedKeys } from './sorted-keys.ts';

/**
 * What was committed since the data file was written last (the memtable of a log-structured store). A key keeps all its versions, each with the number of
 * its commit, so that a snapshot goes on seeing the state of its moment.
 */
export type Memtable = {
  /** How many keys were written. */
  keys(): number;
  /** What was written to this key up to this commit; undefined where nothing was. */
  find(key: Buffer, commit: number): Version | undefined;
  named(name: string, commit: number): Version | undefined;
  /** The names of the keys with low ≤ key < high, in order; some may have nothing for an older commit. */
  between(low: Buffer, high: Buffer): string[];
  write(key: Buffer, value: Buffer | null, commit: number): Version;
  /** Takes the newest version of a key away again. */
  takeBack(version: Version): void;
  /** The newest version of each key, in the order of the keys. */
  newest(): Iterable<Version>;
};

/** What a commit wrote to a key. */
export type Version = Write & { readonly name: string; readonly commit: number; readonly before: Version | undefined };

export function createMemtable(): Memtable {
  // A name stays in order also where its only version was taken back.
  const versions = new Map<string, Version | undefined>();
  const order = sortedKeys();

  function named(name: string, commit: number): Version | undefined {
    let version = versions.get(name);
    while (version && version.commit > commit) version = version.before;
    return version;
  }

  return {
    keys: () => versions.size,
    find: (key, commit) => (versions.size === 0 ? undefined : named(key.toString('latin1'), commit)),
    named,
    between: (low, high) => (versions.size === 0 ? [] : order.between(low.toString('latin1'), high.toString('latin1'))),
    write(key, value, commit) {
      const name = key.toString('latin1');
      const before = versions.get(name);
      if (!before && !versions.has(name)) order.add(name);
      const version = { key, value, name, commit, before };
      versions.set(name, version);
      return version;
    },
    takeBack: ({ name, before }) => void versions.set(name, before),
    *newest() {
      for (const name of order.all()) {
        const version = versions.get(name);
        if (version) yield version;
      }
    },
  };
}
