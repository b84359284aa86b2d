// Finds the point of a model under the pointer, with bounding volume hierarchies that are built when measuring starts.
import { type Camera, type Matrix4, type Plane, Vector3 } from 'three';
import type { Entity, Rows } from '../../../subgraphs/core/domain/measure/entity.ts';
import type { MeasureData, MeasuredPart } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import { distanceBetween, length, minus, plus } from '../../../subgraphs/core/domain/measure/vector.ts';
import { type BoxTree, type Ray, visitAlongRay } from '../measure/box-tree.ts';
import { centersOf, exactEntity } from '../measure/exact-entity.ts';
import type { PickedPoint } from '../measure/measurement.ts';
import { clipRay, intersectEdge, intersectTriangle, nearestPointOnEdge } from '../measure/ray.ts';
import { type Candidate, type Feature, pointIn, rankCandidates } from '../measure/snap.ts';
import { surfaceOf } from '../measure/surface.ts';
import { type Point, pointInMm } from '../space.ts';
import { isVisible } from './bodies.ts';
import type { Model } from './load-model.ts';
import { type Body, buildSearchIndex, faceVertices, transformPoint } from './search-index.ts';

/** A screen position and the canvas size in CSS pixels; `reach` is the snap radius around a vertex. */
export type Aim = { x: number; y: number; width: number; height: number; reach: number };
/** The point that a click would pick, in mm. */
export type HoveredPoint = {
  at: Point;
  feature: Feature;
  body: number;
  triangle: number | null;
  /** The exact face, edge or point, if the model has measuring data. */
  entity: Entity | null;
};

type Hit = { t: number; at: Point; feature: Feature; body: number; triangle: number | null };

const SLICE_MS = 12;
const EDGE_REACH = 0.6; // snap radius of an edge relative to that of a vertex
const MAX_CANDIDATES = 4_000; // with more, nothing snaps
const MAX_TRIED = 60;
const DISTANCE_TOLERANCE = 1e-9; // in meters
const DEPTH_TOLERANCE = 1e-4; // fraction of the depth range; a point farther behind a surface is hidden

