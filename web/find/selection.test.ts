import { expect, test } from 'vitest';
import { draggedIds, EMPTY_SELECTION, moveActive, retainSelection, selectRow } from './selection.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const selected = (selection: { selected: ReadonlySet<string> }) => [...selection.selected].sort().join('');

test('selects one row on click, toggles with Ctrl and selects a range with Shift', () => {
  const one = selectRow(EMPTY_SELECTION, IDS, 'b');
  expect(selected(one)).toBe('b');
  const two = selectRow(one, IDS, 'd', { toggle: true });
  expect(selected(two)).toBe('bd');
  expect(selected(selectRow(two, IDS, 'b', { toggle: true }))).toBe('d');
  const range = selectRow(two, IDS, 'a', { range: true });
  expect(selected(range)).toBe('abcd');
  expect(selected(selectRow(range, IDS, 'e', { range: true }))).toBe('de');
});

test('selects a single row for a range without an anchor', () => {
  expect(selected(selectRow(EMPTY_SELECTION, IDS, 'c', { range: true }))).toBe('c');
  expect(selected(selectRow({ ...EMPTY_SELECTION, anchor: 'gone' }, IDS, 'c', { range: true }))).toBe('c');
});

test('drags the selection, or a single unselected row', () => {
  const two = selectRow(selectRow(EMPTY_SELECTION, IDS, 'a'), IDS, 'b', { toggle: true });
  expect(draggedIds(two, 'a')).toEqual(['a', 'b']);
  expect(draggedIds(two, 'e')).toEqual(['e']);
});

test('removes rows that left the list and returns an unchanged selection as the same object', () => {
  const two = moveActive(selectRow(selectRow(EMPTY_SELECTION, IDS, 'a'), IDS, 'b', { toggle: true }), 'b');
  expect(selected(retainSelection(two, ['a', 'c']))).toBe('a');
  expect(retainSelection(two, ['a', 'c']).active).toBeNull();
  expect(retainSelection(two, IDS)).toBe(two);
});
