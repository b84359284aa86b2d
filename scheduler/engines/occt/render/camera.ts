import { cross, type Matrix, normalize, type Vector } from '../product/matrix.ts';

/** Axes of the image in model space: right, up, and towards the eye. */
export type Camera = readonly [right: Vector, up: Vector, towards: Vector];

/** Returns the camera of a parallel view of a Z-up model from a direction. */
export function cameraFrom(direction: Vector): Camera {
  const towards = normalize(direction);
  const right = normalize(cross([0, 0, 1], towards));
  return [right, cross(towards, right), towards];
}

/** The camera in a part's coordinates: three rows of four, translation in the last column. */
export type CameraRows = readonly [
  ...[number, number, number, number],
  ...[number, number, number, number],
  ...[number, number, number, number],
];

/** Returns the camera for a part that is placed in the model by `m`. */
export function cameraRows(camera: Camera, m: Matrix): CameraRows {
  const at = ([x, y, z]: Vector, column: number) => x * m[column]! + y * m[4 + column]! + z * m[8 + column]!;
  const row = (axis: Vector) => [at(axis, 0), at(axis, 1), at(axis, 2), at(axis, 3)] as const;
  return [...row(camera[0]), ...row(camera[1]), ...row(camera[2])];
}

/**
 * Transforms points (or directions, if `withShift` is false) from part to camera coordinates and writes them to `out`.
 */
export function project(source: Float32Array, rows: CameraRows, withShift: boolean, out: Float32Array): void {
  const w = withShift ? 1 : 0;
  const [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3] = rows;
  for (let i = 0; i < source.length; i += 3) {
    const x = source[i]!;
    const y = source[i + 1]!;
    const z = source[i + 2]!;
    out[i] = a0 * x + a1 * y + a2 * z + a3 * w;
    out[i + 1] = b0 * x + b1 * y + b2 * z + b3 * w;
    out[i + 2] = c0 * x + c1 * y + c2 * z + c3 * w;
  }
}
