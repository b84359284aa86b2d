import { fail } from '../job-failure.ts';
import { LIMITS } from '../limits.ts';
import { IDENTITY, type Matrix, transformPoint } from '../product/matrix.ts';
import type { Definition, Part } from '../product/product.ts';
import type { Triangles } from './triangles.ts';

/** A mesh in a file and where it is placed, by any affine transform in mm. */
export type PlacedMesh = { mesh: Triangles; name: string; matrix: Matrix };

export type MeshPart = Part<Triangles>;
export type MeshDefinition = Definition<Triangles>;

/**
 * Builds the product of placed meshes: one part for each mesh and size. Parts are only moved and rotated, so scaled and
 * mirrored meshes become parts of their own. Throws JobFailure `empty`, `too_many_occurrences` or `too_large`.
 */
export function placeMeshes(placed: readonly PlacedMesh[], name: string): MeshDefinition {
  const visible = placed.filter(({ mesh }) => mesh.indices.length);
  const [only, ...more] = visible;
  if (!only) fail('empty', 'the file contains no triangle');
  if (visible.length > LIMITS.occurrences)
    fail('too_many_occurrences', `the file places more than ${LIMITS.occurrences} meshes`);
  const total = visible.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  if (total > LIMITS.placedTriangles)
    fail('too_large', `the file places ${total} triangles; the maximum is ${LIMITS.placedTriangles}`);
  if (!more.length) return partOf(only, only.matrix, name);
  const parts = new Map<Triangles, Map<string, MeshPart>>();
  const uses = visible.map((item) => {
    const { size, move } = split(item.matrix);
    const known = parts.get(item.mesh) ?? new Map<string, MeshPart>();
    parts.set(item.mesh, known);
    const key = size.map((value) => value.toPrecision(9)).join();
    const part = known.get(key) ?? partOf(item, size, item.name);
    known.set(key, part);
    return { definition: part, name: item.name, transform: move };
  });
  return { name, shape: null, uses };
}

// Divides a transform into one that changes the size and one that only moves and rotates, applied in this order.
function split(matrix: Matrix): { size: Matrix; move: Matrix } {
  const columns = [0, 1, 2].map((i) => [matrix[i]!, matrix[i + 4]!, matrix[i + 8]!] as const);
  const [x, y, z] = columns as [(typeof columns)[0], (typeof columns)[0], (typeof columns)[0]];
  const scale = Math.hypot(...x);
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const squared = scale * scale;
  const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * squared;
  const isSimilarity =
    [dot(x, y), dot(y, z), dot(z, x)].every((value) => isClose(value, 0)) &&
    [dot(y, y), dot(z, z)].every((value) => isClose(value, squared)) &&
    determinant(matrix) > 0;
  const [tx, ty, tz] = [matrix[3]!, matrix[7]!, matrix[11]!];
  if (isSimilarity) {
    const factor = Math.abs(scale - 1) < 1e-6 ? 1 : scale;
    const move = matrix.map((value, at) => (at % 4 === 3 || at > 11 ? value : value / factor));
    return { size: [factor, 0, 0, 0, 0, factor, 0, 0, 0, 0, factor, 0, 0, 0, 0, 1], move };
  }
  const size = matrix.map((value, at) => (at === 3 || at === 7 || at === 11 ? 0 : value));
  return { size, move: [1, 0, 0, tx, 0, 1, 0, ty, 0, 0, 1, tz, 0, 0, 0, 1] };
}

function partOf({ mesh }: PlacedMesh, matrix: Matrix, name: string): MeshPart {
  return {
    name,
    shape: matrix.every((value, i) => value === IDENTITY[i]) ? mesh : transform(mesh, matrix),
    uses: null,
  };
}

/** Returns the triangles moved by a matrix; if it mirrors, their orientation is kept outwards. */
export function transform({ positions, indices, groups }: Triangles, matrix: Matrix): Triangles {
  const moved = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3)
    moved.set(transformPoint(matrix, [positions[i]!, positions[i + 1]!, positions[i + 2]!]), i);
  const isMirrored = determinant(matrix) < 0;
  const turned = isMirrored
    ? indices.map((vertex, i) => (i % 3 ? indices[i % 3 === 1 ? i + 1 : i - 1]! : vertex))
    : indices;
  return { positions: moved, indices: turned, groups };
}

function determinant(m: Matrix): number {
  return (
    m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
    m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
    m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!)
  );
}
