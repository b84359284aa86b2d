import { fail } from '../job-failure.ts';
import { LIMITS } from '../limits.ts';
import type { Colour } from '../product/palette.ts';

/**
 * Triangles of a mesh file in mm: three coordinates per vertex, three vertices per triangle. `groups` colours ranges of
 * triangles, in their order.
 */
export type Triangles = { positions: Float64Array; indices: Uint32Array; groups: TriangleGroup[] };
export type TriangleGroup = { triangles: number; colour: Colour | null };

const MAX_COORDINATE = 1e9;

/**
 * Returns checked triangles. Throws JobFailure `too_large` above the limit, `dangling` if a vertex is missing,
 * `bad_number` if a coordinate is not a number, `unbounded` if it is too large.
 */
export function checkTriangles(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  colour: Colour | null = null,
): Triangles {
  const count = indices.length / 3;
  if (count > LIMITS.triangles) failTooMany(count);
  const vertices = positions.length / 3;
  const checked: Triangles = {
    positions: Float64Array.from(positions),
    indices: new Uint32Array(indices.length),
    groups: [{ triangles: count, colour }],
  };
  for (let i = 0; i < indices.length; i++) {
    const vertex = indices[i]!;
    if (!(vertex >= 0 && vertex < vertices)) fail('dangling', `a triangle has vertex ${vertex} of ${vertices}`);
    checked.indices[i] = vertex;
  }
  for (const value of checked.positions) {
    if (!Number.isFinite(value)) fail('bad_number', 'a coordinate of the mesh is not a number');
    if (Math.abs(value) > MAX_COORDINATE) fail('unbounded', 'the mesh has no finite extent');
  }
  return checked;
}

/** Joins meshes to one. */
export function joinTriangles(meshes: readonly Triangles[]): Triangles {
  const [only, ...more] = meshes;
  if (only && !more.length) return only;
  const sum = (count: (mesh: Triangles) => number) => meshes.reduce((total, mesh) => total + count(mesh), 0);
  const length = sum(({ indices }) => indices.length);
  if (length / 3 > LIMITS.triangles) failTooMany(length / 3);
  const joined: Triangles = {
    positions: new Float64Array(sum(({ positions }) => positions.length)),
    indices: new Uint32Array(length),
    groups: meshes.flatMap(({ groups }) => groups),
  };
  let position = 0;
  let index = 0;
  for (const { positions, indices } of meshes) {
    joined.positions.set(positions, position);
    for (const vertex of indices) joined.indices[index++] = vertex + position / 3;
    position += positions.length;
  }
  return joined;
}

function failTooMany(count: number): never {
  return fail('too_large', `the mesh has ${count} triangles; the maximum is ${LIMITS.triangles}`);
}

/** Appends the triangles of a polygon, as a fan. */
export function addPolygon(indices: number[], polygon: readonly number[]): void {
  for (let i = 2; i < polygon.length; i++) indices.push(polygon[0]!, polygon[i - 1]!, polygon[i]!);
}
