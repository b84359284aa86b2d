import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitPerKey } from './limit-per-key.ts';

test('returns the same records for each key as a query for that key alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 60, size: 'max' }),
      fc.uniqueArray(fc.nat(4)),
      fc.integer({ min: 1, max: 5 }),
      async (stored, keys, max) => {
        const records = stored.map((key, position) => ({ key, position }));
        const read = async (some: readonly number[], limit: number) =>
          records.filter(({ key }) => some.includes(key)).slice(0, limit);
        const found = await limitPerKey(keys, max, read, ({ key }) => key);
        for (const key of keys) expect(found.filter((record) => record.key === key)).toEqual(await read([key], max));
      },
    ),
  );
});

test('sends one query if it does not reach the limit, and none without keys', async () => {
  let queries = 0;
  const read = async () => {
    queries++;
    return ['a', 'b'];
  };
  expect(await limitPerKey(['a', 'b', 'c'], 2, read, (record) => record)).toEqual(['a', 'b']);
  expect([queries, await limitPerKey([], 2, read, String), queries]).toEqual([1, [], 1]);
});
