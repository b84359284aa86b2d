// The layout of a rack, computed from its outer dimensions: number, thickness and positions of the boards, and the
// dowel holes.

export type Params = { width: number; depth: number; height: number; clearance: number };

/** A dowel: its diameter, and its depth in a side and in a board, in mm. */
export const DOWEL = { diameter: 8, inSide: 12, inBoard: 28 };

const SIDE = 18;
const THIN = 18;
const THICK = 25;
/** Boards with a longer span would sag under books and are made of the thicker material. */
const MAX_THIN_SPAN = 800;
const FOOT = 60;

/**
 * Returns the heights of the boards' lower faces, evenly spaced from foot to top, and the dowel holes of one side, two
 * per board.
 */
export function computeLayout({ width, depth, height, clearance }: Params) {
  const boardThickness = width - 2 * SIDE > MAX_THIN_SPAN ? THICK : THIN;
  const usable = height - FOOT - boardThickness;
  const gaps = Math.max(1, Math.floor(usable / (clearance + boardThickness)));
  const heights = Array.from({ length: gaps + 1 }, (_, i) => FOOT + (i * usable) / gaps);
  // symmetric between front and back, so that the same side fits left and right
  const holes = heights.flatMap((z) =>
    [0.2, 0.8].map((fraction) => ({ y: fraction * depth, z: z + boardThickness / 2 })),
  );
  return { sideThickness: SIDE, boardThickness, heights, holes };
}
