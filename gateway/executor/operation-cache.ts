/**
 * A map of at most `size` entries; the one whose use is longest ago goes. While it is less than half full nothing goes soon, and uses
 * are not noted.
 */
export function leastRecentlyUsed<T extends object>(size: number): { get(key: string, make: () => T): T; readonly size: number } {
  const entries = new Map<string, T>(); // in the order of use
  return {
    get(key, make) {
      const found = entries.get(key);
      if (found && entries.size < size / 2) return found;
      const value = found ?? make();
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > size) entries.delete(entries.keys().next().value ?? key);
      return value;
    },
    get size() {
      return entries.size;
    },
  };
}
