import fc from 'fast-check';
import { expect, test } from 'vitest';
import { someOfEach } from './some-of-each.ts';

test('each key has its own records, as many as if it had been asked for alone, however many others have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 60, size: 'max' }),
      fc.uniqueArray(fc.nat(4)),
      fc.integer({ min: 1, max: 5 }),
      async (stored, keys, most) => {
        const records = stored.map((key, place) => ({ key, place }));
        const read = async (some: readonly number[], limit: number) =>
          records.filter(({ key }) => some.includes(key)).slice(0, limit);
        const found = await someOfEach(keys, most, read, ({ key }) => key);
        for (const key of keys) expect(found.filter((record) => record.key === key)).toEqual(await read([key], most));
      },
    ),
  );
});

test('what is little is one question', async () => {
  let asked = 0;
  const read = async () => {
    asked++;
    return ['a', 'b'];
  };
  expect(await someOfEach(['a', 'b', 'c'], 2, read, (record) => record)).toEqual(['a', 'b']);
  expect([asked, await someOfEach([], 2, read, String), asked]).toEqual([1, [], 1]);
});
