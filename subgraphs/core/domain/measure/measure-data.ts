// The artifact `measure`: the exact faces and edges of a model.
import type { Point } from './vector.ts';

/**
 * How a value was determined: from the exact geometry, from a shape that was fitted to a spline, or from the triangles.
 */
export type Accuracy = 'exact' | 'fitted' | 'mesh';

/**
 * In mm and degrees. `at` is a point of the plane or axis, or the center, which for a cylinder is in the middle of the
 * face; `direction` is the normal of a plane, which points outwards, or the axis. A cone has its `radius` at `at`, and
 * grows in its direction by the half angle `angle`.
 */
export type SurfaceGeometry =
  | { kind: 'plane'; at: Point; direction: Point }
  | { kind: 'cylinder'; at: Point; direction: Point; radius: number }
  | { kind: 'cone'; at: Point; direction: Point; radius: number; angle: number }
  | { kind: 'sphere'; at: Point; radius: number }
  | { kind: 'torus'; at: Point; direction: Point; radius: number; minorRadius: number }
  | { kind: 'freeform' };

/**
 * A circle starts at `from` and runs by `sweep` degrees counterclockwise around its direction. A freeform curve has
 * points on it, at most as far from each other as its course needs.
 */
export type CurveGeometry =
  | { kind: 'line' }
  | { kind: 'circle'; at: Point; direction: Point; radius: number; sweep: number }
  | { kind: 'ellipse'; at: Point; direction: Point; radius: number; minorRadius: number }
  | { kind: 'freeform'; points: Point[] };

/**
 * `residual`: the maximum deviation of a fitted shape, in mm. `inner`: material is outside the surface, as in a hole.
 * `triangles`: the primitive of the part's mesh in the GLB, the first triangle and their number; null if it has none.
 */
export type MeasuredFace = SurfaceGeometry & {
  accuracy: Accuracy;
  residual?: number;
  inner?: true;
  area: number;
  /** By how much the area may be wrong, in mm²; 0 if it is exact. */
  areaError: number;
  triangles: readonly [primitive: number, first: number, count: number] | null;
};

/** `faces`: the indexes of the faces that meet in the edge. */
export type MeasuredEdge = CurveGeometry & {
  accuracy: Accuracy;
  residual?: number;
  from: Point;
  to: Point;
  length: number;
  /** By how much the length may be wrong, in mm; 0 if it is exact. */
  lengthError: number;
  faces: number[];
};

/** A distinct part in its own coordinates. `mesh` is the index of its mesh in the GLB; null if it has no triangles. */
export type MeasuredPart = { name: string; mesh: number | null; faces: MeasuredFace[]; edges: MeasuredEdge[] };

/** A part in the model: three rows of four numbers, with the translation in the last column. */
export type MeasuredPlacement = { part: number; matrix: readonly number[] };

/** `chordError`: the maximum distance of the triangles from the faces, in mm. */
export type MeasureData = {
  units: 'mm';
  chordError: number;
  parts: MeasuredPart[];
  placements: MeasuredPlacement[];
};
