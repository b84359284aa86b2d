// The measurement between two picked points, as numbers and text.

import { compareEntities } from '../../../subgraphs/core/domain/measure/compare-entities.ts';
import {
  type Entity,
  type MeasuredValue,
  nearestOn,
  type Quantity,
} from '../../../subgraphs/core/domain/measure/entity.ts';
import {
  cross,
  degreesBetween,
  distanceBetween,
  dot,
  length,
  minus,
} from '../../../subgraphs/core/domain/measure/vector.ts';
import { AXES, formatMm, type Point } from '../space.ts';
import type { Feature } from './snap.ts';
import { PARALLEL_DEGREES, type Surface } from './surface.ts';

/** A picked point in mm, with the row and name of its part; `surface` if it is on a planar or cylindrical face. */
export type PickedPoint = {
  at: Point;
  feature: Feature;
  row: number;
  part: string;
  surface: Surface | null;
  /** The exact face, edge or point, if the model has measuring data. */
  entity?: Entity | null;
};

/** The distance (mm) between parallel planes or axes, or the angle (0 to 90 degrees) between planes. */
export type Relation = { between: 'planes' | 'axes'; apart: number } | { between: 'planes'; degrees: number };

/**
 * `distance` and `delta` (the vector from first to second point) in mm. `values` are measured between the exact faces
 * and edges, the most important first. `line` shows the measurement in the view.
 */
export type Measurement = {
  from: PickedPoint;
  to: PickedPoint;
  distance: number;
  delta: Point;
  relation: Relation | null;
  values: readonly MeasuredValue[];
  line: readonly [Point, Point];
};

/** Measures from one point to another. */
export function createMeasurement(from: PickedPoint, to: PickedPoint): Measurement {
  const delta = minus(to.at, from.at);
  const values = from.entity && to.entity ? compareEntities(from.entity, to.entity) : [];
  const relation = relationOf(from.surface, to.surface);
  return {
    from,
    to,
    delta,
    distance: distanceBetween(from.at, to.at),
    relation,
    values,
    line: lineOf(from, to, values),
  };
}

// A distance is drawn between the nearest points of planes and axes, everything else between the picked points.
function lineOf(from: PickedPoint, to: PickedPoint, values: readonly MeasuredValue[]): [Point, Point] {
  const [one, other] = [from.entity?.figure, to.entity?.figure];
  const isDistance = values[0]?.quantity === 'distance' && !values.some(({ quantity }) => quantity === 'angle');
  if (!one || !other || !isDistance) return [from.at, to.at];
  if (other.kind === 'point') return [one.kind === 'point' ? one.at : nearestOn(one, other.at), other.at];
  const start =
    one.kind === 'axis' || one.kind === 'ring' ? nearestOn(one, from.at) : (one.kind === 'point' && one.at) || from.at;
  return [start, nearestOn(other, start)];
}

/** Returns the relation of two surfaces; null if one is unknown, their kinds differ, or two axes are not parallel. */
export function relationOf(one: Surface | null, other: Surface | null): Relation | null {
  if (one?.kind === 'plane' && other?.kind === 'plane') {
    const degrees = degreesBetween(one.normal, other.normal);
    return degrees < PARALLEL_DEGREES
      ? { between: 'planes', apart: Math.abs(dot(minus(other.at, one.at), one.normal)) }
      : { between: 'planes', degrees };
  }
  if (
    one?.kind !== 'cylinder' ||
    other?.kind !== 'cylinder' ||
    degreesBetween(one.axis, other.axis) >= PARALLEL_DEGREES
  )
    return null;
  return { between: 'axes', apart: length(cross(minus(other.at, one.at), one.axis)) };
}

/** Notes if one or both points are on hidden parts. */
export function hiddenTexts({ from, to }: Measurement, isHidden: (row: number) => boolean): string[] {
  if (isHidden(from.row) && isHidden(to.row)) return ['both points on hidden parts, not drawn'];
  return isHidden(from.row) || isHidden(to.row) ? ['one point on a hidden part'] : [];
}

/** The most important value, as drawn at the line. */
export function headlineText(measurement: Measurement): string {
  const [first] = measurement.values;
  if (!first) return distanceText(measurement);
  return first.quantity === 'distance' ? valueText(first) : labelledText(first);
}

/** Describes a face or edge: its kind, diameter or radius, and its center, axis or normal, as separate texts. */
export function entityTexts({ kind, inner, figure, values }: Entity): string[] {
  const where =
    figure && kind !== 'point' && kind !== 'line'
      ? [
          ...(kind === 'plane' || kind === 'cone' ? [] : [`center ${tupleText(figure.at)}`]),
          ...('direction' in figure ? [`${kind === 'plane' ? 'normal' : 'axis'} ${tupleText(figure.direction)}`] : []),
        ]
      : [];
  return [kind === 'cylinder' && inner ? 'hole' : kind, ...values.map(labelledText), ...where];
}

