import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, edgesOf, rankCandidates } from './snap.ts';

type Flat = readonly [x: number, y: number];
/** Lines along points in a plane. */
const along = (points: readonly Flat[]) => points.slice(1).flatMap((to, at) => [...(points[at] ?? to), 0, ...to, 0]);
const arc = (middle: Flat, radius: number, from: number, to: number, steps: number): Flat[] =>
  Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [middle[0] + radius * Math.cos(angle), middle[1] + radius * Math.sin(angle)];
  });
const edges = (...lines: readonly number[][]) => {
  const { lines: found, middles } = edgesOf(Float32Array.from(lines.flat()));
  return Array.from(middles, (middle, at) => ({
    from: found.slice(at * 6, at * 6 + 2).join(),
    to: found.slice(at * 6 + 3, at * 6 + 5).join(),
    middle,
  }));
};

describe('edgesOf', () => {
  it('returns straight edges with midpoints between corners', () => {
    const square = edges(
      along([
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
        [0, 0],
      ]),
    );
    expect(square).toHaveLength(4);
    expect(square.map(({ middle }) => middle)).toEqual([1, 1, 1, 1]);
  });

  it('joins collinear pieces unless another line starts between them', () => {
    const pieces: Flat[] = [
      [0, 0],
      [1, 0],
      [5, 0],
      [9, 0],
    ];
    expect(edges(along(pieces))).toEqual([{ from: '0,0', to: '9,0', middle: 1 }]);
    expect(
      edges(
        along(pieces),
        along([
          [5, 0],
          [5, 7],
        ]),
      ),
    ).toHaveLength(3);
  });

  it('returns neither midpoints nor vertices for chords of a curve', () => {
    const round = arc([0, 0], 10, 0, 345, 23);
    const { vertices, middles } = edgesOf(Float32Array.from(along([...round, ...round.slice(0, 1)])));
    expect([...middles, ...vertices].some(Boolean)).toBe(false);
    expect(vertices).toHaveLength(48);
  });

  it('returns a vertex at both ends of a curve and where a straight edge runs into it', () => {
    const count = (points: readonly Flat[]) =>
      edgesOf(Float32Array.from(along(points))).vertices.filter(Boolean).length;
    expect(count(arc([0, 0], 10, 0, 90, 6))).toBe(2);
    expect(count([...arc([0, 0], 10, 0, 90, 6), [-40, 10]])).toBe(3);
  });

  it('returns straight edges that run into arcs', () => {
    const slot = edges(along([...arc([40, 0], 10, -90, 90, 12), ...arc([0, 0], 10, 90, 270, 12), [40, -10]]));
    expect(slot.filter(({ middle }) => middle === 1)).toHaveLength(2);
    expect(slot).toHaveLength(26);
  });

  it('restores a line from any pieces of it', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 9 }),
        fc.boolean(),
        (cuts, backwards) => {
          const line = along([0, ...cuts.sort((a, b) => a - b), 100].map((x): Flat => [x, 0]));
          const pieces = Array.from({ length: line.length / 6 }, (_, at) => line.slice(at * 6, at * 6 + 6));
          const mixed = backwards ? pieces.map((piece) => [...piece.slice(3), ...piece.slice(0, 3)]).reverse() : pieces;
          expect(edges(mixed.flat()).map(({ from, to }) => [from, to].sort())).toEqual([['0,0', '100,0']]);
        },
      ),
    );
  });
});

it('ranks vertices before midpoints before edges, then by distance, then by depth', () => {
  const at = (value: string, feature: Candidate<string>['feature'], pixels: number, depth: number) => ({
    value,
    feature,
    pixels,
    depth,
  });
  const near = [
    at('e', 'edge', 0, 0),
    at('far', 'vertex', 8, 0),
    at('back', 'vertex', 3.1, 0.9),
    at('front', 'vertex', 3.2, 0.2),
    at('m', 'middle', 1, 0),
  ];
  expect(rankCandidates(near).map(({ value }) => value)).toEqual(['front', 'back', 'far', 'm', 'e']);
});
