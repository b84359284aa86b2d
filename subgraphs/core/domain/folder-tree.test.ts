import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertCanPlace, folderPath, MAX_FOLDER_DEPTH, subtreeIds } from './folder-tree.ts';

type Folder = { _id: string; name: string; parentId: string | null };
const treeOf = (...folders: [id: string, parentId: string | null][]) =>
  new Map(folders.map(([_id, parentId]) => [_id, { _id, name: _id.toUpperCase(), parentId }]));

// a forest: each folder is a root or inside an earlier folder
const forests = fc.array(fc.nat(), { minLength: 1, maxLength: 30, size: 'max' }).map((seeds) => {
  const folders: Folder[] = [];
  for (const seed of seeds) {
    const _id = `f${folders.length}`;
    folders.push({
      _id,
      name: _id,
      parentId: seed % (folders.length + 1) === 0 ? null : `f${(seed % (folders.length + 1)) - 1}`,
    });
  }
  return new Map(folders.map((folder) => [folder._id, folder]));
});

function errorCodeOf(action: () => void): string | null {
  try {
    action();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('joins the names from the root to a path', () => {
  expect(folderPath(treeOf(['a', null], ['b', 'a'], ['c', 'b']), 'c')).toBe('A/B/C');
});

test('rejects moving a folder into itself or below itself only', () => {
  fc.assert(
    fc.property(forests, fc.nat(), fc.nat(), (folders, i, j) => {
      const ids = [...folders.keys()];
      const id = ids[i % ids.length]!;
      const parentId = ids[j % ids.length]!;
      const below = new Set(subtreeIds(folders.values(), id));
      expect(errorCodeOf(() => assertCanPlace(folders, id, parentId)) === 'folder_cycle').toBe(below.has(parentId));
    }),
  );
});

test('limits folders to 16 levels, also when a subtree is moved', () => {
  const chain = treeOf(
    ...Array.from({ length: MAX_FOLDER_DEPTH }, (_, i) => [`f${i}`, i ? `f${i - 1}` : null] as [string, string | null]),
    ['x', null],
    ['y', 'x'],
  );
  expect(() => assertCanPlace(chain, null, `f${MAX_FOLDER_DEPTH - 1}`)).toThrow(/16 levels/);
  expect(() => assertCanPlace(chain, null, `f${MAX_FOLDER_DEPTH - 2}`)).not.toThrow();
  expect(() => assertCanPlace(chain, 'x', `f${MAX_FOLDER_DEPTH - 2}`)).toThrow(/16 levels/);
  expect(() => assertCanPlace(chain, 'x', `f${MAX_FOLDER_DEPTH - 3}`)).not.toThrow();
});
