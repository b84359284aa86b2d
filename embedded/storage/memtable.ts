// The recent commits in memory, as in a log-structured merge tree.

import type { Write } from './merge.ts';
import { createSortedKeys } from './sorted-keys.ts';

/**
 * The commits since the last flush to the data file. Each key keeps all its versions, each with the number of its
 * commit, so that a snapshot keeps reading the state at its creation. The name of a key is its bytes as a latin1 string.
 */
export type Memtable = {
  /** The number of keys. */
  keys(): number;
  /** The newest version of a key at this commit; undefined if there is none. */
  find(key: Buffer, commit: number): Version | undefined;
  findByName(name: string, commit: number): Version | undefined;
  /** The names of the keys with low ≤ key < high, in order. A key may have no version at an older commit. */
  between(low: Buffer, high: Buffer): string[];
  write(key: Buffer, value: Buffer | null, commit: number): Version;
  /** Removes the newest version of a key. */
  remove(version: Version): void;
  /** The newest version of each key, in the order of the keys. */
  newest(): Iterable<Version>;
};

/** One write to a key in one commit; `before` is the version it replaced. */
export type Version = Write & { readonly name: string; readonly commit: number; readonly before: Version | undefined };

export function createMemtable(): Memtable {
  // A name stays in the order even if its only version is removed.
  const versions = new Map<string, Version | undefined>();
  const order = createSortedKeys();

  function versionOf(name: string, commit: number): Version | undefined {
    let version = versions.get(name);
    while (version && version.commit > commit) version = version.before;
    return version;
  }

  return {
    keys: () => versions.size,
    find: (key, commit) => (versions.size === 0 ? undefined : versionOf(key.toString('latin1'), commit)),
    findByName: versionOf,
    between: (low, high) => (versions.size === 0 ? [] : order.between(low.toString('latin1'), high.toString('latin1'))),
    write(key, value, commit) {
      const name = key.toString('latin1');
      const before = versions.get(name);
      if (!before && !versions.has(name)) order.add(name);
      const version = { key, value, name, commit, before };
      versions.set(name, version);
      return version;
    },
    remove: ({ name, before }) => void versions.set(name, before),
    *newest() {
      for (const name of order.all()) {
        const version = versions.get(name);
        if (version) yield version;
      }
    },
  };
}
