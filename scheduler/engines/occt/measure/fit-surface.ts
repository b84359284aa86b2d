// Recognizes planes, cylinders, cones, spheres and tori that are stored as other surfaces.
import type { SurfaceGeometry } from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import {
  cross,
  dot,
  length,
  minus,
  type Point,
  plus,
  scale,
  unit,
} from '../../../../subgraphs/core/domain/measure/vector.ts';
import { leastSquares, smallestDirection } from './linear-algebra.ts';

/** A point of a surface with the unit normal there. */
export type SurfaceSample = { at: Point; normal: Point };
/** `residual`: by how much the radius or position may be wrong, in mm. */
export type Fitted<Geometry> = { geometry: Geometry; residual: number };

/** A shape fits if its maximum deviation is smaller than this fraction of the size. */
const MAX_DEVIATION = 1e-6;

/** Returns the simplest surface that fits all samples, or null. */
export function fitSurface(samples: readonly SurfaceSample[]): Fitted<SurfaceGeometry> | null {
  if (samples.length < 6) return null;
  const center = meanOf(samples.map(({ at }) => at));
  const size = Math.max(...samples.map(({ at }) => length(minus(at, center)))) * 2;
  if (!(size > 0)) return null;
  // Fits at the origin and with size 1, where rounding errors are smallest.
  const scaled = samples.map(({ at, normal }) => ({ at: scale(minus(at, center), 1 / size), normal }));
  for (const fitKind of [fitPlane, fitSphere, fitCylinder, fitCone, fitTorus]) {
    const geometry = fitKind(scaled);
    if (!geometry) continue;
    const deviation = Math.max(...scaled.map(({ at }) => Math.abs(deviationFrom(geometry, at))));
    if (!(deviation <= MAX_DEVIATION)) continue;
    const residual = (deviation * size) / (geometry.kind === 'plane' ? 1 : determinacy(scaled));
    return { geometry: enlarge(geometry, size, center), residual };
  }
  return null;
}

type Fit = (samples: readonly SurfaceSample[]) => Exclude<SurfaceGeometry, { kind: 'freeform' }> | null;
type Recognized = NonNullable<ReturnType<Fit>>;

const fitPlane: Fit = (samples) => {
  const at = meanOf(samples.map((sample) => sample.at));
  return { kind: 'plane', at, direction: asPoint(smallestDirection(samples.map((each) => minus(each.at, at)))) };
};

// |p|² = 2 c · p + k is linear in the center c and in k.
const fitSphere: Fit = (samples) => {
  if (isAlmostFlat(samples)) return null;
  const found = leastSquares(
    samples.map(({ at }) => [...scale(at, 2), 1]),
    samples.map(({ at }) => dot(at, at)),
  );
  if (!found) return null;
  const at = asPoint(found);
  return { kind: 'sphere', at, radius: Math.sqrt(found[3]! + dot(at, at)) };
};