const entityText = (entity: Entity): string => entityTexts(entity).join(', ');

const tupleText = (point: Point): string => `(${point.map(formatMm).join(', ')})`;

const labelledText = (value: MeasuredValue): string => `${QUANTITY_LABELS[value.quantity]} ${valueText(value)}`;

/** A value with its unit and accuracy, e.g. "8 mm (exact)". */
function valueText({ value, unit, accuracy, error }: MeasuredValue): string {
  const digits = { maximumFractionDigits: accuracy === 'mesh' ? 3 : 6 };
  const number = new Intl.NumberFormat(undefined, digits).format(Number(value.toFixed(6)) + 0);
  const range = error && error > 1e-7 ? ` ± ${Number(error.toPrecision(1))} ${unit}` : '';
  return `${number}${unit === '°' ? '' : ' '}${unit} (${accuracy}${range})`;
}

const QUANTITY_LABELS: Readonly<Record<Quantity, string>> = {
  diameter: 'diameter',
  radius: 'radius',
  minorRadius: 'small radius',
  halfAngle: 'half angle',
  sweep: 'arc',
  area: 'area',
  length: 'length',
  distance: 'distance',
  centerDistance: 'distance of the centers',
  angle: 'angle',
  dx: 'dx',
  dy: 'dy',
  dz: 'dz',
};

/** The distance of the picked points. */
export const distanceText = ({ distance }: Measurement): string => `${formatMm(distance)} mm`;

/** The vector from the first point to the second. */
export const deltaText = ({ delta }: Measurement): string =>
  `${AXES.map((axis, at) => `d${axis} ${formatMm(delta[at as 0 | 1 | 2])}`).join(', ')} mm`;

/** The vector between the picked points, unless exact faces or edges were measured. */
export const deltaTexts = (measurement: Measurement): string[] =>
  measurement.values.length > 0 ? [] : [deltaText(measurement)];

/** Further values, and the faces and edges that were measured, as separate texts. */
export function detailTexts(measurement: Measurement): string[] {
  const { from, to, relation, values } = measurement;
  if (from.entity && to.entity) {
    const faces = [from.entity, to.entity].filter((entity) => entity.values.length > 0).map(entityText);
    const picked = faces.length > 0 ? [`between the picked points ${distanceText(measurement)}`] : [];
    return [...values.slice(1).map(labelledText), ...new Set(faces), ...picked];
  }
  const diameters = [from, to].flatMap(({ surface }) =>
    surface?.kind === 'cylinder' ? [diameterText(surface.radius)] : [],
  );
  return [...(relation ? [relationText(relation)] : []), ...new Set(diameters)];
}

function relationText(relation: Relation): string {
  if ('degrees' in relation) return `${formatDegrees(relation.degrees)}° between the planes`;
  const apart = formatMm(relation.apart);
  if (relation.between === 'planes') return apart === '0' ? 'coplanar' : `parallel planes ${apart} mm apart`;
  return apart === '0' ? 'coaxial' : `parallel axes ${apart} mm apart`;
}

const formatDegrees = (degrees: number): string =>
  new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }).format(degrees);
const diameterText = (radius: number): string => `diameter ${formatMm(radius * 2)} mm`;

const FEATURE_LABELS: Readonly<Record<Feature, string>> = {
  vertex: 'vertex',
  center: 'center',
  crossing: 'cut edge',
  middle: 'edge midpoint',
  edge: 'edge',
  face: 'face',
  cut: 'cut face',
};

/** Describes a point: the feature it is on, the part, and the coordinates. */
export function pointText({ at, feature, part, surface, entity }: PickedPoint): string {
  const diameter = surface?.kind === 'cylinder' ? `, ${diameterText(surface.radius)}` : '';
  let label = FEATURE_LABELS[feature];
  if (surface?.kind === 'cylinder') label = 'cylinder';
  else if (surface && feature === 'face') label = 'planar face';
  const coordinates = AXES.map((axis, index) => `${axis} ${formatMm(at[index as 0 | 1 | 2])}`).join(', ');
  const exact = entity && entity.values.length > 0 ? `: ${entityText(entity)}` : '';
  return `${label}${part && ` of ${part}`} at ${coordinates} mm${diameter}${exact}`;
}

/** The whole measurement in one line, for the clipboard. */
export const measurementText = (measurement: Measurement): string =>
  [
    [headlineText(measurement), ...deltaTexts(measurement).map((text) => `(${text})`)].join(' '),
    ...detailTexts(measurement),
    `from ${pointText(measurement.from)} to ${pointText(measurement.to)}`,
  ].join('; ');

/** States the accuracy; `chordError` is the mesh tolerance in mm, if known. */
export const accuracyText = (chordError: number | null): string =>
  chordError === null
    ? 'Measured on the triangle mesh: curved faces can be off by an unknown amount.'
    : `Measured on the triangle mesh: curved faces can be off by up to ${formatMm(chordError)} mm.`;
