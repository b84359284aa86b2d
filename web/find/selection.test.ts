import { expect, test } from 'vitest';
import { choose, dragged, moveTo, NOTHING_CHOSEN, stillThere } from './selection.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: { chosen: ReadonlySet<string> }) => [...selection.chosen].sort().join('');

test('a click chooses one, with Ctrl one more or less, with Shift all between', () => {
  const one = choose(NOTHING_CHOSEN, IDS, 'b');
  expect(chosen(one)).toBe('b');
  const two = choose(one, IDS, 'd', { toggle: true });
  expect(chosen(two)).toBe('bd');
  expect(chosen(choose(two, IDS, 'b', { toggle: true }))).toBe('d');
  const range = choose(two, IDS, 'a', { range: true });
  expect(chosen(range)).toBe('abcd');
  expect(chosen(choose(range, IDS, 'e', { range: true }))).toBe('de');
});

test('a range without a beginning is one row', () => {
  expect(chosen(choose(NOTHING_CHOSEN, IDS, 'c', { range: true }))).toBe('c');
  expect(chosen(choose({ ...NOTHING_CHOSEN, anchor: 'gone' }, IDS, 'c', { range: true }))).toBe('c');
});

test('what is dragged is the choice, or the one row outside it', () => {
  const two = choose(choose(NOTHING_CHOSEN, IDS, 'a'), IDS, 'b', { toggle: true });
  expect(dragged(two, 'a')).toEqual(['a', 'b']);
  expect(dragged(two, 'e')).toEqual(['e']);
});

test('what is no longer in the list is no longer chosen, and an unchanged choice stays the same object', () => {
  const two = moveTo(choose(choose(NOTHING_CHOSEN, IDS, 'a'), IDS, 'b', { toggle: true }), 'b');
  expect(chosen(stillThere(two, ['a', 'c']))).toBe('a');
  expect(stillThere(two, ['a', 'c']).active).toBeNull();
  expect(stillThere(two, IDS)).toBe(two);
});
