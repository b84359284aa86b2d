import { describe, expect, test } from 'vitest';
import { IDENTITY } from '../product/matrix.ts';
import type { Mesh } from '../product/mesh.ts';
import type { Colour } from '../product/palette.ts';
import { encodePng } from './encode-png.ts';
import { featureEdges } from './feature-edges.ts';
import { type RenderItem, renderImage } from './render-image.ts';
import type { RgbaImage } from './shade.ts';

/** A cuboid with separate vertices for each of its six faces, and its twelve edges. */
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
    faces: new Uint32Array(),
    unmeshed: 0,
  };
}

/** The lateral face of a cylinder as 24 strips with smooth normals; its only line is the seam. */
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
    faces: new Uint32Array(),
    unmeshed: 0,
  };
}

const item = (mesh: Mesh, matrix = IDENTITY, colour: Colour = [184, 193, 204]): RenderItem => ({
  mesh,
  matrix,
  surfaces: [{ colour, indices: mesh.indices, faces: [] }],
});
const pixel = ({ width, data }: RgbaImage, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];
const brightness = (image: RgbaImage, x: number, y: number) =>
  pixel(image, x, y)
    .slice(0, 3)
    .reduce((sum, value) => sum + value, 0);

describe('the image of a cube', () => {
  const image = renderImage([item(cuboid(10, 10, 10))], 96);
  test('shows three faces, the top the lightest and the right one the darkest', () => {
    const [top, front, right] = [brightness(image, 48, 26), brightness(image, 30, 60), brightness(image, 66, 60)];
    expect(top).toBeGreaterThan(front + 30);
    expect(front).toBeGreaterThan(right + 30);
  });
  test('fills the height between the margins and leaves the background transparent', () => {
    const rows = Array.from({ length: 96 }, (_, y) =>
      Array.from({ length: 96 }, (_, x) => pixel(image, x, y)[3]!).some((alpha) => alpha > 0),
    );
    expect(rows.indexOf(true)).toBeGreaterThanOrEqual(2);
    expect(rows.indexOf(true)).toBeLessThanOrEqual(4);
    expect(96 - rows.lastIndexOf(true)).toBeLessThanOrEqual(5);
    expect(pixel(image, 2, 2)).toEqual([0, 0, 0, 0]);
  });
  test('has dark, antialiased edges', () => {
    expect(brightness(image, 48, 47)).toBeLessThan(brightness(image, 30, 60) - 60);
    const alphas = new Set(Array.from({ length: 96 * 96 }, (_, i) => image.data[i * 4 + 3]!));
    expect(alphas.size).toBeGreaterThan(5);
  });
  test('is deterministic', () =>
    expect(encodePng(renderImage([item(cuboid(10, 10, 10))], 96))).toEqual(encodePng(image)));
});

test('hides items behind others', () => {
  const behind = item(cuboid(2, 2, 2), [1, 0, 0, 1, 0, 1, 0, 14, 0, 0, 1, -6, 0, 0, 0, 1], [255, 0, 0]);
  const image = renderImage([item(cuboid(10, 10, 10)), behind], 96);
  const reds = Array.from({ length: 96 * 96 }, (_, i) => image.data[i * 4]! - image.data[i * 4 + 1]!);
  expect(Math.max(...reds)).toBeLessThan(30);
});

test('shows what is behind a transparent item, and the background through it', () => {
  const behind = item(cuboid(2, 2, 2), [1, 0, 0, 1, 0, 1, 0, 14, 0, 0, 1, -6, 0, 0, 0, 1], [255, 0, 0]);
  const glass = item(cuboid(10, 10, 10), IDENTITY, [0, 0, 255, 0.25]);
  const reds = (image: RgbaImage) =>
    Array.from({ length: 96 * 96 }, (_, i) => image.data[i * 4]! - image.data[i * 4 + 2]!).filter((red) => red > 60);
  expect(reds(renderImage([glass, behind], 96)).length).toBeGreaterThan(100);
  const [red, , blue, opacity] = pixel(renderImage([glass], 96), 30, 60) as [number, number, number, number];
  expect(opacity).toBe(64);
  expect(blue).toBeGreaterThan(red + 60);
});

test('frames the model without a small part far away, but with large ones', () => {
  const at = (x: number) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const opaque = (items: RenderItem[]) =>
    renderImage(items, 96).data.filter((value, i) => i % 4 === 3 && value > 0).length / 96 ** 2;
  const cube = item(cuboid(10, 10, 10));
  const alone = opaque([cube]);
  expect(opaque([cube, item(cuboid(0.2, 0.2, 0.2), at(500))])).toBeCloseTo(alone, 2);
  expect(opaque([cube, item(cuboid(10, 10, 10), at(500))])).toBeLessThan(alone / 10);
});

test('draws edges without triangles behind them', () => {
  const frame = { ...cuboid(10, 10, 10), indices: new Uint32Array() };
  const image = renderImage([item(frame)], 96);
  const isDrawn = (x: number, y: number) => pixel(image, x, y)[3]! > 0;
  expect(isDrawn(48, 47)).toBe(true);
  expect(isDrawn(30, 60)).toBe(false);
});

test('renders a flat sheet and a single point', () => {
  expect(renderImage([item(cuboid(10, 10, 0))], 48).width).toBe(48);
  expect(renderImage([item(cuboid(0, 0, 0))], 48).width).toBe(48);
});

describe('feature edges', () => {
  test('include all twelve edges of a cuboid', () => expect(featureEdges(cuboid(1, 2, 3)).length).toBe(12 * 6));
  test('omit the seam of a cylinder', () => expect(featureEdges(roundBar()).length).toBe(0));
  test('include the border of a sheet', () => {
    const sheet = { ...cuboid(1, 2, 3), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
    expect(featureEdges(sheet).length).toBe(12 * 6);
  });
});
