import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gutterLayout, indexLines, type Line, pathOf } from './lines.ts';

const lines = fc.array(
  fc.record({
    kind: fc.constantFrom('continues', 'fork', 'take_over', 'restore'),
    top: fc.nat(200),
    span: fc.integer({ min: 1, max: 120 }),
    topLane: fc.nat(6),
    bottomLane: fc.nat(6),
  }),
  { maxLength: 80, size: 'max' },
);
const placed = lines.map((all): Line[] =>
  all.map(
    ({ span, ...line }) =>
      ({
        ...line,
        topLane: line.kind === 'continues' ? line.bottomLane : line.topLane,
        bottom: line.top + span,
      }) as Line,
  ),
);
const order = (a: Line, b: Line) => JSON.stringify(a).localeCompare(JSON.stringify(b));

test('finds exactly the lines that cross a range of rows', () => {
  fc.assert(
    fc.property(placed, fc.nat(330), fc.nat(60), (all, first, more) => {
      const last = first + more;
      const wanted = all.filter(({ top, bottom }) => top <= last && bottom >= first);
      expect(indexLines(all).crossing(first, last).sort(order)).toEqual(wanted.sort(order));
    }),
  );
});

test('finds no lines in an empty index', () => {
  expect(indexLines([]).crossing(0, 1e6)).toEqual([]);
});

const LAYOUT = gutterLayout(7, 30);
const numbers = (path: string) => [...path.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);

test('clips a path close to the visible rows', () => {
  fc.assert(
    fc.property(placed, fc.nat(300), fc.integer({ min: 1, max: 40 }), (all, first, more) => {
      const last = first + more;
      for (const line of indexLines(all).crossing(first, last - 1)) {
        const path = pathOf(line, first, last, LAYOUT);
        expect(path).toMatch(/^M[-\d. ]+(?:[VC][-\d. ]+)+$/);
        const ends = [...path.matchAll(/M\S+ ([-\d.]+)|V([-\d.]+)| ([-\d.]+)$/g)].map(([, ...found]) =>
          Number(found.find(Boolean)),
        );
        expect(ends.length).toBeGreaterThan(1);
        for (const y of ends) expect(y).toBeGreaterThanOrEqual((first - 34) * LAYOUT.rowHeight);
        for (const y of ends) expect(y).toBeLessThanOrEqual((last + 34) * LAYOUT.rowHeight);
      }
    }),
  );
});

test('draws a fully visible path from its child to its parent', () => {
  fc.assert(
    fc.property(placed, (all) => {
      for (const line of all) {
        const path = numbers(pathOf(line, 0, 400, LAYOUT));
        const y = (row: number) => (row + 0.5) * LAYOUT.rowHeight;
        expect(path.slice(0, 2)).toEqual([LAYOUT.left + line.topLane * LAYOUT.laneWidth, y(line.top)]);
        expect(path.at(-1)).toBe(y(line.bottom));
        if (line.topLane !== line.bottomLane)
          expect(path.at(-2)).toBe(LAYOUT.left + line.bottomLane * LAYOUT.laneWidth);
      }
    }),
  );
});
