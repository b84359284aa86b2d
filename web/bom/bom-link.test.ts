import { expect, test } from 'vitest';
import { isLineInRow, rowOfLine } from './bom-link.ts';

const line = (path: string, version: string | null) => ({
  path,
  documentId: 'doc_1',
  resolution: version === null ? null : { versionId: version },
});

test('finds rows by the position, also below a row of the first level', () => {
  const rows = [line('1', 'a'), line('2', 'b'), line('2.1', 'a')];
  expect(rowOfLine(rows, line('2.1', 'a'), 'indented')).toBe(rows[2]);
  expect(rowOfLine(rows.slice(0, 2), line('2.1', 'a'), 'top')).toBe(rows[1]);
  expect(rowOfLine(rows, line('3', 'a'), 'indented')).toBeUndefined();
});

test('finds flat rows by the version', () => {
  const rows = [line('1', 'b'), line('2', 'a'), line('3', null)];
  expect(rowOfLine(rows, line('2.1', 'a'), 'flat')).toBe(rows[1]);
  expect(isLineInRow(line('4', null), line('3', null), 'flat')).toBe(false);
});
