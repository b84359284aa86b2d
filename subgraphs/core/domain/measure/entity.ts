// Faces and edges as the entities of a measurement: what they are, and what they measure by themselves.
import type { Accuracy, MeasureData, MeasuredEdge, MeasuredFace } from './measure-data.ts';
import { minus, type Point, plus, unit } from './vector.ts';

/** `error`: by how much the value may be wrong, in its unit; null if that is unknown. */
export type MeasuredValue = {
  quantity: Quantity;
  value: number;
  unit: 'mm' | 'mm²' | '°';
  accuracy: Accuracy;
  error: number | null;
};
export type Quantity =
  | 'diameter'
  | 'radius'
  | 'minorRadius'
  | 'halfAngle'
  | 'sweep'
  | 'area'
  | 'length'
  | 'distance'
  | 'centerDistance'
  | 'angle'
  | 'dx'
  | 'dy'
  | 'dz';

/** What the distance and angle to another entity are measured from. A `ring` is an axis with a center. */
export type Figure = { kind: 'point'; at: Point } | { kind: 'axis' | 'ring' | 'plane'; at: Point; direction: Point };

/**
 * An entity in the coordinates of the model. `error`: by how much its position may be wrong, in mm. The figure of a
 * freeform face or edge is null.
 */
export type Entity = {
  kind: (MeasuredFace | MeasuredEdge)['kind'] | 'point';
  inner: boolean;
  accuracy: Accuracy;
  error: number;
  figure: Figure | null;
  values: MeasuredValue[];
};

/** Three rows of a matrix, with the translation in the last column. */
export type Rows = readonly number[];
export const IDENTITY_ROWS: Rows = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Returns a face as an entity; `chordError` is that of the triangles. */
export function faceEntity(face: MeasuredFace, chordError: number, rows: Rows): Entity {
  const { accuracy, area, areaError } = face;
  const error = errorOf(face, chordError);
  const inMm = lengthsOf(face).map(([quantity, value, factor]) =>
    measured(quantity, value, 'mm', accuracy, error * factor),
  );
  const angle = face.kind === 'cone' ? [measured('halfAngle', face.angle, '°', accuracy, angleError(accuracy))] : [];
  return {
    kind: face.kind,
    inner: face.inner ?? false,
    accuracy,
    error,
    figure: placed(figureOfFace(face), rows),
    values: [...inMm, ...angle, measured('area', area, 'mm²', areaError ? 'fitted' : 'exact', areaError)],
  };
}

/** Returns an edge as an entity. */
export function edgeEntity(edge: MeasuredEdge, chordError: number, rows: Rows): Entity {
  const { accuracy, length, lengthError } = edge;
  const error = errorOf(edge, chordError);
  const inMm = lengthsOf(edge).map(([quantity, value, factor]) =>
    measured(quantity, value, 'mm', accuracy, error * factor),
  );
  const sweep = edge.kind === 'circle' ? [measured('sweep', edge.sweep, '°', accuracy, angleError(accuracy))] : [];
  return {
    kind: edge.kind,
    inner: false,
    accuracy,
    error,
    figure: placed(figureOfEdge(edge), rows),
    values: [...inMm, ...sweep, measured('length', length, 'mm', lengthError ? 'fitted' : 'exact', lengthError)],
  };
}

/** Returns a point as an entity. */
export function pointEntity(at: Point, accuracy: Accuracy, error: number, rows: Rows = IDENTITY_ROWS): Entity {
  return { kind: 'point', inner: false, accuracy, error, figure: placed({ kind: 'point', at }, rows), values: [] };
}

/**
 * Returns the entity at an address: `PLACEMENT/face/FACE`, `PLACEMENT/edge/EDGE`, or an edge with `/start`, `/end` or
 * `/center`. The numbers are positions in the lists of the measuring data. Null if there is no such entity.
 */