/** Creates a picker for a model; calls `onReady` when its search index is built. */
export function createPicker(model: Model, onReady: () => void) {
  let bodies: readonly Body[] = [];
  let tree: BoxTree | null = null;
  let exact: MeasureData | null = null;
  let partOfMesh = new Map<number, { part: MeasuredPart; centers: readonly Point[] }>();
  const building = buildSearchIndex(model);
  let timer = window.setTimeout(buildNext, 0);

  function buildNext(): void {
    const until = performance.now() + SLICE_MS;
    let step = building.next();
    while (!step.done && performance.now() < until) step = building.next();
    if (!step.done) {
      timer = window.setTimeout(buildNext, 0);
      return;
    }
    ({ bodies, tree } = step.value);
    onReady();
  }

  /** The first visible hit along a ray: skips hidden bodies and what the sections cut away. */
  function firstVisibleHit(whole: Ray, cuts: readonly Plane[]): Hit | null {
    const clipped = clipRay(whole, cuts.map(signedDistanceTo));
    if (!clipped || !tree) return null;
    const { ray, startsAtCut } = clipped;
    const skipped = whole.from === ray.from ? 0 : distanceBetween(whole.from, ray.from) / length(whole.along);
    let nearest: (Hit & { inside: boolean }) | null = null;
    visitAlongRay(tree, ray, (body) => {
      const { mesh, shape, toLocal, mirrored } = bodies[body] as Body;
      if (!isVisible(mesh)) return;
      const { positions, indices } = shape.triangles;
      const localRay = transformRay(ray, toLocal);
      const corner = (triangle: number, which: number) =>
        pointIn(positions, (indices[triangle * 3 + which] as number) * 3);
      visitAlongRay(shape.triangleTree, localRay, (triangle) => {
        const triangleHit = intersectTriangle(localRay, corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
        if (!triangleHit || triangleHit.t >= ray.reach) return;
        localRay.reach = triangleHit.t;
        ray.reach = triangleHit.t;
        nearest = {
          t: triangleHit.t + skipped,
          at: plus(ray.from, ray.along, triangleHit.t),
          feature: 'face',
          body,
          triangle,
          inside: triangleHit.inside !== mirrored,
        };
      });
    });
    const hit = nearest as (Hit & { inside: boolean }) | null;
    return hit && startsAtCut && hit.inside
      ? { t: skipped, at: ray.from, feature: 'cut', body: hit.body, triangle: null }
      : hit;
  }

  /** Snap candidates near a ray: vertices, edge midpoints, edges, and the points where sections cut edges. */
  function snapCandidates(ray: Ray, aim: Aim, camera: Camera, cuts: readonly Plane[]): Candidate<Hit>[] {
    if (!tree) return [];
    const candidates: Candidate<Hit>[] = [];
    const near = reachInModel(camera, aim, -1);
    const width = { start: near, growth: reachInModel(camera, aim, 1) - near };
    const addIfNear = (feature: Candidate<Hit>['feature'], at: Point, body: number) => {
      const { x, y, z } = new Vector3(...at).project(camera);
      const pixels = Math.hypot(((x + 1) / 2) * aim.width - aim.x, ((1 - y) / 2) * aim.height - aim.y);
      if (Math.abs(z) > 1 || pixels > aim.reach * (feature === 'edge' ? EDGE_REACH : 1)) return;
      candidates.push({ feature, pixels, depth: z, value: { t: 0, at, feature, body, triangle: null } });
    };
    visitAlongRay(
      tree,
      ray,
      (index) => {
        const body = bodies[index] as Body;
        if (!isVisible(body.mesh)) return;
        const localRay = transformRay(ray, body.toLocal);
        const { lines, vertices, middles } = body.shape.edges;
        const toModel = (point: Point) => transformPoint(point, body.toModel);
        for (const center of partOf(index)?.centers ?? []) addIfNear('center', toModel(center), index);
        const visit = (edge: number) => {
          if (candidates.length > MAX_CANDIDATES) return;
          const [from, to] = [toModel(pointIn(lines, edge * 6)), toModel(pointIn(lines, edge * 6 + 3))];
          for (const [end, at] of [from, to].entries()) if (vertices[edge * 2 + end]) addIfNear('vertex', at, index);
          for (const cut of cuts) {
            const cutAt = intersectEdge(from, to, signedDistanceTo(cut));
            if (cutAt) addIfNear('crossing', cutAt, index);
          }
          if (middles[edge]) addIfNear('middle', plus(from, minus(to, from), 0.5), index);
          addIfNear('edge', nearestPointOnEdge(ray, from, to), index);
        };
        visitAlongRay(body.shape.edgeTree, localRay, visit, {
          start: width.start * body.scale,
          growth: width.growth * body.scale,
        });
      },
      width,
    );
    return candidates.length > MAX_CANDIDATES ? [] : candidates;
  }

  /** The part of a body in the measuring data. */
  const partOf = (body: number) => partOfMesh.get(model.bodies[body]?.source.mesh ?? -1);

  function entityOf({ at, feature, body, triangle }: Hit): Entity | null {
    const [found, own] = [partOf(body), bodies[body]];
    if (!exact || !found || !own) return null;
    const primitive = model.bodies[body]?.source.primitive ?? 0;
    const picked = { at: transformPoint(at, own.toLocal), feature, primitive, triangle };
    return exactEntity(found.part, exact.chordError, rowsInMm(own.toModel), picked);
  }

  /** Returns whether nothing visible is in front of a point. */
  function isUnobstructed({ at }: Hit, camera: Camera, cuts: readonly Plane[]): boolean {
    const { x, y, z } = new Vector3(...at).project(camera);
    if (cuts.some((cut) => signedDistanceTo(cut)(at) < -DISTANCE_TOLERANCE)) return false;
    const ray = rayThrough(camera, x, y);
    const distance = distanceBetween(ray.from, at) / length(ray.along);
    const first = firstVisibleHit(ray, cuts);
    return z <= 1 && (!first || first.t >= distance - DEPTH_TOLERANCE);
  }

  return {
    /** Returns the point at a screen position; null beside the model and before `onReady`. */
    pointAt(aim: Aim, camera: Camera, cuts: readonly Plane[]): HoveredPoint | null {
      const ray = rayThrough(camera, (aim.x / aim.width) * 2 - 1, 1 - (aim.y / aim.height) * 2);
      const near = rankCandidates(snapCandidates(ray, aim, camera, cuts)).slice(0, MAX_TRIED);
      const hit = near.find(({ value }) => isUnobstructed(value, camera, cuts))?.value ?? firstVisibleHit(ray, cuts);
      return hit && { ...hit, at: pointInMm(hit.at), entity: entityOf(hit) };
    },
    /** Returns a point with its part and the surface of its face. */
    pick({ at, feature, body, triangle, entity }: HoveredPoint): PickedPoint {
      const row = model.bodies[body]?.row ?? 0;
      const nearest = bodies[body];
      const surface = !entity && nearest && triangle !== null ? surfaceOf(faceVertices(nearest, triangle)) : null;
      return { at, feature, row, part: model.rows.length > 1 ? (model.rows[row]?.name ?? '') : '', surface, entity };
    },
    /** Uses the exact faces and edges from now on. */
    setMeasureData(data: MeasureData): void {
      exact = data;
      partOfMesh = new Map(
        data.parts.flatMap((part) => (part.mesh === null ? [] : [[part.mesh, { part, centers: centersOf(part) }]])),
      );
    },
    dispose: (): void => clearTimeout(timer),
  };
}

/** Returns the ray from the near plane (t = 0) to the far plane (t = 1) at a screen position, -1 to 1. */
function rayThrough(camera: Camera, x: number, y: number): Ray {
  const from = new Vector3(x, y, -1).unproject(camera);
  return { from: from.toArray(), along: new Vector3(x, y, 1).unproject(camera).sub(from).toArray(), reach: 1 };
}

/** Returns the matrix from a part in mm to the model in mm, Z up, as rows. */
export function rowsInMm({ elements: e }: Matrix4): Rows {
  const row = (at: number, factor: number) => [0, 4, 8, 12].map((column) => (e[column + at] ?? 0) * factor);
  return [...row(0, 1000), ...row(2, -1000), ...row(1, 1000)];
}

/** Returns the snap radius in model units, at the near (-1) or far (1) plane. */
function reachInModel(camera: Camera, { width, reach }: Aim, depth: number): number {
  return new Vector3(0, 0, depth)
    .unproject(camera)
    .distanceTo(new Vector3((reach / width) * 2, 0, depth).unproject(camera));
}

/** Returns the signed distance to the section plane; positive on the kept side. */
const signedDistanceTo =
  (cut: Plane) =>
  (point: Point): number =>
    cut.distanceToPoint(new Vector3(...point));

/** Transforms a ray; points on it keep their t. */
function transformRay({ from, along, reach }: Ray, matrix: Matrix4): Ray {
  const start = transformPoint(from, matrix);
  const end = transformPoint(plus(from, along), matrix);
  return { from: start, along: [end[0] - start[0], end[1] - start[1], end[2] - start[2]], reach };
}
