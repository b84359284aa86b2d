import { expect, test } from 'vitest';
import { fitting } from './choices.ts';

const CHOICES = [
  { id: 'version', label: 'Version made', hint: 'version.created' },
  { id: 'folder', label: 'Folder made', hint: 'of documents' },
  { id: 'anew', label: 'Made anew' },
];
const found = (text: string) => fitting(CHOICES, text).map(({ id }) => id);

test('every word is looked for, in any case, also in hints', () => {
  expect(found('MADE folder')).toEqual(['folder']);
  expect(found('documents')).toEqual(['folder']);
  expect(found('version.cre')).toEqual(['version']);
  expect(found('made twice')).toEqual([]);
});

test('what begins with the text comes first, all else stays in its order; without a text all are there', () => {
  expect(found('made')).toEqual(['anew', 'version', 'folder']);
  expect(found('  ')).toEqual(['version', 'folder', 'anew']);
});
