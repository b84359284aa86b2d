import { expect, test } from 'vitest';
import { folderAt, pathsTo } from './import-paths.ts';

const FOLDERS = [
  { id: 'machines', name: 'Machines', parentId: null },
  { id: 'presses', name: 'Presses', parentId: 'machines' },
  { id: 'other', name: 'Presses', parentId: null },
];

test('lists a path after the paths above it', () => {
  expect(pathsTo('gearbox/screws/m8')).toEqual(['gearbox', 'gearbox/screws', 'gearbox/screws/m8']);
  expect(pathsTo('')).toEqual([]);
});

test('finds existing folders below the target only', () => {
  expect(folderAt(FOLDERS, null, 'machines/presses')).toBe('presses');
  expect(folderAt(FOLDERS, 'machines', 'Presses')).toBe('presses');
  expect(folderAt(FOLDERS, null, 'Presses')).toBe('other');
  expect(folderAt(FOLDERS, 'presses', 'Presses')).toBeUndefined();
  expect(folderAt(FOLDERS, null, 'machines/lathes')).toBeUndefined();
});
