/**
 * A map of at most `size` entries; the one whose use is longest ago goes. While it is less than half full nothing goes soon, and uses
 * are not noted.
 */
export function leastRecentlyUsed<T extends object>(
  size: number,
): { get(key: string, make: () => T): T; find(key: string): T | undefined; readonly size: number } {
  const entries = new Map<string, T>(); // in the order of use
  const used = (key: string, value: T) => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    find(key) {
      const found = entries.get(key);
      if (found && entries.size >= size / 2) used(key, found);
      return found;
    },
    get(key, make) {
      const found = entries.get(key);
      if (found && entries.size < size / 2) return found;
      const value = found ?? make();
      used(key, value);
      if (entries.size > size) entries.delete(entries.keys().next().value ?? key);
      return value;
    },
    get size() {
      return entries.size;
    },
  };
}
