import type { BRepAdaptor_Surface } from 'replicad-opencascadejs';
import {
  distanceBetween,
  minus,
  type Point,
  plus,
  scale,
  unit,
} from '../../../../subgraphs/core/domain/measure/vector.ts';
import { takePoint } from '../measure/kernel-values.ts';
import type { Box } from './part-box.ts';

/**
 * Returns the box of a sphere or torus between the bounds of its parameters, in closed form; null for a torus that
 * intersects itself.
 */
export function roundSurfaceBox(surface: BRepAdaptor_Surface): Box | null {
  const { center, x, y, z, radius, tube } = frameOf(surface);
  const isSphere = radius < tube * 1e-9;
  if (radius < tube && !isSphere) return null;
  const [uFrom, uTo] = [surface.FirstUParameter(), surface.LastUParameter()];
  const [vFrom, vTo] = [surface.FirstVParameter(), surface.LastVParameter()];
  // The distance from the axis, radius + tube · cos v, is not negative: the best u is the same for every v.
  const reach = (i: 0 | 1 | 2, sign: 1 | -1) => {
    const around = highest(sign * x[i], sign * y[i], uFrom, uTo);
    return center[i] + sign * (radius * around + highest(tube * around, sign * tube * z[i], vFrom, vTo));
  };
  return { min: [reach(0, -1), reach(1, -1), reach(2, -1)], max: [reach(0, 1), reach(1, 1), reach(2, 1)] };
}

// center + (radius + tube · cos v) · (cos u · x + sin u · y) + tube · sin v · z; the kernel's torus cannot be read.
function frameOf(surface: BRepAdaptor_Surface) {
  const pointAt = (u: number, v: number): Point => takePoint(surface.EvalD0(u, v));
  const [outer, opposite] = [pointAt(0, 0), pointAt(Math.PI, 0)];
  const center = scale(plus(outer, opposite), 0.5);
  const tube = distanceBetween(outer, pointAt(0, Math.PI)) / 2;
  const radius = distanceBetween(outer, opposite) / 2 - tube;
  const x = unit(minus(outer, center));
  const y = unit(minus(pointAt(Math.PI / 2, 0), center));
  const z = unit(minus(pointAt(0, Math.PI / 2), plus(center, x, radius)));
  return { center, x, y, z, radius, tube };
}

/** Returns the maximum of a · cos t + b · sin t for t between two angles in rad. */
function highest(a: number, b: number, from: number, to: number): number {
  const peak = Math.atan2(b, a);
  const next = peak + 2 * Math.PI * Math.ceil((from - peak) / (2 * Math.PI));
  if (next <= to) return Math.hypot(a, b);
  return Math.max(a * Math.cos(from) + b * Math.sin(from), a * Math.cos(to) + b * Math.sin(to));
}
