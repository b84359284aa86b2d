import { expect, test } from 'vitest';
import { filterOf, sortWord, variablesOf } from './filter.ts';

const read = (query: string, folderId: string | null = null) => filterOf(folderId, new URLSearchParams(query));

test('an address without words lists everything, the newest change first', () => {
  expect(variablesOf(read(''))).toEqual({
    q: null,
    folderId: null,
    recursive: false,
    kind: null,
    includeArchived: false,
    sort: 'updatedAt',
    descending: true,
  });
});

test('a folder shows what is in it, with below or a search also what is below; Unfiled has nothing below', () => {
  expect(variablesOf(read('', 'fld_1')).recursive).toBe(false);
  expect(variablesOf(read('below', 'fld_1')).recursive).toBe(true);
  expect(variablesOf(read('q=bolt', 'fld_1')).recursive).toBe(true);
  expect(variablesOf(read('q=bolt', 'unfiled')).recursive).toBe(false);
});

test('words that are not known change nothing', () => {
  expect(read('kind=drawing&sort=-colour')).toEqual(read(''));
});

test('a column sorts, then turns round; the usual order needs no word', () => {
  expect(sortWord(read(''), 'number')).toBe('number');
  expect(sortWord(read('sort=number'), 'number')).toBe('-number');
  expect(sortWord(read('sort=-number'), 'updatedAt')).toBeNull();
  expect(sortWord(read(''), 'updatedAt')).toBe('updatedAt');
});
