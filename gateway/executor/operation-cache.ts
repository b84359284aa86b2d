/** A map of at most `size` entries; the one whose use is longest ago goes. */
export function leastRecentlyUsed<T extends object>(size: number): { get(key: string, make: () => T): T; readonly size: number } {
  const entries = new Map<string, T>(); // in the order of use
  return {
    get(key, make) {
      const value = entries.get(key) ?? make();
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
