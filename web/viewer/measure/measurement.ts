// The measurement between two picked points, as numbers and text.

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
export type PickedPoint = { at: Point; feature: Feature; row: number; part: string; surface: Surface | null };

/** The distance (mm) between parallel planes or axes, or the angle (0 to 90 degrees) between planes. */
export type Relation = { between: 'planes' | 'axes'; apart: number } | { between: 'planes'; degrees: number };

/** `distance` and `delta` (the vector from first to second point) in mm. */
export type Measurement = {
  from: PickedPoint;
  to: PickedPoint;
  distance: number;
  delta: Point;
  relation: Relation | null;
};

/** Measures from one point to another. */
export function createMeasurement(from: PickedPoint, to: PickedPoint): Measurement {
  const delta = minus(to.at, from.at);
  return { from, to, delta, distance: distanceBetween(from.at, to.at), relation: relationOf(from.surface, to.surface) };
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

/** The distance, as drawn at the line. */
export const distanceText = ({ distance }: Measurement): string => `${formatMm(distance)} mm`;

/** The vector from the first point to the second. */
export const deltaText = ({ delta }: Measurement): string =>
  `${AXES.map((axis, at) => `d${axis} ${formatMm(delta[at as 0 | 1 | 2])}`).join(', ')} mm`;

/** The relation of the surfaces and the diameters of cylinders, as separate texts. */
export function detailTexts({ from, to, relation }: Measurement): string[] {
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
  crossing: 'cut edge',
  middle: 'edge midpoint',
  edge: 'edge',
  face: 'face',
  cut: 'cut face',
};

/** Describes a point: the feature it is on, the part, and the coordinates. */
export function pointText({ at, feature, part, surface }: PickedPoint): string {
  const diameter = surface?.kind === 'cylinder' ? `, ${diameterText(surface.radius)}` : '';
  let label = FEATURE_LABELS[feature];
  if (surface?.kind === 'cylinder') label = 'cylinder';
  else if (surface && feature === 'face') label = 'planar face';
  const coordinates = AXES.map((axis, index) => `${axis} ${formatMm(at[index as 0 | 1 | 2])}`).join(', ');
  return `${label}${part && ` of ${part}`} at ${coordinates} mm${diameter}`;
}

/** The whole measurement in one line, for the clipboard. */
export const measurementText = (measurement: Measurement): string =>
  [`${distanceText(measurement)} (${deltaText(measurement)})`, ...detailTexts(measurement)].join('; ') +
  `; from ${pointText(measurement.from)} to ${pointText(measurement.to)}`;

/** States the accuracy; `chordError` is the mesh tolerance in mm, if known. */
export const accuracyText = (chordError: number | null): string =>
  chordError === null
    ? 'Measured on the triangle mesh: curved faces can be off by an unknown amount.'
    : `Measured on the triangle mesh: curved faces can be off by up to ${formatMm(chordError)} mm.`;
