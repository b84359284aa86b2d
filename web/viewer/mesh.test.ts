import { expect, test } from 'vitest';
import { measureMesh, sliceMesh } from './mesh.ts';

/** A box from the origin with eight corners. */
function box(x: number, y: number, z: number) {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [
    corner & 1 ? x : 0,
    corner & 2 ? y : 0,
    corner & 4 ? z : 0,
  ]);
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const indices = faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d] as number[]);
  return { positions, indices };
}

test('measures the volume and the area of a closed mesh', () => {
  expect(measureMesh(box(2, 3, 4))).toEqual({ volume: 24, area: 52 });
});

test('cuts a box along its outline, also through its corners', () => {
  const perimeter = (lines: number[]) => {
    let sum = 0;
    for (let at = 0; at < lines.length; at += 6)
      sum += Math.hypot(...[0, 1, 2].map((axis) => (lines[at + axis] ?? 0) - (lines[at + 3 + axis] ?? 0)));
    return sum;
  };
  expect(perimeter(sliceMesh(box(2, 3, 4), [0, 0, 1], -1))).toBeCloseTo(10);
  expect(perimeter(sliceMesh(box(2, 3, 4), [0, 0, 1], -4))).toBeCloseTo(10);
  expect(sliceMesh(box(2, 3, 4), [0, 0, 1], -5)).toEqual([]);
});
