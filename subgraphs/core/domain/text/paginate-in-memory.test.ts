import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paginateInMemory } from './paginate-in-memory.ts';

type Item = { id: string; name: string; at: number };
const items = fc.uniqueArray(
  fc.record({ id: fc.uuid(), name: fc.constantFrom('a', 'B', 'b', 'ä', 'A'), at: fc.integer({ min: 0, max: 3 }) }),
  {
    selector: ({ id }) => id,
  },
);
const LIST = {
  list: 'things',
  keys: { name: ({ name }: Item) => name, at: ({ at }: Item) => at },
  idOf: ({ id }: Item) => id,
  usual: { sort: 'at', descending: true } as const,
};

test('pages together are the list, once each, also when something is deleted on the way', () => {
  fc.assert(
    fc.property(
      items,
      fc.constantFrom('name' as const, 'at' as const),
      fc.boolean(),
      fc.nat(),
      (all, sort, descending, gone) => {
        const whole = paginateInMemory(all, { sort, descending, limit: 200 }, LIST).items;
        const deleted = all[gone % Math.max(1, all.length)];
        const left = all.filter((item) => item !== deleted);
        const first = paginateInMemory(all, { sort, descending, limit: 2 }, LIST);
        const seen = [...first.items];
        for (let cursor = first.nextCursor; cursor; ) {
          const next = paginateInMemory(left, { sort, descending, limit: 2, cursor }, LIST);
          seen.push(...next.items);
          cursor = next.nextCursor;
        }
        expect(seen).toEqual(whole.filter((item) => item !== deleted || first.items.includes(item)));
      },
    ),
  );
});

test('names come as people sort them', () => {
  const named = ['b', 'A', 'ä', 'B', 'a'].map((name, at) => ({ id: `${at}`, name, at }));
  const { items, total } = paginateInMemory(named, { sort: 'name', total: true }, LIST);
  expect([items.map(({ name }) => name).join(''), total]).toEqual(['aAäbB', 5]);
});
