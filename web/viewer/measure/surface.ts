// Recognizes the plane or cylinder of a mesh face from the exact positions and normals of its vertices.

import {
  cross,
  degreesBetween,
  dot,
  length,
  minus,
  plus,
  unit,
} from '../../../subgraphs/core/domain/measure/vector.ts';
import type { Point } from '../space.ts';

/** In mm. `at` is a point of the plane, or of the cylinder's axis, which has the direction `axis`. */
export type Surface =
  | { kind: 'plane'; at: Point; normal: Point }
  | { kind: 'cylinder'; at: Point; axis: Point; radius: number };

/** A vertex of a face: its position in mm and the unit normal of the surface there. */
export type FaceVertex = { at: Point; normal: Point };

/** Directions within this angle are equal: the accuracy of single precision. */
export const PARALLEL_DEGREES = 0.01;
// relative to the size of a face and its distance from the origin, because positions are single precision
const POSITION_TOLERANCE = 1e-5;
const RADIUS_TOLERANCE = 1e-4; // relative to the radius
const MIN_DIRECTIONS = 4; // fewer directions fit other curves too

/**
 * Returns the vertices of the face that contains a triangle: those connected by triangles (union-find), since faces
 * share no vertices.
 */
export function verticesOfFace(indices: ArrayLike<number>, vertices: number, triangle: number): number[] {
  const parents = new Int32Array(vertices).map((_, vertex) => vertex);
  const rootOf = (vertex: number): number => {
    let root = vertex;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] as number] as number;
      root = parents[root] as number;
    }
    return root;
  };
  for (let corner = 0; corner + 2 < indices.length; corner += 3) {
    const first = rootOf(indices[corner] as number);
    parents[rootOf(indices[corner + 1] as number)] = first;
    parents[rootOf(indices[corner + 2] as number)] = first;
  }
  const root = rootOf(indices[triangle * 3] as number);
  const found: number[] = [];
  for (let vertex = 0; vertex < vertices; vertex++) if (rootOf(vertex) === root) found.push(vertex);
  return found;
}

/** Returns the plane or cylinder that fits every vertex and normal of a face; null if neither does. */
export function surfaceOf(face: readonly FaceVertex[]): Surface | null {
  const [first] = face;
  if (!first || face.length < 3 || face.some(({ normal }) => Math.abs(length(normal) - 1) > 1e-3)) return null;
  const tolerance =
    POSITION_TOLERANCE * Math.max(...face.flatMap(({ at }) => [length(minus(at, first.at)), ...at.map(Math.abs)]));
  return planeOf(face, tolerance) ?? cylinderOf(face, tolerance);
}

function planeOf(face: readonly FaceVertex[], tolerance: number): Surface | null {
  const at = mean(face.map((vertex) => vertex.at));
  const normal = unit(mean(face.map((vertex) => vertex.normal)));
  const fits = face.every(
    (vertex) =>
      degreesBetween(vertex.normal, normal) < PARALLEL_DEGREES &&
      Math.abs(dot(minus(vertex.at, at), normal)) <= tolerance,
  );
  return fits ? { kind: 'plane', at, normal } : null;
}

// Position minus radius times normal is on the axis: finds the radius for which these points coincide (least squares).
function cylinderOf(face: readonly FaceVertex[], positionTolerance: number): Surface | null {
  const axis = axisOf(face);
  if (!axis || face.some(({ normal }) => Math.abs(dot(normal, axis)) > RADIUS_TOLERANCE)) return null;
  const side = unit(cross(axis, Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const projected = face.map(({ at, normal }) => ({ at: plus(at, axis, -dot(at, axis)), normal }));
  if (countDirections(projected, side, cross(axis, side)) < MIN_DIRECTIONS) return null;
  const [at, normal] = [mean(projected.map((each) => each.at)), mean(projected.map((each) => each.normal))];
  let [along, spread] = [0, 0];
  for (const each of projected) {
    const difference = minus(each.normal, normal);
    along += dot(minus(each.at, at), difference);
    spread += dot(difference, difference);
  }
  const radius = along / spread; // negative in a hole, whose normals point at the axis
  const center = plus(at, normal, -radius);
  const tolerance = RADIUS_TOLERANCE * Math.abs(radius) + positionTolerance;
  const fits = projected.every((each) => length(minus(plus(each.at, each.normal, -radius), center)) <= tolerance);
  return fits && Math.abs(radius) > tolerance * 10
    ? { kind: 'cylinder', at: center, axis, radius: Math.abs(radius) }
    : null;
}

/** Returns the direction perpendicular to all normals; null if the normals are almost parallel. */
function axisOf([first, ...others]: readonly FaceVertex[]): Point | null {
  let axis: Point = [0, 0, 0];
  for (const { normal } of others) {
    const perpendicular = first ? cross(first.normal, normal) : axis;
    if (length(perpendicular) > length(axis)) axis = perpendicular;
  }
  return length(axis) > 0.1 ? unit(axis) : null;
}

/** The number of distinct normal directions, rounded to 0.001 rad; 6283 such steps are a full turn. */
const countDirections = (face: readonly FaceVertex[], right: Point, up: Point): number =>
  new Set(face.map(({ normal }) => Math.round(Math.atan2(dot(normal, up), dot(normal, right)) * 1000) % 6283)).size;

const mean = (points: readonly Point[]): Point => {
  const sum = points.reduce<Point>((all, point) => plus(all, point), [0, 0, 0]);
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
};
