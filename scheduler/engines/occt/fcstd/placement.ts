import { fail } from '../job-failure.ts';
import type { Matrix } from '../product/matrix.ts';

/** Returns the matrix of a position and a quaternion (x, y, z, w). Throws JobFailure `structure` if one is not finite. */
export function matrixOf(values: readonly number[]): Matrix {
  if (values.length !== 7 || !values.every(Number.isFinite))
    fail('structure', 'the FreeCAD document is damaged: a placement cannot be read');
  const [x, y, z, ...rotation] = values as [number, number, number, ...number[]];
  const length = Math.hypot(...rotation) || 1;
  const [a, b, c, d] = rotation.map((value) => value / length) as [number, number, number, number];
  return [
    ...[1 - 2 * (b * b + c * c), 2 * (a * b - c * d), 2 * (a * c + b * d), x],
    ...[2 * (a * b + c * d), 1 - 2 * (a * a + c * c), 2 * (b * c - a * d), y],
    ...[2 * (a * c - b * d), 2 * (b * c + a * d), 1 - 2 * (a * a + b * b), z],
    ...[0, 0, 0, 1],
  ];
}

/** Reads a PlacementList: the number of placements, then 7 values for each, with 4 or 8 bytes. */
export function readPlacements(bytes: Uint8Array | undefined): Matrix[] {
  if (!bytes || bytes.length < 4) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint32(0, true);
  if (!count) return [];
  const size = (bytes.length - 4) / 7 / count;
  if (size !== 4 && size !== 8)
    fail('structure', 'the FreeCAD document is damaged: a list of placements cannot be read');
  const valueAt = (at: number) => (size === 8 ? view.getFloat64(at, true) : view.getFloat32(at, true));
  return Array.from({ length: count }, (_, i) =>
    matrixOf(Array.from({ length: 7 }, (_, j) => valueAt(4 + (7 * i + j) * size))),
  );
}
