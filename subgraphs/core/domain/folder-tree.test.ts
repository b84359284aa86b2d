import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertCanPlace, FolderTree, folderPath, MAX_FOLDER_DEPTH, subtreeIds } from './folder-tree.ts';

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

test('has the folders of its base and those set in it, like a map', () => {
  const folder = fc.record({
    _id: fc.constantFrom('a', 'b', 'c', 'd'),
    name: fc.string(),
    parentId: fc.constantFrom(null, 'a', 'b'),
  });
  const set = fc.record({ folder, removes: fc.boolean(), inBase: fc.boolean() });
  fc.assert(
    fc.property(fc.array(set), (sets) => {
      const base = new FolderTree<Folder>();
      const tree = new FolderTree(base);
      const [expected, own] = [new Map<string, Folder>(), new Set<string>()];
      for (const { folder, removes, inBase } of sets) {
        const { _id } = folder;
        (inBase ? base : tree).set(_id, removes ? null : folder);
        if (!inBase) own.add(_id);
        else if (own.has(_id)) continue; // hidden by the tree's own one
        if (removes) expected.delete(_id);
        else expected.set(_id, folder);
      }
      const sorted = (folders: Iterable<Folder>) => [...folders].sort((a, b) => a._id.localeCompare(b._id));
      expect(sorted(tree.values())).toEqual(sorted(expected.values()));
      for (const id of ['a', 'b', 'c', 'd']) expect(tree.get(id)).toEqual(expected.get(id));
      for (const parentId of [null, 'a', 'b'])
        expect(sorted(tree.childrenOf(parentId))).toEqual(
          sorted([...expected.values()].filter((folder) => folder.parentId === parentId)),
        );
    }),
  );
});
