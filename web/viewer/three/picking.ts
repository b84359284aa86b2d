// Which place of a model the pointer means. Found on the triangles, by trees of boxes that are made when somebody begins to measure.
import { type Camera, type Matrix4, type Plane, Vector3 } from 'three';
import { alongRay, type BoxTree, type Ray } from '../measure/box-tree.ts';
import { crossing, cutOff, meets, nearestOnEdge } from '../measure/line-of-sight.ts';
import type { Taken } from '../measure/measurement.ts';
import { type Candidate, inOrder, type On, pointIn } from '../measure/snap.ts';
import { surfaceOf } from '../measure/surface.ts';
import { away, length, minus, plus } from '../measure/vector.ts';
import { type Point, pointInMm } from '../space.ts';
import { isSeen } from './bodies.ts';
import type { Model } from './load-model.ts';
import { type Body, faceOf, searchable, transformed } from './searchable.ts';

/** A place of the picture in CSS pixels, how large that is, and how far from it a vertex may lie to be meant. */
export type Aim = { x: number; y: number; width: number; height: number; reach: number };
/** A place that would be taken, in mm. */
export type Pointed = { at: Point; on: On; body: number; triangle: number | null };

type Hit = { t: number; at: Point; on: On; body: number; triangle: number | null };

const AT_A_TIME_MS = 12;
const EDGE_REACH = 0.6; // of that of a vertex
const MOST_CANDIDATES = 4_000; // of more none is meant
const MOST_TRIED = 60;
const ROUNDING = 1e-9; // in the model's metres
const HIDDEN = 1e-4; // of the depth of the picture: what lies that far behind something is not seen

