import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { above, endOf, matching, opened, shownRows, toggled, treeKey } from './tree-rows.ts';

type Row = { key: string; level: number };
const tree = (text: string): Row[] => text.split(' ').map((word) => ({ key: word, level: word.length }));
const keyOf = ({ key }: Row) => key;
const OPEN = { depth: Number.POSITIVE_INFINITY, toggled: new Set<string>() };
const CLOSED = { depth: 1, toggled: new Set<string>() };
const keys = (rows: readonly { row: Row }[]) => rows.map(({ row }) => row.key).join(' ');

/** Any tree, told depth first. */
const anyTree = fc.array(fc.integer({ min: -3, max: 1 }), { maxLength: 60, size: 'max' }).map((steps) => {
  const rows: Row[] = [];
  for (const [index, step] of steps.entries())
    rows.push({ key: String(index), level: Math.max(1, (rows.at(-1)?.level ?? 0) + step) });
  return rows;
});

// a is at the top, aa below it, aaa below that
const ROWS = tree('a bb ccc ddd ee f gg');

describe('a tree told as a list', () => {
  it('shows the top alone when it is closed, and everything when it is open', () => {
    expect(keys(shownRows(ROWS, keyOf, CLOSED))).toBe('a f');
    expect(keys(shownRows(ROWS, keyOf, { ...CLOSED, depth: 2 }))).toBe('a bb ee f gg');
    expect(keys(shownRows(ROWS, keyOf, OPEN))).toBe('a bb ccc ddd ee f gg');
  });

  it('opens one row of a closed tree and closes one of an open one', () => {
    expect(keys(shownRows(ROWS, keyOf, toggled(CLOSED, 'a')))).toBe('a bb ee f');
    expect(keys(shownRows(ROWS, keyOf, toggled(OPEN, 'bb')))).toBe('a bb ee f gg');
    expect(toggled(toggled(OPEN, 'bb'), 'bb')).toEqual(OPEN);
  });

  it('says of each row its place among its siblings', () => {
    const told = shownRows(ROWS, keyOf, OPEN).map(({ row, place, siblings }) => `${row.key} ${place}/${siblings}`);
    expect(told).toEqual(['a 1/2', 'bb 1/2', 'ccc 1/2', 'ddd 2/2', 'ee 2/2', 'f 2/2', 'gg 1/1']);
  });

  it('knows what a row lies in, and where what lies in it ends', () => {
    expect(above(ROWS, 3).map((at) => ROWS[at]?.key)).toEqual(['bb', 'a']);
    expect(above(ROWS, 0)).toEqual([]);
    expect([endOf(ROWS, 0), endOf(ROWS, 1), endOf(ROWS, 2), endOf(ROWS, 5)]).toEqual([5, 4, 3, 7]);
  });

  it('opens what lies around a row, so that it is seen', () => {
    expect(keys(shownRows(ROWS, keyOf, opened(ROWS, 3, keyOf, CLOSED)))).toBe('a bb ccc ddd ee f');
  });

  it('keeps what matches with what it lies in', () => {
    expect(matching(ROWS, ({ key }) => key === 'ddd').map(keyOf)).toEqual(['a', 'bb', 'ddd']);
    expect(matching(ROWS, ({ key }) => key === 'ee' || key === 'f').map(keyOf)).toEqual(['a', 'ee', 'f']);
    expect(matching(ROWS, () => false)).toEqual([]);
  });

  it('any tree: filtered, each row still lies in what it lay in, and nothing is kept without reason', () => {
    fc.assert(
      fc.property(anyTree, fc.func(fc.boolean()), (rows, matches) => {
        const kept = new Set(matching(rows, ({ key }) => matches(key)).map(keyOf));
        const wanted = rows.filter(({ key }) => matches(key));
        const reasons = new Set(
          wanted.flatMap((row) =>
            [row, ...above(rows, rows.indexOf(row)).map((at) => rows[at])].map((each) => each?.key),
          ),
        );
        expect(kept).toEqual(reasons);
      }),
    );
  });

  it('any tree: opened for a row, the row is shown', () => {
    fc.assert(
      fc.property(anyTree, fc.nat(), fc.integer({ min: 1, max: 3 }), (rows, pick, depth) => {
        if (rows.length === 0) return;
        const at = pick % rows.length;
        const shown = shownRows(rows, keyOf, opened(rows, at, keyOf, { depth, toggled: new Set() }));
        expect(shown.some((entry) => entry.at === at)).toBe(true);
      }),
    );
  });

  it('is walked with the arrow keys', () => {
    const closed = shownRows(ROWS, keyOf, CLOSED);
    const open = shownRows(ROWS, keyOf, OPEN);
    expect(treeKey('ArrowRight', closed, 0)).toEqual({ fold: 0 });
    expect(treeKey('ArrowRight', open, 0)).toEqual({ to: 1 });
    expect(treeKey('ArrowRight', open, 2)).toBeNull();
    expect(treeKey('ArrowLeft', open, 1)).toEqual({ fold: 1 });
    expect(treeKey('ArrowLeft', open, 3)).toEqual({ to: 1 });
    expect(treeKey('ArrowLeft', closed, 0)).toBeNull();
    expect(treeKey('ArrowDown', open, 6)).toEqual({ to: 6 });
    expect(treeKey('ArrowUp', open, 0)).toEqual({ to: 0 });
    expect(treeKey('End', open, 0)).toEqual({ to: 6 });
    expect(treeKey('PageDown', open, 1, 3)).toEqual({ to: 4 });
    expect(treeKey('x', open, 1)).toBeNull();
    expect(treeKey('ArrowDown', [], 0)).toBeNull();
  });
});
