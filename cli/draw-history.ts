// The history of a document in the cells of a terminal: one line for each draft and version, the newest at the top, a column for each workspace
// as the service places them, and at their right further columns for what would cross other versions there. All horizontal lines of a row belong
// to the one version that stands in it; every line has a column of its own over its height. So no two lines can be taken for each other.

/** What is drawn of the service's version graph: time runs upwards, so row 0 is the bottom. */
export type History = {
  nodes: readonly { id: string; row: number; lane: number; type: string; released: 'released' | 'obsolete' | null }[];
  edges: readonly { kind: string; child: End; parent: End }[];
};
type End = { versionId: string; row: number; lane: number };
/** One place of a line; the column it belongs to tells its colour. */
export type Cell = { text: string; column: number };
/**
 * The cells of a line, and who stands in it; null where nobody does: between two of one column that do not follow each other,
 * and below the last row, where lines go on that are not shown.
 */
export type DrawnLine = { id: string | null; cells: Cell[] };

// Ways out of a cell; what is drawn in it follows from them.
const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;
const CROSSING = 16;

const ROUND = { version: '●', draft: '○', released: '◉', obsolete: '◌' };
const LINES: Readonly<Record<number, string>> = {
  [UP | DOWN]: '│',
  [LEFT | RIGHT]: '─',
  [UP | LEFT]: '╯',
  [UP | RIGHT]: '╰',
  [DOWN | LEFT]: '╮',
  [DOWN | RIGHT]: '╭',
  [UP | LEFT | RIGHT]: '┴',
  [DOWN | LEFT | RIGHT]: '┬',
  [CROSSING]: '┼',
};
const ASCII = { version: '*', draft: 'o', released: '@', obsolete: 'x' };
// At a crossing the horizontal line passes behind; + is always a turn of its own.
const ASCII_LINES: Readonly<Record<number, string>> = {
  [UP | DOWN]: '|',
  [LEFT | RIGHT]: '-',
  [UP | LEFT]: "'",
  [UP | RIGHT]: '`',
  [DOWN | LEFT]: '.',
  [DOWN | RIGHT]: ',',
  [UP | LEFT | RIGHT]: '+',
  [DOWN | LEFT | RIGHT]: '+',
  [CROSSING]: '|',
};

/** Draws a history from its newest row down; the window must reach from some row down without a gap. */
export function drawHistory({ nodes, edges }: History, { ascii = false } = {}): DrawnLine[] {
  const rows = [...nodes].sort((a, b) => b.row - a.row);
  const lowest = rows.at(-1)?.row ?? 0;
  const tracks = tracksOf(nodes, edges, lowest);
  const columns = Math.max(0, ...nodes.map(({ lane }) => lane + 1), ...tracks.map(({ column }) => column + 1));
  const signs = ascii ? ASCII : ROUND;
  const lines = ascii ? ASCII_LINES : LINES;

  const drawn = rows.flatMap(({ id, row, lane, type, released }, at): DrawnLine[] => {
    const ways = waysIn(row, lane, tracks, columns);
    const cells = ways.map((way, x) => ({ text: lines[way] ?? ' ', column: columnAt(way, x, lane) }));
    cells[2 * lane] = { text: signs[released ?? (type === 'draft' ? 'draft' : 'version')], column: lane };
    const next = rows[at + 1];
    const apart =
      next?.lane === lane &&
      !tracks.some(
        ({ child, parent, column }) => column === lane && child.versionId === id && parent.versionId === next.id,
      );
    // one above the other without a line would look like one after the other
    return apart
      ? [
          { id, cells },
          { id: null, cells: upright(passing(tracks, row, next.row), columns, lines[UP | DOWN]) },
        ]
      : [{ id, cells }];
  });
  const open = tracks.filter(({ parent }) => parent.row < lowest);
  return open.length ? [...drawn, { id: null, cells: upright(open, columns, ascii ? ':' : '┊') }] : drawn;
}

/** The lines that go past between two rows. */
function passing(tracks: readonly Track[], above: number, below: number): Track[] {
  return tracks.filter(({ child, parent }) => child.row >= above && parent.row <= below);
}

function upright(tracks: readonly Track[], columns: number, sign = ' '): Cell[] {
  const there = new Set(tracks.map(({ column }) => 2 * column));
  return Array.from({ length: placesOf(columns) }, (_, x) => ({ text: there.has(x) ? sign : ' ', column: x >> 1 }));
}

/** An edge and the column in which it goes up. */
type Track = { child: End; parent: End; column: number };

// What lies straight above its parent comes first, then forks, which go up where their workspace is; what finds no room there goes further right.
const ORDER = ['continues', 'fork', 'takeOver'];

function tracksOf(nodes: History['nodes'], edges: History['edges'], lowest: number): Track[] {
  const lanes = Math.max(0, ...nodes.map(({ lane }) => lane + 1));
  const taken: { from: number; to: number }[][] = [];
  const free = (column: number, from: number, to: number) =>
    (taken[column] ?? []).every((other) => to < other.from || from > other.to);
  const take = (column: number, from: number, to: number) => {
    taken[column] = [...(taken[column] ?? []), { from, to }];
  };
  for (const { lane, row } of nodes) take(lane, row, row);

  const height = ({ child, parent }: History['edges'][number]) => child.row - parent.row;
  const sorted = [...edges].sort(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || height(a) - height(b) || b.child.row - a.child.row,
  );
  return sorted.map(({ kind, child, parent }) => {
    const bottom = Math.max(parent.row, lowest - 1);
    const straight = child.lane === parent.lane;
    // a line in the lane of its child ends below it, and begins above its parent or turns beside it
    const from = straight && parent.row >= lowest ? bottom + 1 : bottom;
    if (kind !== 'takeOver' && free(child.lane, from, child.row - 1)) {
      take(child.lane, from, child.row - 1);
      return { child, parent, column: child.lane };
    }
    let column = lanes;
    while (!free(column, bottom, child.row)) column += 1;
    take(column, bottom, child.row);
    return { child, parent, column };
  });
}

function waysIn(row: number, lane: number, tracks: readonly Track[], columns: number): number[] {
  const ways = Array.from({ length: placesOf(columns) }, () => 0);
  const turns: { column: number; way: number }[] = [];
  for (const { child, parent, column } of tracks) {
    if (row > parent.row && row < child.row) ways[2 * column] = UP | DOWN;
    if (row === parent.row && column !== lane) turns.push({ column, way: UP });
    if (row === child.row && column !== lane) turns.push({ column, way: DOWN });
  }
  for (const x of between(turns, lane)) ways[x] = ways[x] === 0 ? LEFT | RIGHT : CROSSING;
  for (const { column, way } of turns) {
    const further = turns.some((other) => (column > lane ? other.column > column : other.column < column));
    ways[2 * column] = way | (further ? LEFT | RIGHT : column > lane ? LEFT : RIGHT);
  }
  return ways;
}

/** The places between a version and the farthest turns at its right and at its left. */
function between(turns: readonly { column: number }[], lane: number): number[] {
  const at = turns.map(({ column }) => 2 * column);
  const [first, last] = [Math.min(2 * lane, ...at), Math.max(2 * lane, ...at)];
  return Array.from({ length: Math.max(0, last - first - 1) }, (_, step) => first + 1 + step).filter(
    (x) => x !== 2 * lane,
  );
}

// A crossing has the colour of the line that goes up; a horizontal line that of its version.
function columnAt(way: number, x: number, lane: number): number {
  return way === (LEFT | RIGHT) ? lane : x >> 1;
}

function placesOf(columns: number): number {
  return Math.max(0, 2 * columns - 1);
}
