import { expect, test } from 'vitest';
import { labelled, named, numberIn } from './choose-version.ts';

test.each([
  ['12', 12],
  [' V7 ', 7],
  ['v0', 0],
  ['A', null],
  ['1.2', null],
  ['', null],
  ['v', null],
  ['12345678901', null],
])('the number in %o is %o', (text, n) => {
  expect(numberIn(text)).toBe(n);
});

test('revisions are found by the beginning of their label, the very label first', () => {
  const revisions = ['AB', 'AA', 'B', 'A'].map((label) => ({ label }));
  expect(labelled(revisions, 'a').map(({ label }) => label)).toEqual(['A', 'AB', 'AA']);
  expect(labelled(revisions, 'x')).toEqual([]);
});

test('versions are found by words of what was said of them, in any order and case', () => {
  const versions = [
    { name: 'Larger holes', comment: null },
    { name: 'V2', comment: 'as the customer wished: larger ribs' },
    { name: '補強', comment: '' },
  ];
  const found = (text: string) => named(versions, text).map(({ name }) => name);
  expect([found('LARGER'), found('ribs larger'), found('補'), found('larger nothing'), found('a')]).toEqual([
    ['Larger holes', 'V2'],
    ['V2'],
    ['補強'],
    [],
    [],
  ]);
});
