// The lines of the history graph: which lines cross the visible rows, and their SVG paths.
import { type History, rowCount, rowOfVersion } from './graph-model.ts';

/** A line from a child down to its parent. Rows are counted from the top, so `top` < `bottom`. */
export type Line = {
  kind: 'continues' | 'fork' | 'take_over' | 'restore';
  top: number;
  bottom: number;
  topLane: number;
  bottomLane: number;
};

/** Returns whether a line rises between the lanes, in the color of its parent, because its child does not continue it. */
export const isBetweenLanes = (kind: Line['kind']): boolean => kind === 'take_over' || kind === 'restore';

/** Returns all known lines, including those whose ends are not loaded. */
export function linesOf(history: History): Line[] {
  const laneOf = new Map(history.lanes.map(({ workspaceId }, lane) => [workspaceId, lane]));
  const rows = rowCount(history);
  const lines: Line[] = [];
  for (const { n, workspaceId, parents } of history.children.values()) {
    const topLane = laneOf.get(workspaceId);
    if (topLane === undefined) continue; // the workspace was deleted between two pages; the next page omits it
    const top = n === null ? topLane : rowOfVersion(history, n);
    for (const { kind, n: parentN, workspaceId: parentWorkspaceId } of parents) {
      const [bottom, bottomLane] = [rowOfVersion(history, parentN), laneOf.get(parentWorkspaceId)];
      if (bottomLane !== undefined && top < bottom && bottom < rows)
        lines.push({ kind, top, bottom, topLane, bottomLane });
    }
  }
  return lines;
}

/** Finds the lines that touch or cross the rows `first` to `last`. */
export type LineIndex = { crossing(first: number, last: number): Line[] };

/**
 * Indexes lines by the rows they span: sorted by top, in a binary tree of maximum bottoms, so that a search takes time
 * proportional to its result instead of to all lines.
 */
export function indexLines(lines: readonly Line[]): LineIndex {
  const sorted = [...lines].sort((a, b) => a.top - b.top);
  let leaves = 1;
  while (leaves < sorted.length) leaves *= 2;
  const maxBottom = new Int32Array(2 * leaves).fill(-1);
  sorted.forEach(({ bottom }, index) => {
    maxBottom[leaves + index] = bottom;
  });
  for (let node = leaves - 1; node >= 1; node--)
    maxBottom[node] = Math.max(maxBottom[2 * node] ?? -1, maxBottom[2 * node + 1] ?? -1);

  return {
    crossing(first, last) {
      const found: Line[] = [];
      const search = (node: number, from: number, size: number) => {
        const line = sorted[from];
        if (!line || line.top > last || (maxBottom[node] ?? -1) < first) return;
        if (size === 1) {
          found.push(line);
          return;
        }
        search(2 * node, from, size / 2);
        search(2 * node + 1, from + size / 2, size / 2);
      };
      search(1, 0, leaves);
      return found;
    },
  };
}

/** The dimensions of the gutter in CSS pixels; `left` is the position of the first lane. */
export type GutterLayout = { rowHeight: number; laneWidth: number; left: number };

/** Lanes get narrower the more there are, down to 8 pixels. */
export function gutterLayout(lanes: number, rowHeight: number): GutterLayout {
  return { rowHeight, laneWidth: Math.max(8, Math.min(18, 220 / Math.max(1, lanes))), left: 14 };
}

export const laneX = ({ left, laneWidth }: GutterLayout, lane: number): number => left + lane * laneWidth;
export const gutterWidth = (layout: GutterLayout, lanes: number): number =>
  laneX(layout, Math.max(0, lanes - 1)) + layout.left;

// lines are clipped at multiples of 32 rows, so that most scroll events leave a long line unchanged
const CLIP_ROWS = 32;

/**
 * Returns the SVG path of a line, clipped slightly beyond the rows `first` to `last` (exclusive). A fork leaves its
 * version sideways and rises in its own lane; a take-over or restore rises between the lanes.
 */
export function pathOf(
  { kind, top, bottom, topLane, bottomLane }: Line,
  first: number,
  last: number,
  layout: GutterLayout,
): string {
  const y = (row: number) => round((row + 0.5) * layout.rowHeight);
  const [clipTop, clipBottom] = [
    y(Math.floor((first - 1) / CLIP_ROWS) * CLIP_ROWS),
    y(Math.ceil((last + 1) / CLIP_ROWS) * CLIP_ROWS),
  ];
  const [topX, bottomX] = [laneX(layout, topLane), laneX(layout, bottomLane)].map(round) as [number, number];
  const [topY, bottomY] = [y(top), y(bottom)];
  if (isBetweenLanes(kind)) {
    const x = round(topX + (bottomX < topX ? -1 : 1) * (layout.laneWidth / 2));
    return betweenLanes(topX, topY, x, bottomX, bottomY, clipTop, clipBottom, layout.rowHeight);
  }
  if (kind === 'continues' || topX === bottomX)
    return `M${topX} ${Math.max(topY, clipTop)}V${Math.min(bottomY, clipBottom)}`;
  const bend = bottomY - layout.rowHeight * 0.8;
  const rise = `M${topX} ${Math.max(topY, clipTop)}V${Math.min(Math.max(bend, clipTop), clipBottom)}`;
  return bend < clipBottom
    ? `${rise}C${topX} ${round(bottomY - layout.rowHeight * 0.2)} ${topX} ${bottomY} ${bottomX} ${bottomY}`
    : rise;
}

// sideways out of the child, straight between two lanes, sideways into the parent
function betweenLanes(
  topX: number,
  topY: number,
  x: number,
  bottomX: number,
  bottomY: number,
  clipTop: number,
  clipBottom: number,
  rowHeight: number,
): string {
  const bend = Math.min(rowHeight * 0.8, (bottomY - topY) / 2);
  const [from, to] = [round(topY + bend), round(bottomY - bend)];
  const start =
    from > clipTop ? `M${topX} ${topY}C${x} ${topY} ${x} ${round(topY + bend / 3)} ${x} ${from}` : `M${x} ${clipTop}`;
  if (to >= clipBottom) return `${start}V${clipBottom}`;
  return `${start}V${Math.max(to, clipTop)}C${x} ${round(bottomY - bend / 3)} ${x} ${bottomY} ${bottomX} ${bottomY}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
