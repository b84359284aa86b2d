/**
 * At most so many records for each of some keys, in the order in which they are read: together in one query, and each for
 * itself only when so many were found that those of one key may have crowded out those of another. `read` takes keys and how
 * many records at most, `keyOf` names a record's key.
 */
export async function someOfEach<K, R>(
  keys: readonly K[],
  most: number,
  read: (keys: readonly K[], limit: number) => Promise<R[]>,
  keyOf: (record: R) => unknown,
): Promise<R[]> {
  if (!keys.length) return [];
  const limit = most * keys.length;
  const together = await read(keys, limit);
  // in a transaction there is one key: its questions may not be asked side by side
  const found =
    keys.length === 1 || together.length < limit
      ? together
      : (await Promise.all(keys.map((key) => read([key], most)))).flat();
  const counts = new Map<unknown, number>();
  return found.filter((record) => {
    const key = keyOf(record);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most;
  });
}
