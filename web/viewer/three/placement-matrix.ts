// Converts placements in mm, Z up, to matrices of the stage, which has meters with Y up as GLB files.
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Rows } from '../../../subgraphs/core/domain/measure/entity.ts';

const UPRIGHT = new Matrix4().set(0.001, 0, 0, 0, 0, 0, 0.001, 0, 0, -0.001, 0, 0, 0, 0, 0, 1);
const FROM_UPRIGHT = UPRIGHT.clone().invert();
/** Turns the axes of the stage to those of placements. */
export const UPRIGHT_TURN = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2);

export function matrixOf(rows: Rows): Matrix4 {
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 1, g = 0, h = 0, i = 0, j = 0, k = 1, l = 0] = rows;
  const matrix = new Matrix4().set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1);
  return matrix.premultiply(UPRIGHT).multiply(FROM_UPRIGHT);
}

export function rowsOf(matrix: Matrix4): Rows {
  const { elements: m } = matrix.clone().premultiply(FROM_UPRIGHT).multiply(UPRIGHT);
  return [0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => m[column + row] ?? 0));
}
