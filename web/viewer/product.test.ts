import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenToIsolate, isHidden, type ProductNode, productRows, toggleHidden } from './product.ts';

const part = (name: string, triangles = 12): ProductNode => ({ name, triangles, bodies: 1, children: [] });
const group = (name: string, ...children: ProductNode[]): ProductNode => ({ name, triangles: 0, bodies: 0, children });
// 0 as1 ( 1 rod ( 2 nut 3 nut ) 4 bracket ( 5 bolt 6 sub ( 7 pin 8 pin ) ) 9 plate )
const ROWS = productRows(
  group(
    'as1',
    group('rod', part('nut'), part('nut')),
    group('bracket', part('bolt'), group(' ', part('pin', 20), part('pin', 20))),
    part('plate'),
  ),
);
const visibleParts = (hidden: ReadonlySet<number>) =>
  ROWS.filter(({ id, parts }) => parts === 1 && !isHidden(ROWS, hidden, id)).map(({ id }) => id);
const bodies = (id: number) =>
  ROWS.filter((row) => row.parts === 1 && (row.id === id || within(row.id, id))).map((row) => row.id);
const within = (id: number, top: number): boolean => isHidden(ROWS, new Set([top]), id);

describe('product tree', () => {
  it('lists nodes depth first with the body and triangle counts of their subtrees', () => {
    expect(ROWS.map(({ name }) => name)).toEqual([
      'as1',
      'rod',
      'nut',
      'nut',
      'bracket',
      'bolt',
      'Unnamed',
      'pin',
      'pin',
      'plate',
    ]);
    expect(ROWS.map(({ level }) => level)).toEqual([1, 2, 3, 3, 2, 3, 3, 4, 4, 2]);
    expect(ROWS[0]).toMatchObject({ id: 0, parts: 6, triangles: 88 });
    expect(ROWS[6]).toMatchObject({ parts: 2, triangles: 40 });
  });

  it('adds the part name if the node name does not contain it', () => {
    const named = (name: string, product?: string) => productRows({ ...part(name), product })[0];
    expect(named('left', 'Bracket')).toMatchObject({ name: 'left', product: 'Bracket' });
    expect(named('BRACKET::1', 'bracket')).toMatchObject({ name: 'BRACKET::1', product: '' });
    expect(named('', 'Bracket')).toMatchObject({ name: 'Bracket', product: '' });
    expect(named('left')).toMatchObject({ name: 'left', product: '' });
  });

  it('hides and shows a row with its descendants', () => {
    expect(visibleParts(toggleHidden(ROWS, new Set(), 4))).toEqual([2, 3, 9]);
    expect(visibleParts(toggleHidden(ROWS, toggleHidden(ROWS, new Set(), 4), 4))).toEqual([2, 3, 5, 7, 8, 9]);
  });

  it('shows one row of a hidden parent and keeps its siblings hidden', () => {
    expect(visibleParts(toggleHidden(ROWS, new Set([4]), 7))).toEqual([2, 3, 7, 9]);
    expect(visibleParts(toggleHidden(ROWS, new Set([0]), 6))).toEqual([7, 8]);
    expect(visibleParts(toggleHidden(ROWS, new Set([0, 6]), 7))).toEqual([7]);
  });

  it('isolates a row: shows its descendants and nothing else', () => {
    for (const { id } of ROWS) expect(visibleParts(hiddenToIsolate(ROWS, id))).toEqual(bodies(id));
  });

  it('changes only the toggled row and its descendants, for any sequence of toggles', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(ROWS.length - 1), { minLength: 1, maxLength: 12 }), (toggles) => {
        let hidden: ReadonlySet<number> = new Set();
        for (const id of toggles) {
          const before = new Set(visibleParts(hidden));
          const show = isHidden(ROWS, hidden, id);
          hidden = toggleHidden(ROWS, hidden, id);
          const after = new Set(visibleParts(hidden));
          const own = new Set(bodies(id));
          expect(isHidden(ROWS, hidden, id)).toBe(!show);
          for (const row of bodies(0)) if (!own.has(row)) expect(after.has(row)).toBe(before.has(row));
        }
      }),
    );
  });
});
