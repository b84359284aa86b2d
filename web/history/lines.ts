// The lines of the history graph: which of them cross the rows in sight, and how each is drawn there.
import { type History, rowCount, rowOfVersion } from './graph-model.ts';

/** From a child down to its parent; rows counted from the top, so `top` < `bottom`. */
export type Line = {
  kind: 'continues' | 'fork' | 'takeOver';
  top: number;
  bottom: number;
  topLane: number;
  bottomLane: number;
};

/** Every line that is known, also between two ends that have not been read. */
export function linesOf(history: History): Line[] {
  const laneOf = new Map(history.lanes.map(({ workspaceId }, lane) => [workspaceId, lane]));
  const rows = rowCount(history);
  const lines: Line[] = [];
  for (const { n, workspaceId, parents } of history.children.values()) {
    const topLane = laneOf.get(workspaceId);
    if (topLane === undefined) continue; // a workspace can go between two windows; the next answer has it no more
    const top = n === null ? topLane : rowOfVersion(history, n);
    for (const { kind, n: parentN, workspaceId: parentIn } of parents) {
      const [bottom, bottomLane] = [rowOfVersion(history, parentN), laneOf.get(parentIn)];
      if (bottomLane !== undefined && top < bottom && bottom < rows)
        lines.push({ kind, top, bottom, topLane, bottomLane });
    }
  }
  return lines;
}

/** Lines by the rows they span: answers which have any part between two rows, also those that end in neither. */
export type LineIndex = { crossing(first: number, last: number): Line[] };

/**
 * Indexes lines: sorted by their tops, with the lowest bottom of each half, quarter … above them, so that an answer takes time for what it
 * finds and not for all lines.
 */
export function indexLines(lines: readonly Line[]): LineIndex {
  const sorted = [...lines].sort((a, b) => a.top - b.top);
  let leaves = 1;
  while (leaves < sorted.length) leaves *= 2;
  const lowest = new Int32Array(2 * leaves).fill(-1);
  sorted.forEach(({ bottom }, place) => {
    lowest[leaves + place] = bottom;
  });
  for (let node = leaves - 1; node >= 1; node--)
    lowest[node] = Math.max(lowest[2 * node] ?? -1, lowest[2 * node + 1] ?? -1);

  return {
    crossing(first, last) {
      const found: Line[] = [];
      const look = (node: number, from: number, size: number) => {
        const line = sorted[from];
        if (!line || line.top > last || (lowest[node] ?? -1) < first) return;
        if (size === 1) {
          found.push(line);
          return;
        }
        look(2 * node, from, size / 2);
        look(2 * node + 1, from + size / 2, size / 2);
      };
      look(1, 0, leaves);
      return found;
    },
  };
}

/** Of the gutter, in CSS pixels: height of a row, distance of lanes, and where the first lane stands. */
export type Measure = { row: number; lane: number; left: number };

/** Lanes stand closer the more there are, as close as one can still tell them apart. */
export function measureFor(lanes: number, row: number): Measure {
  return { row, lane: Math.max(8, Math.min(18, 220 / Math.max(1, lanes))), left: 14 };
}

export const laneX = ({ left, lane }: Measure, at: number): number => left + at * lane;
export const gutterWidth = (measure: Measure, lanes: number): number =>
  laneX(measure, Math.max(0, lanes - 1)) + measure.left;

// lines are cut off at every so many rows, so that most steps of scrolling leave a long line as it is drawn
const CUT = 32;

/**
 * The path of a line as it crosses the rows `first` to `last` (not itself), from the top of all rows: what lies outside is cut off a little
 * beyond, so that no line is longer than what is seen. A fork leaves its version sideways and rises in its own lane; a take-over rises
 * between the lanes.
 */
export function pathOf(
  { kind, top, bottom, topLane, bottomLane }: Line,
  first: number,
  last: number,
  measure: Measure,
): string {
  const y = (row: number) => round((row + 0.5) * measure.row);
  const [above, below] = [y(Math.floor((first - 1) / CUT) * CUT), y(Math.ceil((last + 1) / CUT) * CUT)];
  const [topX, bottomX] = [laneX(measure, topLane), laneX(measure, bottomLane)].map(round) as [number, number];
  const [topY, bottomY] = [y(top), y(bottom)];
  if (kind === 'continues' || topX === bottomX) {
    const aside = kind === 'takeOver' ? round(topX + measure.lane / 2) : topX;
    if (aside === topX) return `M${topX} ${Math.max(topY, above)}V${Math.min(bottomY, below)}`;
    return between(topX, topY, aside, bottomX, bottomY, above, below, measure.row);
  }
  if (kind === 'takeOver')
    return between(
      topX,
      topY,
      round(topX + (bottomX > topX ? 1 : -1) * (measure.lane / 2)),
      bottomX,
      bottomY,
      above,
      below,
      measure.row,
    );
  const bend = bottomY - measure.row * 0.8;
  const rise = `M${topX} ${Math.max(topY, above)}V${Math.min(Math.max(bend, above), below)}`;
  return bend < below
    ? `${rise}C${topX} ${round(bottomY - measure.row * 0.2)} ${topX} ${bottomY} ${bottomX} ${bottomY}`
    : rise;
}

// sideways out of the child, straight between two lanes, sideways into the parent
function between(
  topX: number,
  topY: number,
  x: number,
  bottomX: number,
  bottomY: number,
  above: number,
  below: number,
  row: number,
): string {
  const bend = Math.min(row * 0.8, (bottomY - topY) / 2);
  const [from, to] = [round(topY + bend), round(bottomY - bend)];
  const begin =
    from > above ? `M${topX} ${topY}C${x} ${topY} ${x} ${round(topY + bend / 3)} ${x} ${from}` : `M${x} ${above}`;
  if (to >= below) return `${begin}V${below}`;
  return `${begin}V${Math.max(to, above)}C${x} ${round(bottomY - bend / 3)} ${x} ${bottomY} ${bottomX} ${bottomY}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
