// The settings of a 3D view.
import type { Difference, Hidden } from './product.ts';
import type { Axis, Box } from './space.ts';
import { AXES } from './space.ts';

/** A section plane at `at` mm along a design axis. Cuts away what is beyond it, or with `flipped` what is before it. */
export type Cut = { axis: Axis; at: number; flipped: boolean };
export const MAX_CUTS = 3;

/** The settings of a 3D view; rows are indexes of the part tree. */
export type ViewState = {
  hidden: Hidden;
  selected: number | null;
  /** Rows that are highlighted like the selected one. */
  marked: Hidden;
  transparent: Hidden;
  cuts: readonly Cut[];
  /** How the parts differ from those of another model; null: they have their own colors. */
  differences: ReadonlyMap<number, Difference> | null;
  lines: boolean;
  tints: boolean;
  parallel: boolean;
  dimensions: boolean;
  /** How far the parts are moved apart, 0…1; null if they are not. */
  explode: number | null;
};

export const INITIAL_VIEW: ViewState = {
  hidden: new Set(),
  selected: null,
  marked: new Set(),
  transparent: new Set(),
  cuts: [],
  differences: null,
  lines: true,
  tints: false,
  parallel: false,
  dimensions: false,
  explode: null,
};

/** Returns a cut through the center of the box that removes the half nearer to the front, right or top. */
export function cutThroughCenter(box: Box, axis: Axis): Cut {
  const [low, high] = rangeAlong(box, axis);
  return { axis, flipped: axis === 'y', at: (low + high) / 2 };
}

/** Returns the cuts and one more, across an axis that has none yet. */
export function addCut(cuts: readonly Cut[], box: Box): readonly Cut[] {
  const axis = (['y', 'x', 'z'] as const).find((each) => cuts.every((cut) => cut.axis !== each)) ?? 'y';
  return [...cuts, cutThroughCenter(box, axis)];
}

/** Returns the lowest and highest coordinate of a box along an axis, in mm. */
export function rangeAlong({ min, max }: Box, axis: Axis): [number, number] {
  const index = AXES.indexOf(axis);
  return [min[index] ?? 0, max[index] ?? 0];
}
