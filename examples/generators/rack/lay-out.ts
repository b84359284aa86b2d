// What follows from the outer measures of a rack: how many boards, how thick, where the dowels are.

export type Params = { width: number; depth: number; height: number; clearance: number };

/** A dowel, and how deep it sits in a side and in a board. */
export const DOWEL = { diameter: 8, inSide: 12, inBoard: 28 };

const SIDE = 18;
const THIN = 18;
const THICK = 25;
/** A board that spans more sags under books: the thicker one is taken. */
const LONGEST_THIN_SPAN = 800;
const FOOT = 60;

/** Heights of the lower faces of the boards, evenly spread from the foot to the top, and the dowel holes of one side, two for each board. */
export function layOut({ width, depth, height, clearance }: Params) {
  const boardThickness = width - 2 * SIDE > LONGEST_THIN_SPAN ? THICK : THIN;
  const usable = height - FOOT - boardThickness;
  const gaps = Math.max(1, Math.floor(usable / (clearance + boardThickness)));
  const heights = Array.from({ length: gaps + 1 }, (_, i) => FOOT + (i * usable) / gaps);
  // as far from the front as from the back, so that a side fits left and right
  const holes = heights.flatMap((z) => [0.2, 0.8].map((part) => ({ y: part * depth, z: z + boardThickness / 2 })));
  return { sideThickness: SIDE, boardThickness, heights, holes };
}