// All normals are perpendicular to the axis.
const fitCylinder: Fit = (samples) => {
  if (isAlmostFlat(samples)) return null;
  const direction = asPoint(smallestDirection(samples.map(({ normal }) => normal)));
  const right = unit(cross(direction, Math.abs(direction[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const circle = fitCircle(samples.map(({ at }) => [dot(at, right), dot(at, cross(direction, right))]));
  if (!circle) return null;
  const [x, y] = circle.center;
  return {
    kind: 'cylinder',
    at: plus(scale(right, x), cross(direction, right), y),
    direction,
    radius: circle.radius,
  };
};

// All normals have the same angle to the axis, and all tangent planes contain the apex.
const fitCone: Fit = (samples) => {
  if (isAlmostFlat(samples)) return null;
  const mean = meanOf(samples.map(({ normal }) => normal));
  const axis = asPoint(smallestDirection(samples.map(({ normal }) => minus(normal, mean))));
  const found = leastSquares(
    samples.map(({ normal }) => [...normal]),
    samples.map(({ at, normal }) => dot(at, normal)),
  );
  if (!found) return null;
  const apex = asPoint(found);
  const height = dot(minus(meanOf(samples.map(({ at }) => at)), apex), axis);
  const direction = scale(axis, height < 0 ? -1 : 1);
  const angle = Math.asin(Math.min(1, Math.abs(dot(mean, axis))));
  if (angle < 1e-4) return null;
  return {
    kind: 'cone',
    at: plus(apex, direction, Math.abs(height)),
    direction,
    radius: Math.abs(height) * Math.tan(angle),
    angle: (angle * 180) / Math.PI,
  };
};

// The normals of a surface of revolution meet its axis: they are in a linear line complex (Pottmann and Wallner).
const fitTorus: Fit = (samples) => {
  if (isAlmostFlat(samples)) return null;
  const complex = smallestDirection(samples.map(({ at, normal }) => [...normal, ...cross(at, normal)]));
  const [moment, axis] = [asPoint(complex), asPoint(complex.slice(3))];
  const square = dot(axis, axis);
  if (square < 1e-9) return null;
  const direction = unit(axis);
  const foot = scale(cross(axis, moment), 1 / square);
  const profile = samples.map(({ at }): [number, number] => {
    const height = dot(minus(at, foot), direction);
    return [length(minus(minus(at, foot), scale(direction, height))), height];
  });
  const circle = fitCircle(profile);
  if (!circle || circle.center[0] <= 0) return null;
  const [radius, height] = circle.center;
  return { kind: 'torus', at: plus(foot, direction, height), direction, radius, minorRadius: circle.radius };
};

/** Returns the signed distance of a point from a surface, in mm. */
export function deviationFrom(surface: Recognized, point: Point): number {
  const away = minus(point, surface.at);
  if (surface.kind === 'sphere') return length(away) - surface.radius;
  const height = dot(away, surface.direction);
  if (surface.kind === 'plane') return height;
  const distance = length(minus(away, scale(surface.direction, height)));
  if (surface.kind === 'cylinder') return distance - surface.radius;
  if (surface.kind === 'torus') return Math.hypot(distance - surface.radius, height) - surface.minorRadius;
  const angle = (surface.angle * Math.PI) / 180;
  return (distance - surface.radius) * Math.cos(angle) - height * Math.sin(angle);
}

/** Fits a circle in the plane; null if the points are on a line. */
export function fitCircle(
  points: readonly (readonly [number, number])[],
): { center: [number, number]; radius: number } | null {
  const found = leastSquares(
    points.map(([x, y]) => [2 * x, 2 * y, 1]),
    points.map(([x, y]) => x * x + y * y),
  );
  if (!found) return null;
  const [x, y, constant] = found as [number, number, number];
  return { center: [x, y], radius: Math.sqrt(constant + x * x + y * y) };
}

const MIN_TURN = 0.05; // rad: the radius of a surface that turns less is not determined well enough

const turnOf = (samples: readonly SurfaceSample[]): number =>
  Math.max(...samples.map(({ normal }) => Math.acos(Math.min(1, Math.abs(dot(normal, samples[0]!.normal))))));
const isAlmostFlat = (samples: readonly SurfaceSample[]): boolean => turnOf(samples) < MIN_TURN;

// A small deviation means a large error of the radius if the samples are on a small arc.
const determinacy = (samples: readonly SurfaceSample[]): number => 1 - Math.cos(turnOf(samples));

function enlarge(geometry: Recognized, size: number, center: Point): Recognized {
  const moved = { ...geometry, at: plus(center, geometry.at, size) };
  if ('radius' in moved) moved.radius *= size;
  if (moved.kind === 'torus') moved.minorRadius *= size;
  return moved;
}

const asPoint = ([x, y, z]: readonly number[]): Point => [x!, y!, z!];
const meanOf = (points: readonly Point[]): Point =>
  scale(
    points.reduce<Point>((sum, point) => plus(sum, point), [0, 0, 0]),
    1 / points.length,
  );
