import type { Point } from '../../../../subgraphs/core/domain/measure/vector.ts';

type KernelPoint = { X(): number; Y(): number; Z(): number; delete(): void };

/** Copies the coordinates of a point, vector or direction of the kernel and frees it. */
export function takePoint(value: KernelPoint): Point {
  const point = [value.X(), value.Y(), value.Z()] as const;
  value.delete();
  return point;
}
