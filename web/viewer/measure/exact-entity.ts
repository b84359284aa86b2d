// Finds the exact face, edge or point of the measuring data at a picked point.
import {
  type Entity,
  edgeEntity,
  faceEntity,
  pointEntity,
  type Rows,
} from '../../../subgraphs/core/domain/measure/entity.ts';
import type { MeasuredEdge, MeasuredPart } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import {
  cross,
  distanceBetween,
  dot,
  length,
  minus,
  type Point,
  plus,
} from '../../../subgraphs/core/domain/measure/vector.ts';
import type { Feature } from './snap.ts';

/** A picked point in the coordinates of its part; `triangle` is null unless it is on a face. */
type Pick = { at: Point; feature: Feature; primitive: number; triangle: number | null };

/**
 * Returns what was picked: an exact end, middle or center of an edge, an edge, or a face. A point that is on none, such
 * as one of a section, is as exact as the triangles. `rows` place the part in the model.
 */
export function exactEntity(part: MeasuredPart, chordError: number, rows: Rows, picked: Pick): Entity {
  const { at, feature, primitive, triangle } = picked;
  if (feature === 'face') {
    const face = part.faces.find(
      ({ triangles }) => triangles && triangle !== null && contains(triangles, primitive, triangle),
    );
    if (face && face.kind !== 'freeform') return faceEntity(face, chordError, rows);
    const onMesh = pointEntity(at, 'mesh', chordError, rows);
    return face ? { ...onMesh, values: faceEntity(face, chordError, rows).values } : onMesh;
  }
  if (feature === 'center') return pointEntity(at, 'exact', 0, rows);
  const near = nearestEdge(part.edges, at, chordError);
  if (feature === 'edge' && near) {
    const edge = edgeEntity(near, chordError, rows);
    return edge.figure ? edge : { ...pointEntity(at, 'mesh', chordError, rows), values: edge.values };
  }
  const exact = near && feature !== 'cut' && feature !== 'crossing' ? pointOn(near, feature, at) : null;
  return exact ? pointEntity(exact, 'exact', 0, rows) : pointEntity(at, 'mesh', chordError, rows);
}

/** Returns the centers of the circular edges of a part, each once. */
export function centersOf({ edges }: MeasuredPart): Point[] {
  const centers = edges.flatMap((edge) => (edge.kind === 'circle' && edge.sweep > MIN_SWEEP ? [edge.at] : []));
  return [...new Map(centers.map((center) => [center.map((each) => each.toFixed(6)).join(), center])).values()];
}

const MIN_SWEEP = 90; // degrees: the centers of short arcs, such as small fillets, would be in the way

const contains = (
  [of, first, count]: readonly [number, number, number],
  primitive: number,
  triangle: number,
): boolean => of === primitive && triangle >= first && triangle < first + count;

function pointOn(edge: MeasuredEdge, feature: Feature, at: Point): Point | null {
  if (feature === 'middle') return edge.kind === 'line' ? plus(edge.from, minus(edge.to, edge.from), 0.5) : null;
  const [from, to] = [distanceBetween(edge.from, at), distanceBetween(edge.to, at)];
  const end = from <= to ? edge.from : edge.to;
  return Math.min(from, to) <= toleranceAt(end) ? end : null;
}

function nearestEdge(edges: readonly MeasuredEdge[], at: Point, chordError: number): MeasuredEdge | null {
  let nearest: MeasuredEdge | null = null;
  let distance = 1.5 * chordError + toleranceAt(at);
  for (const edge of edges) {
    const each = distanceFrom(edge, at);
    if (each >= distance) continue;
    distance = each;
    nearest = edge;
  }
  return nearest;
}

// Vertices of the mesh have single precision.
const toleranceAt = (at: Point): number => 1e-4 + 1e-6 * length(at);

/** Returns the distance of a point from an edge, in mm; approximate for ellipses and freeform curves. */
export function distanceFrom(edge: MeasuredEdge, at: Point): number {
  switch (edge.kind) {
    case 'line':
      return distanceFromLine(edge.from, edge.to, at);
    case 'circle': {
      const away = minus(at, edge.at);
      const height = dot(away, edge.direction);
      const flat = plus(away, edge.direction, -height);
      const start = minus(edge.from, edge.at);
      const angle = (Math.atan2(dot(cross(start, flat), edge.direction), dot(start, flat)) * 180) / Math.PI;
      const isOnArc = (angle + 360) % 360 <= edge.sweep;
      if (isOnArc) return Math.hypot(height, length(flat) - edge.radius);
      return Math.min(distanceBetween(edge.from, at), distanceBetween(edge.to, at));
    }
    case 'freeform':
      return Math.min(
        ...edge.points.slice(1).map((point, i) => distanceFromLine(edge.points[i] ?? point, point, at)),
        distanceBetween(edge.from, at),
      );
    default:
      return Math.min(distanceBetween(edge.from, at), distanceBetween(edge.to, at));
  }
}

function distanceFromLine(from: Point, to: Point, at: Point): number {
  const along = minus(to, from);
  const square = dot(along, along);
  const share = square ? Math.min(1, Math.max(0, dot(minus(at, from), along) / square)) : 0;
  return distanceBetween(at, plus(from, along, share));
}
