import { expect, test } from 'vitest';
import { matchRevisions, matchVersions, parseVersionNumber } from './version-search.ts';

test.each([
  ['12', 12],
  [' V7 ', 7],
  ['v0', 0],
  ['A', null],
  ['1.2', null],
  ['', null],
  ['v', null],
  ['12345678901', null],
])('parses the version number in %o as %o', (text, n) => {
  expect(parseVersionNumber(text)).toBe(n);
});

test('matches revisions by label prefix, exact match first', () => {
  const revisions = ['AB', 'AA', 'B', 'A'].map((label) => ({ label }));
  expect(matchRevisions(revisions, 'a').map(({ label }) => label)).toEqual(['A', 'AB', 'AA']);
  expect(matchRevisions(revisions, 'x')).toEqual([]);
});

test('matches versions whose name or comment contains every word, ignoring case and order', () => {
  const versions = [
    { name: 'Larger holes', comment: null },
    { name: 'V2', comment: 'as the customer wished: larger ribs' },
    { name: '補強', comment: '' },
  ];
  const found = (text: string) => matchVersions(versions, text).map(({ name }) => name);
  expect([found('LARGER'), found('ribs larger'), found('補'), found('larger nothing'), found('a')]).toEqual([
    ['Larger holes', 'V2'],
    ['V2'],
    ['補強'],
    [],
    [],
  ]);
});
