/**
 * Returns at most `max` records for each key, in the order of `read`: with one query for all keys, and a second one for
 * each key only if the first reached its limit, when the records of one key may have displaced those of another.
 */
export async function limitPerKey<K, R>(
  keys: readonly K[],
  max: number,
  read: (keys: readonly K[], limit: number) => Promise<R[]>,
  keyOf: (record: R) => unknown,
): Promise<R[]> {
  if (!keys.length) return [];
  const limit = max * keys.length;
  const shared = await read(keys, limit);
  // callers in a transaction pass one key, because its queries must not run concurrently
  const isComplete = keys.length === 1 || shared.length < limit;
  const found = isComplete ? shared : (await Promise.all(keys.map((key) => read([key], max)))).flat();
  const counts = new Map<unknown, number>();
  return found.filter((record) => {
    const key = keyOf(record);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= max;
  });
}
