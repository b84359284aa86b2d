import { describe, expect, test } from 'vitest';
import { IDENTITY } from '../matrix.ts';
import type { Mesh } from '../tessellate.ts';
import { drawPicture, type PictureItem } from './draw-picture.ts';
import { featureEdges } from './feature-edges.ts';
import { png } from './png.ts';
import type { Picture } from './shade.ts';

/** A cuboid with six faces of their own vertices, and its twelve edges. */
function cuboid(x: number, y: number, z: number): Mesh {
  const size = [x, y, z];
  const corner = (a: number, b: number, axis: number, side: number) => {
    const at = [0, 0, 0];
    at[axis] = side;
    at[(axis + 1) % 3] = a;
    at[(axis + 2) % 3] = b;
    return at.map((share, i) => share * size[i]!);
  };
  const mesh = { positions: [] as number[], normals: [] as number[], indices: [] as number[], lines: [] as number[] };
  for (const axis of [0, 1, 2]) {
    for (const side of [0, 1]) {
      const first = mesh.positions.length / 3;
      const normal = [0, 0, 0].map((_, i) => (i === axis ? 2 * side - 1 : 0));
      for (const [a, b] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const) {
        mesh.positions.push(...corner(a, b, axis, side));
        mesh.normals.push(...normal);
      }
      mesh.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
      for (const b of [0, 1]) mesh.lines.push(...corner(side, b, axis, 0), ...corner(side, b, axis, 1));
    }
  }
  return {
    positions: Float32Array.from(mesh.positions),
    normals: Float32Array.from(mesh.normals),
    indices: Uint32Array.from(mesh.indices),
    lines: Float32Array.from(mesh.lines),
  };
}

/** The side of a round bar as a prism of 24 strips with smooth normals; its only line is the seam. */
function roundBar(): Mesh {
  const around = Array.from({ length: 25 }, (_, i) => (i % 24) * ((2 * Math.PI) / 24)).map(
    (angle) => [Math.cos(angle), Math.sin(angle)] as const,
  );
  const positions = around.flatMap(([x, y]) => [x, y, 0, x, y, 4]);
  const normals = around.flatMap(([x, y]) => [x, y, 0, x, y, 0]);
  const indices = Array.from({ length: 24 }, (_, i) => [
    2 * i,
    2 * i + 2,
    2 * i + 1,
    2 * i + 1,
    2 * i + 2,
    2 * i + 3,
  ]).flat();
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
    lines: Float32Array.from([1, 0, 0, 1, 0, 4]),
  };
}

const item = (mesh: Mesh, matrix = IDENTITY): PictureItem => ({ mesh, matrix, tint: [184, 193, 204] });
const pixel = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];
const brightness = (picture: Picture, x: number, y: number) =>
  pixel(picture, x, y)
    .slice(0, 3)
    .reduce((sum, value) => sum + value, 0);

describe('the picture of a cube', () => {
  const picture = drawPicture([item(cuboid(10, 10, 10))], 96);

  test('shows three faces as an isometric view does: the top is the lightest, the right side the darkest', () => {
    const [top, front, right] = [brightness(picture, 48, 26), brightness(picture, 30, 60), brightness(picture, 66, 60)];
    expect(top).toBeGreaterThan(front + 30);
    expect(front).toBeGreaterThan(right + 30);
  });

  test('is framed: it reaches the margins at top and bottom and nothing else is drawn', () => {
    const rows = Array.from({ length: 96 }, (_, y) =>
      Array.from({ length: 96 }, (_, x) => pixel(picture, x, y)[3]!).some((alpha) => alpha > 0),
    );
    expect(rows.indexOf(true)).toBeGreaterThanOrEqual(2);
    expect(rows.indexOf(true)).toBeLessThanOrEqual(4);
    expect(96 - rows.lastIndexOf(true)).toBeLessThanOrEqual(5);
    expect(pixel(picture, 2, 2)).toEqual([0, 0, 0, 0]);
  });

  test('has edges that are drawn dark and smoothed', () => {
    expect(brightness(picture, 48, 47)).toBeLessThan(brightness(picture, 30, 60) - 60);
    const alphas = new Set(Array.from({ length: 96 * 96 }, (_, i) => picture.data[i * 4 + 3]!));
    expect(alphas.size).toBeGreaterThan(5);
  });

  test('is the same each time', () => expect(png(drawPicture([item(cuboid(10, 10, 10))], 96))).toEqual(png(picture)));
});

test('what lies behind is hidden', () => {
  const behind: PictureItem = {
    ...item(cuboid(2, 2, 2), [1, 0, 0, 1, 0, 1, 0, 14, 0, 0, 1, -6, 0, 0, 0, 1]),
    tint: [255, 0, 0],
  };
  const picture = drawPicture([item(cuboid(10, 10, 10)), behind], 96);
  const reds = Array.from({ length: 96 * 96 }, (_, i) => picture.data[i * 4]! - picture.data[i * 4 + 1]!);
  expect(Math.max(...reds)).toBeLessThan(30);
});

test('a thin sheet and a picture of nothing but a point are drawn without fault', () => {
  expect(drawPicture([item(cuboid(10, 10, 0))], 48).width).toBe(48);
  expect(drawPicture([item(cuboid(0, 0, 0))], 48).width).toBe(48);
});

describe('of the edges of a mesh', () => {
  test('all twelve of a cuboid are drawn', () => expect(featureEdges(cuboid(1, 2, 3)).length).toBe(12 * 6));
  test('the seam of a round bar is not', () => expect(featureEdges(roundBar()).length).toBe(0));
  test('the border of a sheet is', () => {
    const sheet = { ...cuboid(1, 2, 3), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
    expect(featureEdges(sheet).length).toBe(12 * 6);
  });
});
