// What this process wrote a moment ago, so that whoever goes on from it need not read it again. Never trusted alone: a write that goes on from it names the state
// it goes on from, and finds nothing where that is no longer there.
import type { Db } from 'mongodb';

type JustWritten<T> = {
  /** Those that were written within the last second. */
  recall(db: Db, keys: readonly string[]): Map<string, T>;
  /** Keeps what is on disk. */
  keep(db: Db, written: Iterable<readonly [string, T]>): void;
  /** What was kept of one of these was wrong, because somebody else writes them too: for ten seconds they are read. */
  doubt(db: Db, keys: Iterable<string>): void;
};

const KEPT_MS = 1_000;
const MOST_KEPT = 10_000;
const DOUBTED_MS = 10_000;

export function justWritten<T>(): JustWritten<T> {
  const memories = new WeakMap<Db, { kept: Map<string, { value: T; until: number }>; doubted: Map<string, number> }>();
  const memoryOf = (db: Db) => {
    const known = memories.get(db);
    if (known) return known;
    const memory = { kept: new Map<string, { value: T; until: number }>(), doubted: new Map<string, number>() };
    memories.set(db, memory);
    return memory;
  };
  return {
    recall(db, keys) {
      const { kept, doubted } = memoryOf(db);
      const now = performance.now();
      const found = keys.flatMap((key): [string, T][] => {
        const entry = kept.get(key);
        return entry && entry.until > now && !((doubted.get(key) ?? 0) > now) ? [[key, entry.value]] : [];
      });
      return new Map(found);
    },
    keep(db, written) {
      const { kept } = memoryOf(db);
      const now = performance.now();
      for (const [key, value] of written) {
        // in the order of their time, so that the old ones are found at the front
        kept.delete(key);
        kept.set(key, { value, until: now + KEPT_MS });
      }
      for (const [key, { until }] of kept) {
        if (until > now && kept.size <= MOST_KEPT) break;
        kept.delete(key);
      }
    },
    doubt(db, keys) {
      const { doubted } = memoryOf(db);
      const now = performance.now();
      for (const [key, until] of doubted) if (until <= now) doubted.delete(key);
      for (const key of keys) doubted.set(key, now + DOUBTED_MS);
    },
  };
}
