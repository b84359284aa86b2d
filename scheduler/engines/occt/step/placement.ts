import { cross, dot, IDENTITY, type Matrix, normalize, type Vector } from '../product/matrix.ts';
import type { StepFile } from './parse-step.ts';
import { referenceOf, tripleOf } from './values.ts';

/** Returns the matrix of an AXIS2_PLACEMENT_3D with the defaults of ISO 10303-42; `mm` is the length of a file unit. */
export function placementOf(file: StepFile, id: number, mm: number): Matrix {
  const placement = file.lookUp(id);
  if (placement?.type !== 'AXIS2_PLACEMENT_3D') return IDENTITY;
  const [, origin, axis, refDirection] = placement.values;
  const read = (value: typeof origin): Vector => tripleOf(file.lookUp(referenceOf(value))?.values[1]);
  const [ox, oy, oz] = read(origin);
  const z = normalize(axis ? read(axis) : [0, 0, 1]);
  const defaultDirection: Vector = Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const towards = refDirection ? read(refDirection) : defaultDirection;
  const along = dot(towards, z);
  const x = normalize([towards[0] - along * z[0], towards[1] - along * z[1], towards[2] - along * z[2]]);
  const y = cross(z, x);
  return [x[0], y[0], z[0], ox * mm, x[1], y[1], z[1], oy * mm, x[2], y[2], z[2], oz * mm, 0, 0, 0, 1];
}
