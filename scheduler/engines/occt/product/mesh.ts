import type { Kernel, Shape } from '../kernel.ts';
import type { Vector } from './matrix.ts';

/**
 * Triangles of a part in mm: three coordinates per vertex and normal; `lines` are the face edges as pairs of points.
 * `faces` has two numbers for each face of the shape: where its triangles start in `indices`, and their number of
 * indices. Faces share no vertices. `unmeshed` counts the faces that have an area but no triangles.
 */
export type Mesh = {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
  lines: Float32Array;
  faces: Uint32Array;
  unmeshed: number;
};

/** Meshes a shape to a chord error (mm) and an angle (rad). `groups`: start, count and hash of each meshed face. */
export function extractTriangles(
  kernel: Kernel,
  shape: Shape,
  tolerance: number,
  angle: number,
): Pick<Mesh, 'positions' | 'normals' | 'indices'> & { groups: Uint32Array } {
  using faces = kernel.ReplicadMeshExtractor.extract(shape, tolerance, angle, false);
  // Copied at once: when the kernel's memory grows, views of it are detached.
  const { buffer } = kernel.wasmMemory;
  return {
    positions: new Float32Array(buffer, faces.getVerticesPtr(), faces.getVerticesSize()).slice(),
    normals: new Float32Array(buffer, faces.getNormalsPtr(), faces.getNormalsSize()).slice(),
    indices: new Uint32Array(buffer, faces.getTrianglesPtr(), faces.getTrianglesSize()).slice(),
    groups: new Uint32Array(buffer, faces.getFaceGroupsPtr(), faces.getFaceGroupsSize()).slice(),
  };
}

/** Returns the area of a mesh in mm². */
export function meshArea({ positions: p, indices }: Pick<Mesh, 'positions' | 'indices'>): number {
  let area = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = indices[t]! * 3;
    const b = indices[t + 1]! * 3;
    const c = indices[t + 2]! * 3;
    const ux = p[b]! - p[a]!;
    const uy = p[b + 1]! - p[a + 1]!;
    const uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!;
    const vy = p[c + 1]! - p[a + 1]!;
    const vz = p[c + 2]! - p[a + 2]!;
    area += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return area;
}

/** Returns the volume between the triangles of faces and a point in mm³: with its sign, and the sum of the amounts. */
export function meshVolume(
  { positions: p, indices, faces }: Mesh,
  [x, y, z]: Vector = [0, 0, 0],
  includes: (face: number) => boolean = () => true,
): { signed: number; total: number } {
  let [signed, total] = [0, 0];
  for (let face = 0; face * 2 < faces.length; face++) {
    if (!includes(face)) continue;
    const start = faces[face * 2]!;
    for (let t = start; t < start + faces[face * 2 + 1]!; t += 3) {
      const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3];
      const [ax, ay, az] = [p[a]! - x, p[a + 1]! - y, p[a + 2]! - z];
      const [bx, by, bz] = [p[b]! - x, p[b + 1]! - y, p[b + 2]! - z];
      const [cx, cy, cz] = [p[c]! - x, p[c + 1]! - y, p[c + 2]! - z];
      const volume = (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
      signed += volume;
      total += Math.abs(volume);
    }
  }
  return { signed, total };
}
