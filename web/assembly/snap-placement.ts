// Places a component so that a face or edge of it meets a face or edge of another one.
import type { Figure } from '../../subgraphs/core/domain/measure/entity.ts';
import { dot, minus, plus, scale, unit } from '../../subgraphs/core/domain/measure/vector.ts';
import { moveBy, multiply, type Placement, rotationBetween } from './placement.ts';

export type SnapKind = 'plane' | 'axis';

/** Returns what a figure can snap to: a plane to planes, an axis or circle to axes; null for points and freeform shapes. */
export function snapKindOf(figure: Figure | null): SnapKind | null {
  if (figure?.kind === 'plane') return 'plane';
  return figure?.kind === 'axis' || figure?.kind === 'ring' ? 'axis' : null;
}

/**
 * Returns the placement that brings a plane or axis of a component onto a target: planes coplanar with opposite normals,
 * axes collinear in the nearer direction. `flip` turns the component over. The centers of two circles meet; otherwise
 * the component moves as little as possible. Figures are in the coordinates of the assembly. Null if the figures do not
 * fit together.
 */
export function snapPlacement(placement: Placement, moved: Figure, target: Figure, flip = false): Placement | null {
  const kind = snapKindOf(moved);
  if (kind === null || kind !== snapKindOf(target) || moved.kind === 'point' || target.kind === 'point') return null;
  const direction = unit(target.direction);
  const isOpposite = kind === 'plane' ? !flip : dot(moved.direction, direction) < 0 !== flip;
  const turned = multiply(
    rotationBetween(moved.direction, isOpposite ? scale(direction, -1) : direction, moved.at),
    placement,
  );
  const gap = minus(target.at, moved.at);
  const along = scale(direction, dot(gap, direction));
  if (kind === 'plane') return moveBy(turned, along);
  const areCircles = moved.kind === 'ring' && target.kind === 'ring';
  return moveBy(turned, areCircles ? gap : plus(gap, along, -1));
}
