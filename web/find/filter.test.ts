import { expect, test } from 'vitest';
import { nextSort, parseFilter, queryVariables } from './filter.ts';

const variables = (filter: Parameters<typeof queryVariables>[0]) => queryVariables(filter, 'usr_me');
const read = (query: string, folderId: string | null = null) => parseFilter(folderId, new URLSearchParams(query));

test('lists all documents, newest change first, by default', () => {
  expect(variables(read(''))).toEqual({
    q: null,
    folderId: null,
    recursive: false,
    kind: null,
    createdBy: null,
    includeArchived: false,
    sort: 'updatedAt',
    descending: true,
  });
});

test('includes subfolders when requested or searching, but never for Unfiled', () => {
  expect(variables(read('', 'fld_1')).recursive).toBe(false);
  expect(variables(read('below', 'fld_1')).recursive).toBe(true);
  expect(variables(read('q=bolt', 'fld_1')).recursive).toBe(true);
  expect(variables(read('q=bolt', 'unfiled')).recursive).toBe(false);
});

test('ignores unknown values', () => {
  expect(read('kind=drawing&sort=-colour')).toEqual(read(''));
});

test('reverses the order on a second click and omits the default order', () => {
  expect(nextSort(read(''), 'number')).toBe('number');
  expect(nextSort(read('sort=number'), 'number')).toBe('-number');
  expect(nextSort(read('sort=-number'), 'updatedAt')).toBeNull();
  expect(nextSort(read(''), 'updatedAt')).toBe('updatedAt');
});

test('lists only documents that the user created when requested', () => {
  expect(variables(read('mine=1')).createdBy).toBe('usr_me');
  expect(queryVariables(read('mine=1'), undefined).createdBy).toBeNull();
});
