// What a line of sight meets: triangles, and the place of an edge that it passes nearest.
import type { Point } from '../space.ts';
import type { Ray } from './box-tree.ts';
import { cross, dot, minus, plus } from './vector.ts';

/** Where a line of sight meets a triangle, and whether that is seen from inside the body (its back). */
export type Meeting = { t: number; inside: boolean };

/** Null where the line passes a triangle by, or runs along it. */
export function meets({ from, along, reach }: Ray, a: Point, b: Point, c: Point): Meeting | null {
  const [one, other] = [minus(b, a), minus(c, a)];
  const across = cross(along, other);
  const facing = dot(one, across);
  if (facing === 0) return null;
  const start = minus(from, a);
  const u = dot(start, across) / facing;
  const turned = cross(start, one);
  const v = dot(along, turned) / facing;
  if (u < -NEAR || v < -NEAR || u + v > 1 + NEAR) return null;
  const t = dot(other, turned) / facing;
  return t >= 0 && t <= reach ? { t, inside: facing < 0 } : null;
}

const NEAR = 1e-9; // a line through the edge of two triangles meets one of them

/** The place of an edge that a line of sight passes nearest. */
export function nearestOnEdge({ from, along }: Ray, start: Point, end: Point): Point {
  const edge = minus(end, start);
  const away = minus(start, from);
  const [square, mixed, straight] = [dot(edge, edge), dot(edge, along), dot(along, along)];
  const turned = square * straight - mixed * mixed;
  if (turned <= square * straight * 1e-12) return start; // seen along the edge all of it is one place
  const part = (mixed * dot(away, along) - straight * dot(away, edge)) / turned;
  return plus(start, edge, Math.min(1, Math.max(0, part)));
}

/** Where a section cuts an edge; null where it does not. `kept` as below. */
export function crossing(from: Point, to: Point, kept: (place: Point) => number): Point | null {
  const [start, end] = [kept(from), kept(to)];
  return start * end < 0 ? plus(from, minus(to, from), start / (start - end)) : null;
}

/** What of a line of sight a section leaves: null for nothing. `kept` is how far a place lies on the kept side, in any unit. `opened`: it comes in through the cut. */
export function cutOff(ray: Ray, kept: (place: Point) => number): { ray: Ray; opened: boolean } | null {
  const start = kept(ray.from);
  const end = kept(plus(ray.from, ray.along, ray.reach));
  if (start < 0 && end < 0) return null;
  const where = (ray.reach * start) / (start - end);
  if (start < 0)
    return {
      ray: { from: plus(ray.from, ray.along, where), along: ray.along, reach: ray.reach - where },
      opened: true,
    };
  return { ray: end < 0 ? { ...ray, reach: where } : ray, opened: false };
}
