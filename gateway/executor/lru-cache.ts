import { LRUCache } from 'lru-cache';

/** Creates a cache of at most `max` entries that evicts the least recently used one. `get` creates missing entries. */
export function createLruCache<T extends object>(
  max: number,
): { get(key: string, create: () => T): T; find(key: string): T | undefined; readonly size: number } {
  const entries = new LRUCache<string, T>({ max });
  return {
    find: (key) => entries.get(key),
    get(key, create) {
      const found = entries.get(key);
      if (found) return found;
      const value = create();
      entries.set(key, value);
      return value;
    },
    get size() {
      return entries.size;
    },
  };
}
