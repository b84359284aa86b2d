import { expect, test } from 'vitest';
import { matchChoices } from './choices.ts';

const CHOICES = [
  { id: 'version', label: 'Version created', hint: 'version.created' },
  { id: 'folder', label: 'Folder created', hint: 'of documents' },
  { id: 'created', label: 'Created again' },
];
const found = (text: string) => matchChoices(CHOICES, text).map(({ id }) => id);

test('matches every word in the label or hint, ignoring case', () => {
  expect(found('CREATED folder')).toEqual(['folder']);
  expect(found('documents')).toEqual(['folder']);
  expect(found('version.cre')).toEqual(['version']);
  expect(found('created twice')).toEqual([]);
});

test('lists labels with the prefix first, keeps the order otherwise, and matches everything without text', () => {
  expect(found('created')).toEqual(['created', 'version', 'folder']);
  expect(found('  ')).toEqual(['version', 'folder', 'created']);
});
