// Distances and angles between two entities.
import { angleError, type Entity, type Figure, type MeasuredValue, measured, nearestOn } from './entity.ts';
import type { Accuracy } from './measure-data.ts';
import { cross, degreesBetween, distanceBetween, dot, length, minus, unit } from './vector.ts';

/** Directions within this angle (degrees) count as parallel: files contain directions with rounding errors. */
const PARALLEL_DEGREES = 1e-4;
/** The error up to which a value counts as exact, in mm. */
const EXACT_MM = 1e-6;

/** Returns the distances and angles between two entities; none if one of them is freeform. */
export function compareEntities(one: Entity, other: Entity): MeasuredValue[] {
  if (!one.figure || !other.figure) return [];
  const accuracy = worst(one.accuracy, other.accuracy);
  const error = one.error + other.error;
  const distance = (value: number, slack = 0, quantity: Length = 'distance'): MeasuredValue =>
    slack > EXACT_MM
      ? measured(quantity, value, 'mm', worst(accuracy, 'fitted'), error + slack)
      : measured(quantity, value, 'mm', accuracy, error);
  const angle = (value: number): MeasuredValue => measured('angle', value, '°', accuracy, angleError(accuracy));
  return valuesBetween(one.figure, other.figure, distance, angle);
}

type Length = 'distance' | 'centerDistance' | 'dx' | 'dy' | 'dz';
type Distance = (value: number, slack?: number, quantity?: Length) => MeasuredValue;
type Angle = (value: number) => MeasuredValue;

function valuesBetween(one: Figure, other: Figure, distance: Distance, angle: Angle): MeasuredValue[] {
  if (one.kind === 'point' || other.kind === 'point') return fromPoint(one, other, distance);
  const degrees = degreesBetween(one.direction, other.direction);
  const apart = distanceBetween(one.at, other.at);
  const slackOf = (deviation: number) => apart * Math.sin((deviation * Math.PI) / 180);
  if (one.kind === 'plane' && other.kind === 'plane')
    return degrees <= PARALLEL_DEGREES
      ? [distance(Math.abs(dot(minus(other.at, one.at), one.direction)), slackOf(degrees))]
      : [angle(degrees)];
  if (one.kind === 'plane' || other.kind === 'plane') {
    const [plane, axis] = one.kind === 'plane' ? [one, other] : [other, one];
    const toPlane = Math.abs(dot(minus(axis.at, plane.at), plane.direction));
    // The center of a ring has a distance, whatever the direction of its axis.
    if (axis.kind === 'ring') return [distance(toPlane), angle(90 - degrees)];
    return 90 - degrees <= PARALLEL_DEGREES ? [distance(toPlane, slackOf(90 - degrees))] : [angle(90 - degrees)];
  }
  const centers = one.kind === 'ring' && other.kind === 'ring' ? [distance(apart, 0, 'centerDistance')] : [];
  if (degrees <= PARALLEL_DEGREES)
    return [distance(length(cross(minus(other.at, one.at), one.direction)), slackOf(degrees)), ...centers];
  const normal = unit(cross(one.direction, other.direction));
  return [distance(Math.abs(dot(minus(other.at, one.at), normal))), angle(degrees), ...centers];
}

function fromPoint(one: Figure, other: Figure, distance: Distance): MeasuredValue[] {
  const [point, figure] = one.kind === 'point' ? [one, other] : [other, one];
  if (figure.kind === 'plane' || figure.kind === 'axis')
    return [distance(distanceBetween(point.at, nearestOn(figure, point.at)))];
  const delta = minus(other.at, one.at);
  return [
    distance(length(delta)),
    ...(['dx', 'dy', 'dz'] as const).map((quantity, axis) => distance(delta[axis as 0 | 1 | 2], 0, quantity)),
  ];
}

const ORDER: readonly Accuracy[] = ['exact', 'fitted', 'mesh'];
const worst = (one: Accuracy, other: Accuracy): Accuracy =>
  ORDER[Math.max(ORDER.indexOf(one), ORDER.indexOf(other))] ?? 'mesh';
