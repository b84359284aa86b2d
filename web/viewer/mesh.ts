// Geometry of triangle meshes: the outline of a section, and volume and area.
import type { Point } from './space.ts';

export type Mesh = { positions: ArrayLike<number>; indices: ArrayLike<number> };

/**
 * Returns the lines in which a plane (`normal` · point + `constant` = 0) cuts the triangles, as pairs of points (six
 * numbers each).
 */
export function sliceMesh({ positions, indices }: Mesh, normal: Point, constant: number): number[] {
  const lines: number[] = [];
  const at = (vertex: number, axis: number) => positions[vertex * 3 + axis] as number;
  const distance = (vertex: number) =>
    at(vertex, 0) * normal[0] + at(vertex, 1) * normal[1] + at(vertex, 2) * normal[2] + constant;
  for (let t = 0; t + 2 < indices.length; t += 3) {
    const corners = [indices[t] as number, indices[t + 1] as number, indices[t + 2] as number];
    const distances = corners.map(distance);
    // a corner on the plane counts as above it, so that each line is found once
    const above = distances.map((each) => each >= 0);
    if (above[0] === above[1] && above[1] === above[2]) continue;
    for (let side = 0; side < 3; side++) {
      const [from, to] = [side, (side + 1) % 3];
      if (above[from] === above[to]) continue;
      const [d0, d1] = [distances[from] as number, distances[to] as number];
      const share = d0 / (d0 - d1);
      for (let axis = 0; axis < 3; axis++) {
        const [start, end] = [at(corners[from] as number, axis), at(corners[to] as number, axis)];
        lines.push(start + (end - start) * share);
      }
    }
  }
  return lines;
}

/** Returns the area, and the volume below the triangles: its sum over the meshes of a closed shape is the volume. */
export function measureMesh({ positions, indices }: Mesh): { volume: number; area: number } {
  let [volume, area] = [0, 0];
  for (let t = 0; t + 2 < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => pointAt(positions, indices[t + corner] as number)) as Corners;
    const [u, v] = [minus(b, a), minus(c, a)];
    const cross: Point = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    area += Math.hypot(...cross) / 2;
    volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6;
  }
  return { volume, area };
}

type Corners = [Point, Point, Point];
const pointAt = (positions: ArrayLike<number>, vertex: number): Point => [
  positions[vertex * 3] as number,
  positions[vertex * 3 + 1] as number,
  positions[vertex * 3 + 2] as number,
];
const minus = (one: Point, other: Point): Point => [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
