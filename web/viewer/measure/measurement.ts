// What two places that were taken say, as figures and in words.
import { AXES, millimetres, type Point } from '../space.ts';
import type { On } from './snap.ts';
import { SAME_DEGREES, type Surface } from './surface.ts';
import { away, cross, degreesBetween, dot, length, minus } from './vector.ts';

/** A place that was taken, in mm, of the part in a row of the model; `surface` where it lies on a plane or a cylinder, away from its edges. */
export type Taken = { at: Point; on: On; row: number; part: string; surface: Surface | null };

/** How two surfaces lie to each other: how far apart parallel planes or axes are (mm), or at which angle planes stand (degrees, 90 at most). */
export type Relation = { between: 'planes' | 'axes'; apart: number } | { between: 'planes'; degrees: number };

/** `distance` and `along` (from the first to the second, for each axis) in mm. */
export type Measurement = { from: Taken; to: Taken; distance: number; along: Point; relation: Relation | null };

export function measurementOf(from: Taken, to: Taken): Measurement {
  const along = minus(to.at, from.at);
  return { from, to, along, distance: away(from.at, to.at), relation: relationOf(from.surface, to.surface) };
}

/** Null where one of both is unknown, or they are of different kinds; axes that are not parallel have no distance that one would look for. */
export function relationOf(one: Surface | null, other: Surface | null): Relation | null {
  if (one?.is === 'plane' && other?.is === 'plane') {
    const degrees = degreesBetween(one.normal, other.normal);
    return degrees < SAME_DEGREES
      ? { between: 'planes', apart: Math.abs(dot(minus(other.at, one.at), one.normal)) }
      : { between: 'planes', degrees };
  }
  if (one?.is !== 'cylinder' || other?.is !== 'cylinder' || degreesBetween(one.axis, other.axis) >= SAME_DEGREES)
    return null;
  return { between: 'axes', apart: length(cross(minus(other.at, one.at), one.axis)) };
}

/** How many of its places are on parts that are not shown, in words; none where all are. */
export function awayText({ from, to }: Measurement, isAway: (row: number) => boolean): string[] {
  if (isAway(from.row) && isAway(to.row)) return ['on what is hidden: not drawn'];
  return isAway(from.row) || isAway(to.row) ? ['one place is on a hidden part'] : [];
}

/** The length as it stands at the line. */
export const distanceText = ({ distance }: Measurement): string => `${millimetres(distance)} mm`;

/** The way from the first place to the second along each axis. */
export const alongText = ({ along }: Measurement): string =>
  `${AXES.map((axis, at) => `d${axis} ${millimetres(along[at as 0 | 1 | 2])}`).join(', ')} mm`;

/** What is known beyond the distance, each in words of its own. */
export function furtherText({ from, to, relation }: Measurement): string[] {
  const round = [from, to].flatMap(({ surface }) => (surface?.is === 'cylinder' ? [diameterText(surface.radius)] : []));
  return [...(relation ? [relationText(relation)] : []), ...new Set(round)];
}

function relationText(relation: Relation): string {
  if ('degrees' in relation) return `${angle(relation.degrees)}° between the planes`;
  const apart = millimetres(relation.apart);
  if (relation.between === 'planes') return apart === '0' ? 'in one plane' : `parallel planes ${apart} mm apart`;
  return apart === '0' ? 'on one axis' : `parallel axes ${apart} mm apart`;
}

const angle = (degrees: number): string =>
  new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }).format(degrees);
const diameterText = (radius: number): string => `diameter ${millimetres(radius * 2)} mm`;

const ON: Readonly<Record<On, string>> = {
  vertex: 'vertex',
  crossing: 'cut edge',
  middle: 'middle of an edge',
  edge: 'edge',
  face: 'face',
  cut: 'cut face',
};

/** What a place is, in words: on what it lies, of which part, and where. */
export function placeText({ at, on, part, surface }: Taken): string {
  const round = surface?.is === 'cylinder' ? `, ${diameterText(surface.radius)}` : '';
  const known =
    surface?.is === 'plane' && on === 'face' ? 'plane face' : surface?.is === 'cylinder' ? 'cylinder' : ON[on];
  return `${known}${part && ` of ${part}`} at ${AXES.map((axis, place) => `${axis} ${millimetres(at[place as 0 | 1 | 2])}`).join(', ')} mm${round}`;
}

/** All of a measurement in one line, to be copied. */
export const measurementText = (measurement: Measurement): string =>
  [`${distanceText(measurement)} (${alongText(measurement)})`, ...furtherText(measurement)].join('; ') +
  `; from ${placeText(measurement.from)} to ${placeText(measurement.to)}`;

/** How near to the shape what was measured is; `chordError` in mm where the file tells it. */
export const exactnessText = (chordError: number | null): string =>
  chordError === null
    ? 'Measured on the triangles of the mesh, not on the exact shape: round faces may lie beside it, how far is not known.'
    : `Measured on the triangles of the mesh, not on the exact shape: round faces may lie up to ${millimetres(chordError)} mm beside it.`;
