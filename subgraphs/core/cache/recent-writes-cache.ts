// Caches what this process wrote a moment ago, so that the next write to it need not read it. A write based on a cached
// value must be conditional on that value, because other processes write too.
import type { Db } from 'mongodb';

type RecentWritesCache<T> = {
  /** Returns the values of these keys that were written within the last second. */
  get(db: Db, keys: readonly string[]): Map<string, T>;
  /** Caches values that are on disk. */
  set(db: Db, written: Iterable<readonly [string, T]>): void;
  /** Bypasses these keys for ten seconds, because another process writes them too. */
  invalidate(db: Db, keys: Iterable<string>): void;
};

const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 10_000;
const BYPASS_MS = 10_000;

type Entries<T> = { values: Map<string, { value: T; until: number }>; bypassedUntil: Map<string, number> };

/** Creates an empty cache. */
export function createRecentWritesCache<T>(): RecentWritesCache<T> {
  const databases = new WeakMap<Db, Entries<T>>();
  const entriesOf = (db: Db): Entries<T> => {
    const known = databases.get(db);
    if (known) return known;
    const entries: Entries<T> = { values: new Map(), bypassedUntil: new Map() };
    databases.set(db, entries);
    return entries;
  };
  return {
    get(db, keys) {
      const { values, bypassedUntil } = entriesOf(db);
      const now = performance.now();
      const found = keys.flatMap((key): [string, T][] => {
        const entry = values.get(key);
        return entry && entry.until > now && !((bypassedUntil.get(key) ?? 0) > now) ? [[key, entry.value]] : [];
      });
      return new Map(found);
    },
    set(db, written) {
      const { values } = entriesOf(db);
      const now = performance.now();
      for (const [key, value] of written) {
        // keeps the oldest entries at the front
        values.delete(key);
        values.set(key, { value, until: now + MAX_AGE_MS });
      }
      for (const [key, { until }] of values) {
        if (until > now && values.size <= MAX_ENTRIES) break;
        values.delete(key);
      }
    },
    invalidate(db, keys) {
      const { bypassedUntil } = entriesOf(db);
      const now = performance.now();
      for (const [key, until] of bypassedUntil) if (until <= now) bypassedUntil.delete(key);
      for (const key of keys) bypassedUntil.set(key, now + BYPASS_MS);
    },
  };
}
