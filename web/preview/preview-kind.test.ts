import { expect, test } from 'vitest';
import { previewOf } from './preview-kind.ts';

test.each([
  ['Zeichnung 図面.PDF', 'pdf'],
  ['plan.dxf', 'dxf'],
  ['photo.JPG', 'image'],
  ['logo.svg', 'image'],
  ['scan.webp', 'image'],
  ['notes.md', 'text'],
  ['part.step', undefined],
  ['part.dwg', undefined],
  ['README', undefined],
])('displays %s as %s', (fileName, kind) => {
  expect(previewOf(fileName, 1_000)?.kind).toBe(kind);
});

test('does not display files that are too large', () => {
  expect(previewOf('log.txt', 2 * 2 ** 20)?.kind).toBe('text');
  expect(previewOf('log.txt', 2 * 2 ** 20 + 1)).toBeNull();
});
