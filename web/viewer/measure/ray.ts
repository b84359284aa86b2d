// Intersects rays with triangles, edges and section planes.

import { cross, dot, minus, plus } from '../../../subgraphs/core/domain/measure/vector.ts';
import type { Point } from '../space.ts';
import type { Ray } from './box-tree.ts';

/** A hit at t; `inside` if the triangle is seen from inside the body (its back face). */
export type TriangleHit = { t: number; inside: boolean };

/** Intersects a ray with a triangle (Möller–Trumbore); null on a miss or if the ray is parallel. */
export function intersectTriangle({ from, along, reach }: Ray, a: Point, b: Point, c: Point): TriangleHit | null {
  const [edge1, edge2] = [minus(b, a), minus(c, a)];
  const p = cross(along, edge2);
  const determinant = dot(edge1, p);
  if (determinant === 0) return null;
  const start = minus(from, a);
  const u = dot(start, p) / determinant;
  const q = cross(start, edge1);
  const v = dot(along, q) / determinant;
  if (u < -TOLERANCE || v < -TOLERANCE || u + v > 1 + TOLERANCE) return null;
  const t = dot(edge2, q) / determinant;
  return t >= 0 && t <= reach ? { t, inside: determinant < 0 } : null;
}

const TOLERANCE = 1e-9; // so that a ray through a shared edge hits one of the two triangles

/** Returns the point of an edge nearest to a ray. */
export function nearestPointOnEdge({ from, along }: Ray, start: Point, end: Point): Point {
  const edge = minus(end, start);
  const away = minus(start, from);
  const [square, mixed, straight] = [dot(edge, edge), dot(edge, along), dot(along, along)];
  const determinant = square * straight - mixed * mixed;
  if (determinant <= square * straight * 1e-12) return start; // parallel: every point is equally near
  const fraction = (mixed * dot(away, along) - straight * dot(away, edge)) / determinant;
  return plus(start, edge, Math.min(1, Math.max(0, fraction)));
}

/** The distance of a point from a section plane, positive on the kept side. */
export type SignedDistance = (point: Point) => number;

/** Returns the point where a section plane cuts an edge, or null. */
export function intersectEdge(from: Point, to: Point, signedDistance: SignedDistance): Point | null {
  const [start, end] = [signedDistance(from), signedDistance(to)];
  return start * end < 0 ? plus(from, minus(to, from), start / (start - end)) : null;
}

type ClippedRay = { ray: Ray; startsAtCut: boolean };

/** Clips a ray to what the section planes keep; null if nothing is left. `startsAtCut` if it now starts at a plane. */
export function clipRay(ray: Ray, planes: readonly SignedDistance[]): ClippedRay | null {
  let clipped: ClippedRay | null = { ray, startsAtCut: false };
  for (const plane of planes) {
    const next: ClippedRay | null = clipped && clipRayOnce(clipped.ray, plane);
    clipped = next && clipped && { ray: next.ray, startsAtCut: clipped.startsAtCut || next.startsAtCut };
  }
  return clipped;
}

function clipRayOnce(ray: Ray, signedDistance: SignedDistance): ClippedRay | null {
  const start = signedDistance(ray.from);
  const end = signedDistance(plus(ray.from, ray.along, ray.reach));
  if (start < 0 && end < 0) return null;
  const t = (ray.reach * start) / (start - end);
  if (start < 0)
    return {
      ray: { from: plus(ray.from, ray.along, t), along: ray.along, reach: ray.reach - t },
      startsAtCut: true,
    };
  return { ray: end < 0 ? { ...ray, reach: t } : ray, startsAtCut: false };
}
