// Linear and circular copies of an instance.
import type { Point } from '../../subgraphs/core/domain/measure/vector.ts';
import { moveBy, multiply, type Placement, rotationAbout } from './placement.ts';

/**
 * `line`: each copy is `step` (mm) from the one before. `circle`: each is turned by `angle` degrees about an axis
 * through `center` (mm).
 */
export type Pattern =
  | { kind: 'line'; step: Point }
  | { kind: 'circle'; center: Point; axis: 'X' | 'Y' | 'Z'; angle: number };

const AXES = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] } as const;

/** Returns the placement of a copy; `index` 0 is the original. */
export function placeCopy(original: Placement, pattern: Pattern, index: number): Placement {
  if (pattern.kind === 'line') {
    const [x, y, z] = pattern.step;
    return moveBy(original, [x * index, y * index, z * index]);
  }
  return multiply(rotationAbout(AXES[pattern.axis], pattern.angle * index, pattern.center), original);
}