export function entityAt(data: MeasureData, address: string): (Entity & { part: string }) | null {
  const { placement, type, index, point } = ADDRESS.exec(address)?.groups ?? {};
  const { part: partIndex, matrix } = data.placements[Number(placement)] ?? {};
  const part = data.parts[partIndex ?? -1];
  if (!part || !matrix) return null;
  if (type === 'face') {
    const face = part.faces[Number(index)];
    return face ? { ...faceEntity(face, data.chordError, matrix), part: part.name } : null;
  }
  const edge = part.edges[Number(index)];
  if (!edge) return null;
  const whole = edgeEntity(edge, data.chordError, matrix);
  if (!point) return { ...whole, part: part.name };
  const at = pointOfEdge(edge, point as EdgePoint);
  if (!at) return null;
  // The ends of an edge are those of its own curve, whatever was fitted to it.
  const accuracy = point === 'center' ? edge.accuracy : 'exact';
  return { ...pointEntity(at, accuracy, point === 'center' ? whole.error : 0, matrix), part: part.name };
}

const ADDRESS =
  /^(?<placement>\d{1,9})\/(?<type>face|edge)\/(?<index>\d{1,9})(?:(?<=edge\/\d+)\/(?<point>start|end|center))?$/;

type EdgePoint = 'start' | 'end' | 'center';

function pointOfEdge(edge: MeasuredEdge, point: EdgePoint): Point | null {
  if (point === 'start') return edge.from;
  if (point === 'end') return edge.to;
  return 'at' in edge ? edge.at : null;
}

/** The lengths of a shape, with the factor by which an error of its radius counts. */
function lengthsOf(shape: MeasuredFace | MeasuredEdge): [Quantity, number, number][] {
  if (!('radius' in shape) || shape.kind === 'cone') return [];
  const { kind, radius } = shape;
  if (kind === 'torus' || kind === 'ellipse')
    return [
      ['radius', radius, 1],
      ['minorRadius', shape.minorRadius, 1],
    ];
  return [
    ['diameter', 2 * radius, 2],
    ['radius', radius, 1],
  ];
}

function figureOfFace(face: MeasuredFace): Figure | null {
  switch (face.kind) {
    case 'plane':
      return { kind: 'plane', at: face.at, direction: face.direction };
    case 'sphere':
      return { kind: 'point', at: face.at };
    case 'torus':
      return { kind: 'ring', at: face.at, direction: face.direction };
    case 'cylinder':
    case 'cone':
      return { kind: 'axis', at: face.at, direction: face.direction };
    default:
      return null;
  }
}

function figureOfEdge(edge: MeasuredEdge): Figure | null {
  if (edge.kind === 'line') return { kind: 'axis', at: edge.from, direction: unit(minus(edge.to, edge.from)) };
  return edge.kind === 'freeform' ? null : { kind: 'ring', at: edge.at, direction: edge.direction };
}

function placed(figure: Figure | null, rows: Rows): Figure | null {
  if (!figure) return null;
  const at = transform(rows, figure.at, 1);
  return figure.kind === 'point'
    ? { ...figure, at }
    : { ...figure, at, direction: transform(rows, figure.direction, 0) };
}

/** Applies a matrix to a point (`moved` 1) or to a direction (0). */
export function transform(rows: Rows, [x, y, z]: Point, moved: 0 | 1): Point {
  const row = (at: number) =>
    (rows[at] ?? 0) * x + (rows[at + 1] ?? 0) * y + (rows[at + 2] ?? 0) * z + (rows[at + 3] ?? 0) * moved;
  return moved ? [row(0), row(4), row(8)] : unit([row(0), row(4), row(8)]);
}

function errorOf({ accuracy, residual = 0 }: { accuracy: Accuracy; residual?: number }, chordError: number): number {
  return accuracy === 'mesh' ? chordError : residual;
}

export const angleError = (accuracy: Accuracy): number | null => (accuracy === 'exact' ? 0 : null);

/** Creates a value. */
export const measured = (
  quantity: Quantity,
  value: number,
  unitOf: MeasuredValue['unit'],
  accuracy: Accuracy,
  error: number | null,
): MeasuredValue => ({ quantity, value, unit: unitOf, accuracy, error });

/** Returns the point of an axis or plane that is nearest to a point. */
export function nearestOn({ kind, at, direction }: Exclude<Figure, { kind: 'point' }>, point: Point): Point {
  const away = minus(point, at);
  const along = away[0] * direction[0] + away[1] * direction[1] + away[2] * direction[2];
  return kind === 'plane' ? plus(point, direction, -along) : plus(at, direction, along);
}
