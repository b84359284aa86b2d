import type { Vector } from '../product/matrix.ts';
import type { Welded } from './weld.ts';

/**
 * `open`: edges with an odd number of triangles. `twisted`: edges whose triangles have opposite orientations. The mesh
 * encloses a volume if there is neither. `lines`: the edges that a drawing would show, as pairs of points.
 */
export type MeshEdges = { open: number; twisted: number; lines: Float32Array };

const CREASE = Math.cos((30 * Math.PI) / 180);

/** Finds the edges of a mesh; `normals` has a unit vector for each triangle. */
export function meshEdges({ points, triangles }: Welded, normals: Float32Array): MeshEdges {
  const count = points.length / 3;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(triangles.length, 4) * 1.5)) - 1;
  const keys = new Float64Array(mask + 1).fill(-1);
  const first = new Int32Array(mask + 1);
  const uses = new Int32Array(mask + 1);
  const turns = new Int32Array(mask + 1);
  const sharp = new Uint8Array(mask + 1);
  for (let i = 0; i < triangles.length; i++) {
    const from = triangles[i]!;
    const to = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    const key = low * count + high;
    const triangle = Math.floor(i / 3);
    let slot = (Math.imul(low, 73856093) ^ Math.imul(high, 19349663)) & mask;
    while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & mask;
    if (keys[slot] === -1) {
      keys[slot] = key;
      first[slot] = triangle;
    } else if (cosine(normals, first[slot]!, triangle) < CREASE) sharp[slot] = 1;
    uses[slot]!++;
    turns[slot]! += from < to ? 1 : -1;
  }
  let open = 0;
  let twisted = 0;
  const lines: number[] = [];
  for (let slot = 0; slot <= mask; slot++) {
    const key = keys[slot]!;
    if (key === -1) continue;
    const isOpen = uses[slot]! % 2 === 1;
    if (isOpen) open++;
    else if (turns[slot]) twisted++;
    if (!isOpen && !sharp[slot]) continue;
    for (const point of [Math.floor(key / count), key % count])
      lines.push(points[3 * point]!, points[3 * point + 1]!, points[3 * point + 2]!);
  }
  return { open, twisted, lines: Float32Array.from(lines) };
}

function cosine(normals: Float32Array, a: number, b: number): number {
  return (
    normals[3 * a]! * normals[3 * b]! +
    normals[3 * a + 1]! * normals[3 * b + 1]! +
    normals[3 * a + 2]! * normals[3 * b + 2]!
  );
}

/** The area in mm², the volume in mm³ and the center of mass of what the triangles enclose. */
export type MeshMeasures = { area: number; volume: number; centre: Vector };

/** Measures a mesh relative to its first point, which avoids rounding errors far from the origin. */
export function measureMesh({ points, triangles }: Welded): MeshMeasures {
  const origin = [points[0] ?? 0, points[1] ?? 0, points[2] ?? 0];
  let area = 0;
  let volume = 0;
  const moment = [0, 0, 0];
  const corner = (i: number): Vector => {
    const at = 3 * triangles[i]!;
    return [points[at]! - origin[0]!, points[at + 1]! - origin[1]!, points[at + 2]! - origin[2]!];
  };
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]] as const;
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
    area += Math.hypot(...n) / 2;
    const part = (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
    volume += part;
    for (let axis = 0; axis < 3; axis++) moment[axis]! += (part * (a[axis]! + b[axis]! + c[axis]!)) / 4;
  }
  const centre = moment.map((value, axis) => (volume ? value / volume : 0) + origin[axis]!);
  return { area, volume, centre: centre as unknown as Vector };
}
