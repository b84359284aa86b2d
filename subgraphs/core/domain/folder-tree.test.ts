import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertCanPlace, MAX_FOLDER_DEPTH, folderPath, subtreeIds } from './folder-tree.ts';

type Folder = { _id: string; name: string; parentId: string | null };
const treeOf = (...folders: [id: string, parentId: string | null][]) =>
  new Map(folders.map(([_id, parentId]) => [_id, { _id, name: _id.toUpperCase(), parentId }]));

// a forest: each folder lies in none or in one made before it
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

function refusalOf(deed: () => void): string | null {
  try {
    deed();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('a path is the names from the root', () => {
  expect(folderPath(treeOf(['a', null], ['b', 'a'], ['c', 'b']), 'c')).toBe('A/B/C');
});

test('a folder cannot be moved into itself or below itself, and anywhere else it can', () => {
  fc.assert(
    fc.property(forests, fc.nat(), fc.nat(), (folders, i, j) => {
      const ids = [...folders.keys()];
      const id = ids[i % ids.length]!;
      const parentId = ids[j % ids.length]!;
      const below = new Set(subtreeIds(folders.values(), id));
      expect(refusalOf(() => assertCanPlace(folders, id, parentId)) === 'folder_cycle').toBe(below.has(parentId));
    }),
  );
});

test('folders lie at most 16 levels deep, also when a subtree is moved', () => {
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
