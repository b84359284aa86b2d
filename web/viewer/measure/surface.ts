// What the face of a mesh is a part of. It is told by what the engine wrote of the exact surface, the places and the normals of its vertices, and only where all of them agree.
import type { Point } from '../space.ts';
import { cross, degreesBetween, dot, length, minus, plus, unit } from './vector.ts';

/** In mm. A plane goes through `at`; the axis of a cylinder does, in the direction `axis`. */
export type Surface =
  | { is: 'plane'; at: Point; normal: Point }
  | { is: 'cylinder'; at: Point; axis: Point; radius: number };

/** A vertex of a face: its place in mm, and the direction that the surface has there (of length one). */
export type FaceVertex = { at: Point; normal: Point };

/** Two directions are one up to here: what single precision leaves of them. */
export const SAME_DEGREES = 0.01;
const EXACT = 1e-5; // of the size of a face and of how far it is from the origin: places come in single precision
const ROUND = 1e-4; // of the radius
const FEWEST_DIRECTIONS = 4; // fewer of them lie on other curves too

/** The vertices of the face that a triangle belongs to: all that triangles join. Faces have vertices of their own, also where they meet. */
export function verticesOfFace(indices: ArrayLike<number>, vertices: number, triangle: number): number[] {
  const joined = new Int32Array(vertices).map((_, vertex) => vertex);
  const lead = (vertex: number): number => {
    let at = vertex;
    while (joined[at] !== at) {
      joined[at] = joined[joined[at] as number] as number;
      at = joined[at] as number;
    }
    return at;
  };
  for (let corner = 0; corner + 2 < indices.length; corner += 3) {
    const one = lead(indices[corner] as number);
    joined[lead(indices[corner + 1] as number)] = one;
    joined[lead(indices[corner + 2] as number)] = one;
  }
  const wanted = lead(indices[triangle * 3] as number);
  const found: number[] = [];
  for (let vertex = 0; vertex < vertices; vertex++) if (lead(vertex) === wanted) found.push(vertex);
  return found;
}

/** The plane or cylinder that all vertices of a face lie on, with its direction in each of them; null for any other face, and where too few tell. */
export function surfaceOf(face: readonly FaceVertex[]): Surface | null {
  const [first] = face;
  if (!first || face.length < 3 || face.some(({ normal }) => Math.abs(length(normal) - 1) > 1e-3)) return null;
  const off = EXACT * Math.max(...face.flatMap(({ at }) => [length(minus(at, first.at)), ...at.map(Math.abs)]));
  return planeOf(face, off) ?? cylinderOf(face, off);
}

function planeOf(face: readonly FaceVertex[], off: number): Surface | null {
  const at = middle(face.map((vertex) => vertex.at));
  const normal = unit(middle(face.map((vertex) => vertex.normal)));
  const fits = face.every(
    (vertex) =>
      degreesBetween(vertex.normal, normal) < SAME_DEGREES && Math.abs(dot(minus(vertex.at, at), normal)) <= off,
  );
  return fits ? { is: 'plane', at, normal } : null;
}

// A point of a cylinder less its normal times the radius lies on the axis: which radius brings all of them together?
function cylinderOf(face: readonly FaceVertex[], off: number): Surface | null {
  const axis = axisOf(face);
  if (!axis || face.some(({ normal }) => Math.abs(dot(normal, axis)) > ROUND)) return null;
  const side = unit(cross(axis, Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const around = face.map(({ at, normal }) => ({ at: plus(at, axis, -dot(at, axis)), normal }));
  if (directions(around, side, cross(axis, side)) < FEWEST_DIRECTIONS) return null;
  const [at, normal] = [middle(around.map((each) => each.at)), middle(around.map((each) => each.normal))];
  let [along, spread] = [0, 0];
  for (const each of around) {
    const turned = minus(each.normal, normal);
    along += dot(minus(each.at, at), turned);
    spread += dot(turned, turned);
  }
  const radius = along / spread; // below 0 in a hole, whose normals point at the axis
  const centre = plus(at, normal, -radius);
  const most = ROUND * Math.abs(radius) + off;
  const fits = around.every((each) => length(minus(plus(each.at, each.normal, -radius), centre)) <= most);
  return fits && Math.abs(radius) > most * 10 ? { is: 'cylinder', at: centre, axis, radius: Math.abs(radius) } : null;
}

/** What all normals are at right angles to, if anything is. */
function axisOf([first, ...others]: readonly FaceVertex[]): Point | null {
  let axis: Point = [0, 0, 0];
  for (const { normal } of others) {
    const turned = first ? cross(first.normal, normal) : axis;
    if (length(turned) > length(axis)) axis = turned;
  }
  return length(axis) > 0.1 ? unit(axis) : null;
}

/** Into how many directions the normals point, up to a twentieth of a degree. */
const directions = (face: readonly FaceVertex[], right: Point, up: Point): number =>
  new Set(face.map(({ normal }) => Math.round(Math.atan2(dot(normal, up), dot(normal, right)) * 1000) % 6283)).size;

const middle = (points: readonly Point[]): Point => {
  const sum = points.reduce<Point>((all, point) => plus(all, point), [0, 0, 0]);
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
};
