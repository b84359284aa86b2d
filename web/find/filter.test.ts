import { expect, test } from 'vitest';
import { activeFilters, nextSort, parseFilter, queryVariables } from './filter.ts';

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
    released: null,
    reserved: null,
    failedJobs: false,
    updatedFrom: null,
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

test('lists only documents that a user created when requested', () => {
  expect(variables(read('by=me')).createdBy).toBe('usr_me');
  expect(variables(read('by=usr_1')).createdBy).toBe('usr_1');
  expect(queryVariables(read('by=me'), undefined).createdBy).toBeNull();
});

test('filters by release, reservation, failed jobs and days, and lists the active filters', () => {
  const filter = read('released=no&reserved=others&failed=1&changed=7');
  const now = new Date(2026, 0, 10, 15);
  expect(queryVariables(filter, 'usr_me', now)).toMatchObject({
    released: false,
    reserved: 'others',
    failedJobs: true,
    updatedFrom: new Date(2026, 0, 4).toISOString(),
  });
  expect(activeFilters(filter).map(({ parameter }) => parameter)).toEqual([
    'released',
    'reserved',
    'changed',
    'failed',
  ]);
  expect(activeFilters(read(''))).toEqual([]);
});
