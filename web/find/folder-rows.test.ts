import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Folder, folderRows, possibleParents } from './folder-rows.ts';

const folder = (id: string, parentId: string | null, documentCount = 0): Folder => ({
  id,
  name: id,
  parentId,
  path: id,
  documentCount,
});

test('sorts siblings by name with natural numbers and counts documents of subfolders', () => {
  const rows = folderRows([
    folder('10', null),
    folder('b', '2'),
    folder('2', null, 3),
    folder('a', '2', 4),
    folder('lost', 'gone'),
  ]);
  expect(rows.map(({ level, folder: { id }, count }) => `${level} ${id} ${count}`)).toEqual([
    '1 2 7',
    '2 a 4',
    '2 b 0',
    '1 10 0',
    '1 lost 0',
  ]);
});

test('returns one row per folder with the count of its subtree', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 40, size: 'max' }), (parents) => {
      const folders = parents.map((parent, at) =>
        folder(`f${at}`, at === 0 || parent % 5 === 0 ? null : `f${parent % at}`, 1),
      );
      const rows = folderRows(folders);
      expect(rows).toHaveLength(folders.length);
      for (const [at, row] of rows.entries()) {
        let end = at + 1;
        while ((rows[end]?.level ?? 0) > row.level) end++;
        expect(row.count).toBe(end - at);
        expect(possibleParents(rows, row.folder.id)).toHaveLength(rows.length - row.count);
      }
    }),
  );
});
