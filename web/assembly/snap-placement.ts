// Places a component so that a face or edge of it meets a face or edge of another one.
import type { Figure } from '../../subgraphs/core/domain/measure/entity.ts';
import { dot, length, minus, type Point, plus, scale, unit } from '../../subgraphs/core/domain/measure/vector.ts';
import { moveBy, multiply, type Placement, perpendicularTo, rotationAbout, rotationBetween } from './placement.ts';

/** A plane or an axis; a `ring` is an axis with a center. */
export type SnapFigure = Exclude<Figure, { kind: 'point' }>;

/** Returns whether a figure can snap: points and freeform shapes cannot. */
export const canSnap = (figure: Figure | null): figure is SnapFigure => figure !== null && figure.kind !== 'point';

/**
 * Returns the placement that brings a plane or axis of a component onto a target. Planes become coplanar with opposite
 * normals, axes collinear in the nearer direction, and an axis comes to lie in a plane. `flip` turns the component over.
 * The centers of two circles meet; otherwise the component moves as little as possible. Figures are in the coordinates
 * of the assembly.
 */
export function snapPlacement(placement: Placement, moved: SnapFigure, target: SnapFigure, flip = false): Placement {
  const [isPlane, ontoPlane] = [moved.kind === 'plane', target.kind === 'plane'];
  if (isPlane !== ontoPlane) return snapAxisIntoPlane(placement, moved, target, flip);
  const direction = unit(target.direction);
  const isOpposite = isPlane ? !flip : dot(moved.direction, direction) < 0 !== flip;
  const turned = multiply(
    rotationBetween(moved.direction, isOpposite ? scale(direction, -1) : direction, moved.at),
    placement,
  );
  const gap = minus(target.at, moved.at);
  const along = scale(direction, dot(gap, direction));
  if (isPlane) return moveBy(turned, along);
  const areCircles = moved.kind === 'ring' && target.kind === 'ring';
  return moveBy(turned, areCircles ? gap : plus(gap, along, -1));
}

/** One figure is a plane, the other an axis. To flip is half a turn about the axis. */
function snapAxisIntoPlane(placement: Placement, moved: SnapFigure, target: SnapFigure, flip: boolean): Placement {
  const fixed = unit(target.direction);
  const direction = partAcross(moved.direction, fixed);
  const turned = multiply(rotationBetween(moved.direction, direction, moved.at), placement);
  const normal = moved.kind === 'plane' ? direction : fixed;
  const shift = scale(normal, dot(minus(target.at, moved.at), normal));
  const placed = moveBy(turned, shift);
  if (!flip) return placed;
  const halfTurn =
    moved.kind === 'plane'
      ? rotationAbout(fixed, 180, target.at)
      : rotationAbout(direction, 180, plus(moved.at, shift));
  return multiply(halfTurn, placed);
}

/** Returns the direction perpendicular to an axis that is nearest to a direction. */
function partAcross(direction: Point, axis: Point): Point {
  const across = minus(unit(direction), scale(axis, dot(unit(direction), axis)));
  return length(across) > 1e-9 ? unit(across) : perpendicularTo(axis);
}
