// The area of a face as an integral over its edges (Stokes): exact where the surface and the edges are.
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
import { type CurvePoint, type CurvePoints, integrateAlong } from './curve.ts';

/** An edge as part of the boundary of a face. */
export type BoundaryEdge = { curve: CurvePoints; sign: 1 | -1 };

/**
 * Returns candidates for the area of a face: which of them is right depends on how the face goes around its surface,
 * which the area of its triangles decides. `vertices` are points of the face.
 */
export function areaCandidates(
  surface: SurfaceGeometry,
  boundary: readonly BoundaryEdge[],
  vertices: readonly Point[],
): number[] {
  const integrate = (value: (point: CurvePoint) => number) =>
    Math.abs(boundary.reduce((sum, { curve, sign }) => sum + sign * integrateAlong(curve, value), 0));
  switch (surface.kind) {
    case 'plane':
      return [integrate(({ at, derivative }) => dot(surface.direction, cross(minus(at, surface.at), derivative)) / 2)];
    case 'cylinder': {
      const { at: origin, direction, radius } = surface;
      return [
        integrate(({ at, derivative }) => {
          const away = minus(at, origin);
          return (dot(away, direction) * dot(direction, cross(away, derivative))) / radius;
        }),
      ];
    }
    case 'cone': {
      const { at: origin, direction, angle } = surface;
      const turn = integrate(({ at, derivative }) => dot(direction, cross(minus(at, origin), derivative)));
      return [turn / (2 * Math.sin((angle * Math.PI) / 180))];
    }
    case 'sphere': {
      const { at: origin, radius } = surface;
      // The integrand is singular at the point opposite to the middle of the face.
      const middle = unit(vertices.reduce<Point>((sum, vertex) => plus(sum, minus(vertex, origin)), [0, 0, 0]));
      const cap = integrate(({ at, derivative }) => {
        const away = minus(at, origin);
        return dot(middle, cross(away, derivative)) / (1 + dot(middle, away) / radius);
      });
      const whole = 4 * Math.PI * radius ** 2;
      return [cap, whole - cap];
    }
    case 'torus':
      return torusCandidates(surface, integrate, vertices);
    default:
      return [];
  }
}

// A face may go around the axis, around the tube, or around both; each integral allows one of the first two.
function torusCandidates(
  { at: origin, direction, radius, minorRadius }: Extract<SurfaceGeometry, { kind: 'torus' }>,
  integrate: (value: (point: CurvePoint) => number) => number,
  vertices: readonly Point[],
): number[] {
  const right = unit(cross(direction, Math.abs(direction[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const locate = (at: Point) => {
    const away = minus(at, origin);
    const height = dot(away, direction);
    const distance = length(minus(away, scale(direction, height)));
    const turn = Math.atan2(dot(away, cross(direction, right)), dot(away, right));
    return { away, height, distance, turn, tube: Math.atan2(height, distance - radius) };
  };
  const places = vertices.map(locate);
  const [middleTurn, middleTube] = [
    meanAngle(places.map(({ turn }) => turn)),
    meanAngle(places.map(({ tube }) => tube)),
  ];
  const aroundAxis = integrate(({ at, derivative }) => {
    const { away, distance, tube } = locate(at);
    const angle = nearestTurn(tube, middleTube);
    const turning = dot(direction, cross(away, derivative)) / distance ** 2;
    return minorRadius * (radius * angle + minorRadius * Math.sin(angle)) * turning;
  });
  const aroundTube = integrate(({ at, derivative }) => {
    const { away, height, distance, turn } = locate(at);
    const rising = dot(derivative, direction);
    const spreading = (dot(away, derivative) - height * rising) / distance;
    const turning = ((distance - radius) * rising - height * spreading) / minorRadius ** 2;
    return nearestTurn(turn, middleTurn) * minorRadius * distance * turning;
  });
  return [aroundAxis, aroundTube, 4 * Math.PI ** 2 * radius * minorRadius];
}

const meanAngle = (angles: readonly number[]): number =>
  Math.atan2(
    angles.reduce((sum, angle) => sum + Math.sin(angle), 0),
    angles.reduce((sum, angle) => sum + Math.cos(angle), 0),
  );
const nearestTurn = (angle: number, near: number): number =>
  angle + 2 * Math.PI * Math.round((near - angle) / (2 * Math.PI));
