import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ancestorIndexes,
  expandTo,
  filterTree,
  subtreeEnd,
  toggleRow,
  treeKeyAction,
  visibleRows,
} from './tree-rows.ts';

type Row = { key: string; level: number };
const tree = (text: string): Row[] => text.split(' ').map((word) => ({ key: word, level: word.length }));
const keyOf = ({ key }: Row) => key;
const EXPANDED = { depth: Number.POSITIVE_INFINITY, toggledKeys: new Set<string>() };
const COLLAPSED = { depth: 1, toggledKeys: new Set<string>() };
const keys = (rows: readonly { row: Row }[]) => rows.map(({ row }) => row.key).join(' ');

/** An arbitrary tree in depth-first order. */
const anyTree = fc.array(fc.integer({ min: -3, max: 1 }), { maxLength: 60, size: 'max' }).map((steps) => {
  const rows: Row[] = [];
  for (const [index, step] of steps.entries())
    rows.push({ key: String(index), level: Math.max(1, (rows.at(-1)?.level ?? 0) + step) });
  return rows;
});

// a contains bb and ee; bb contains ccc and ddd; f contains gg
const ROWS = tree('a bb ccc ddd ee f gg');

describe('tree rows', () => {
  it('shows only the top level when collapsed and every row when expanded', () => {
    expect(keys(visibleRows(ROWS, keyOf, COLLAPSED))).toBe('a f');
    expect(keys(visibleRows(ROWS, keyOf, { ...COLLAPSED, depth: 2 }))).toBe('a bb ee f gg');
    expect(keys(visibleRows(ROWS, keyOf, EXPANDED))).toBe('a bb ccc ddd ee f gg');
  });

  it('expands a row of a collapsed tree and collapses a row of an expanded one', () => {
    expect(keys(visibleRows(ROWS, keyOf, toggleRow(COLLAPSED, 'a')))).toBe('a bb ee f');
    expect(keys(visibleRows(ROWS, keyOf, toggleRow(EXPANDED, 'bb')))).toBe('a bb ee f gg');
    expect(toggleRow(toggleRow(EXPANDED, 'bb'), 'bb')).toEqual(EXPANDED);
  });

  it('numbers each row among its siblings', () => {
    const numbered = visibleRows(ROWS, keyOf, EXPANDED).map(
      ({ row, position, setSize }) => `${row.key} ${position}/${setSize}`,
    );
    expect(numbered).toEqual(['a 1/2', 'bb 1/2', 'ccc 1/2', 'ddd 2/2', 'ee 2/2', 'f 2/2', 'gg 1/1']);
  });

  it('returns the ancestors of a row and the end of its subtree', () => {
    expect(ancestorIndexes(ROWS, 3).map((at) => ROWS[at]?.key)).toEqual(['bb', 'a']);
    expect(ancestorIndexes(ROWS, 0)).toEqual([]);
    expect([subtreeEnd(ROWS, 0), subtreeEnd(ROWS, 1), subtreeEnd(ROWS, 2), subtreeEnd(ROWS, 5)]).toEqual([5, 4, 3, 7]);
  });

  it('expands the ancestors of a row', () => {
    expect(keys(visibleRows(ROWS, keyOf, expandTo(ROWS, 3, keyOf, COLLAPSED)))).toBe('a bb ccc ddd ee f');
  });

  it('keeps matching rows and their ancestors', () => {
    expect(filterTree(ROWS, ({ key }) => key === 'ddd').map(keyOf)).toEqual(['a', 'bb', 'ddd']);
    expect(filterTree(ROWS, ({ key }) => key === 'ee' || key === 'f').map(keyOf)).toEqual(['a', 'ee', 'f']);
    expect(filterTree(ROWS, () => false)).toEqual([]);
  });

  it('keeps exactly the matches and their ancestors in any tree', () => {
    fc.assert(
      fc.property(anyTree, fc.func(fc.boolean()), (rows, matches) => {
        const kept = new Set(filterTree(rows, ({ key }) => matches(key)).map(keyOf));
        const wanted = rows.filter(({ key }) => matches(key));
        const reasons = new Set(
          wanted.flatMap((row) =>
            [row, ...ancestorIndexes(rows, rows.indexOf(row)).map((at) => rows[at])].map((each) => each?.key),
          ),
        );
        expect(kept).toEqual(reasons);
      }),
    );
  });

  it('makes any row visible by expanding its ancestors', () => {
    fc.assert(
      fc.property(anyTree, fc.nat(), fc.integer({ min: 1, max: 3 }), (rows, pick, depth) => {
        if (rows.length === 0) return;
        const index = pick % rows.length;
        const visible = visibleRows(rows, keyOf, expandTo(rows, index, keyOf, { depth, toggledKeys: new Set() }));
        expect(visible.some((entry) => entry.index === index)).toBe(true);
      }),
    );
  });

  it('maps arrow and paging keys to moves and folds', () => {
    const closed = visibleRows(ROWS, keyOf, COLLAPSED);
    const open = visibleRows(ROWS, keyOf, EXPANDED);
    expect(treeKeyAction('ArrowRight', closed, 0)).toEqual({ fold: 0 });
    expect(treeKeyAction('ArrowRight', open, 0)).toEqual({ to: 1 });
    expect(treeKeyAction('ArrowRight', open, 2)).toBeNull();
    expect(treeKeyAction('ArrowLeft', open, 1)).toEqual({ fold: 1 });
    expect(treeKeyAction('ArrowLeft', open, 3)).toEqual({ to: 1 });
    expect(treeKeyAction('ArrowLeft', closed, 0)).toBeNull();
    expect(treeKeyAction('ArrowDown', open, 6)).toEqual({ to: 6 });
    expect(treeKeyAction('ArrowUp', open, 0)).toEqual({ to: 0 });
    expect(treeKeyAction('End', open, 0)).toEqual({ to: 6 });
    expect(treeKeyAction('PageDown', open, 1, 3)).toEqual({ to: 4 });
    expect(treeKeyAction('x', open, 1)).toBeNull();
    expect(treeKeyAction('ArrowDown', [], 0)).toBeNull();
  });
});
