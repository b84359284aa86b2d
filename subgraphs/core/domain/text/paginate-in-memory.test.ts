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
  defaultOrder: { sort: 'at', descending: true } as const,
};

test('returns every item once across pages, even if one is deleted meanwhile', () => {
  fc.assert(
    fc.property(
      items,
      fc.constantFrom('name' as const, 'at' as const),
      fc.boolean(),
      fc.nat(),
      (all, sort, descending, index) => {
        const sorted = paginateInMemory(all, { sort, descending, limit: 200 }, LIST).items;
        const deleted = all[index % Math.max(1, all.length)];
        const remaining = all.filter((item) => item !== deleted);
        const first = paginateInMemory(all, { sort, descending, limit: 2 }, LIST);
        const shown = [...first.items];
        for (let cursor = first.nextCursor; cursor; ) {
          const next = paginateInMemory(remaining, { sort, descending, limit: 2, cursor }, LIST);
          shown.push(...next.items);
          cursor = next.nextCursor;
        }
        expect(shown).toEqual(sorted.filter((item) => item !== deleted || first.items.includes(item)));
      },
    ),
  );
});

test('sorts names in natural-language order', () => {
  const all = ['b', 'A', 'ä', 'B', 'a'].map((name, at) => ({ id: `${at}`, name, at }));
  const { items, total } = paginateInMemory(all, { sort: 'name', total: true }, LIST);
  expect([items.map(({ name }) => name).join(''), total]).toEqual(['aAäbB', 5]);
});