/** Finds places on a model; `onReady` is called once it can. */
export function picking(model: Model, onReady: () => void) {
  let bodies: readonly Body[] = [];
  let tree: BoxTree | null = null;
  const making = searchable(model);
  let waiting = window.setTimeout(makeSome, 0);

  function makeSome(): void {
    const until = performance.now() + AT_A_TIME_MS;
    let step = making.next();
    while (!step.done && performance.now() < until) step = making.next();
    if (!step.done) {
      waiting = window.setTimeout(makeSome, 0);
      return;
    }
    ({ bodies, tree } = step.value);
    onReady();
  }

  /** The first thing that is seen along a line of sight: of no hidden body, and nothing that is cut away. */
  function firstSeen(whole: Ray, cut: Plane | null): Hit | null {
    const left = cut ? cutOff(whole, keptBy(cut)) : { ray: whole, opened: false };
    if (!left || !tree) return null;
    const { ray, opened } = left;
    const skipped = whole.from === ray.from ? 0 : away(whole.from, ray.from) / length(whole.along);
    let found: (Hit & { inside: boolean }) | null = null;
    alongRay(tree, ray, (body) => {
      const { mesh, shape, inwards, mirrored } = bodies[body] as Body;
      if (!isSeen(mesh)) return;
      const { positions, indices } = shape.figures;
      const own = moved(ray, inwards);
      const corner = (triangle: number, which: number) =>
        pointIn(positions, (indices[triangle * 3 + which] as number) * 3);
      alongRay(shape.triangles, own, (triangle) => {
        const met = meets(own, corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
        if (!met || met.t >= ray.reach) return;
        own.reach = met.t;
        ray.reach = met.t;
        found = {
          t: met.t + skipped,
          at: plus(ray.from, ray.along, met.t),
          on: 'face',
          body,
          triangle,
          inside: met.inside !== mirrored,
        };
      });
    });
    const hit = found as (Hit & { inside: boolean }) | null;
    return hit && opened && hit.inside ? { t: skipped, at: ray.from, on: 'cut', body: hit.body, triangle: null } : hit;
  }

  /** The vertices, middles and edges near a line of sight, and where a section cuts those. */
  function nearby(ray: Ray, aim: Aim, camera: Camera, cut: Plane | null): Candidate<Hit>[] {
    if (!tree) return [];
    const found: Candidate<Hit>[] = [];
    const near = widthAt(camera, aim, -1);
    const width = { start: near, growth: widthAt(camera, aim, 1) - near };
    const look = (on: Candidate<Hit>['on'], at: Point, body: number) => {
      const { x, y, z } = new Vector3(...at).project(camera);
      const pixels = Math.hypot(((x + 1) / 2) * aim.width - aim.x, ((1 - y) / 2) * aim.height - aim.y);
      if (Math.abs(z) > 1 || pixels > aim.reach * (on === 'edge' ? EDGE_REACH : 1)) return;
      found.push({ on, pixels, depth: z, place: { t: 0, at, on, body, triangle: null } });
    };
    alongRay(
      tree,
      ray,
      (number) => {
        const body = bodies[number] as Body;
        if (!isSeen(body.mesh)) return;
        const own = moved(ray, body.inwards);
        const { lines, vertices, middles } = body.shape.edges;
        const place = (point: Point) => transformed(point, body.outwards);
        const visit = (edge: number) => {
          if (found.length > MOST_CANDIDATES) return;
          const [from, to] = [place(pointIn(lines, edge * 6)), place(pointIn(lines, edge * 6 + 3))];
          const cutAt = cut && crossing(from, to, keptBy(cut));
          for (const [end, at] of [from, to].entries()) if (vertices[edge * 2 + end]) look('vertex', at, number);
          if (cutAt) look('crossing', cutAt, number);
          if (middles[edge]) look('middle', plus(from, minus(to, from), 0.5), number);
          look('edge', nearestOnEdge(ray, from, to), number);
        };
        alongRay(body.shape.edgeTree, own, visit, {
          start: width.start * body.scale,
          growth: width.growth * body.scale,
        });
      },
      width,
    );
    return found.length > MOST_CANDIDATES ? [] : found;
  }

  /** Whether nothing that is seen lies before a place. */
  function isOpen({ at }: Hit, camera: Camera, cut: Plane | null): boolean {
    const { x, y, z } = new Vector3(...at).project(camera);
    if (cut && keptBy(cut)(at) < -ROUNDING) return false;
    const ray = rayThrough(camera, x, y);
    const there = away(ray.from, at) / length(ray.along);
    const first = firstSeen(ray, cut);
    return z <= 1 && (!first || first.t >= there - HIDDEN);
  }

  return {
    /** The place that is meant by a place of the picture; null beside the model, and before it is ready. */
    point(aim: Aim, camera: Camera, cut: Plane | null): Pointed | null {
      const ray = rayThrough(camera, (aim.x / aim.width) * 2 - 1, 1 - (aim.y / aim.height) * 2);
      const near = inOrder(nearby(ray, aim, camera, cut)).slice(0, MOST_TRIED);
      const hit = near.find(({ place }) => isOpen(place, camera, cut))?.place ?? firstSeen(ray, cut);
      return hit && { at: pointInMm(hit.at), on: hit.on, body: hit.body, triangle: hit.triangle };
    },
    /** What is known of a place: its part, and the surface that its face lies on. */
    take({ at, on, body, triangle }: Pointed): Taken {
      const row = model.bodies[body]?.row ?? 0;
      const found = bodies[body];
      const surface = found && triangle !== null ? surfaceOf(faceOf(found, triangle)) : null;
      return { at, on, row, part: model.rows.length > 1 ? (model.rows[row]?.name ?? '') : '', surface };
    },
    dispose: (): void => clearTimeout(waiting),
  };
}

/** From the front of what is drawn (t = 0) to its back (t = 1) at a place of the picture, -1 to 1 to the right and upwards. */
function rayThrough(camera: Camera, x: number, y: number): Ray {
  const from = new Vector3(x, y, -1).unproject(camera);
  return { from: from.toArray(), along: new Vector3(x, y, 1).unproject(camera).sub(from).toArray(), reach: 1 };
}

/** How long the reach of an aim is in the model, at the front (-1) or back (1) of what is drawn. */
function widthAt(camera: Camera, { width, reach }: Aim, depth: number): number {
  return new Vector3(0, 0, depth)
    .unproject(camera)
    .distanceTo(new Vector3((reach / width) * 2, 0, depth).unproject(camera));
}

/** How far a place lies on the side that a section keeps. */
const keptBy =
  (cut: Plane) =>
  (place: Point): number =>
    cut.distanceToPoint(new Vector3(...place));

/** A line of sight in another space: places on it keep their t. */
function moved({ from, along, reach }: Ray, matrix: Matrix4): Ray {
  const start = transformed(from, matrix);
  const end = transformed(plus(from, along), matrix);
  return { from: start, along: [end[0] - start[0], end[1] - start[1], end[2] - start[2]], reach };
}
