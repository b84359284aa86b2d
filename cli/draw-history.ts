// Draws the history of a document with text characters. Each draft or version is one line, newest first. Each workspace
// has a column, in the order of the service; columns to the right of them hold lines that would otherwise cross another
// version. All horizontal lines of a row belong to its version, and vertical lines never share a column at the same
// height, so lines cannot be confused.

/** The version graph of the service. Row 0 is the bottom row, the oldest. */
export type History = {
  nodes: readonly { id: string; row: number; lane: number; type: string; released: 'released' | 'obsolete' | null }[];
  edges: readonly { kind: string; child: EdgeEnd; parent: EdgeEnd }[];
};
type EdgeEnd = { versionId: string; row: number; lane: number };
/** A character, and the column that determines its color. */
export type Cell = { text: string; column: number };
/** A line of the drawing. `id` is its draft or version; null if it contains only vertical lines. */
export type DrawnLine = { id: string | null; cells: Cell[] };

// The directions in which lines leave a cell. They determine its character.
const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;
const CROSSING = 16;

const NODE_SYMBOLS = { version: '●', draft: '○', released: '◉', obsolete: '◌' };
const LINE_SYMBOLS: Readonly<Record<number, string>> = {
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
const ASCII_NODE_SYMBOLS = { version: '*', draft: 'o', released: '@', obsolete: 'x' };
// The vertical line hides the horizontal one at a crossing, because + means a turn.
const ASCII_LINE_SYMBOLS: Readonly<Record<number, string>> = {
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

/** Draws a history from its newest row. `nodes` must contain every row from the newest down to the lowest drawn row. */
export function drawHistory({ nodes, edges }: History, { ascii = false } = {}): DrawnLine[] {
  const rows = [...nodes].sort((a, b) => b.row - a.row);
  const lowestRow = rows.at(-1)?.row ?? 0;
  const tracks = assignTracks(nodes, edges, lowestRow);
  const columns = Math.max(0, ...nodes.map(({ lane }) => lane + 1), ...tracks.map(({ column }) => column + 1));
  const nodeSymbols = ascii ? ASCII_NODE_SYMBOLS : NODE_SYMBOLS;
  const lineSymbols = ascii ? ASCII_LINE_SYMBOLS : LINE_SYMBOLS;

  const drawn = rows.flatMap(({ id, row, lane, type, released }, index): DrawnLine[] => {
    const cells = cellDirections(row, lane, tracks, columns).map((directions, x) => ({
      text: lineSymbols[directions] ?? ' ',
      column: colorColumn(directions, x, lane),
    }));
    cells[2 * lane] = { text: nodeSymbols[released ?? (type === 'draft' ? 'draft' : 'version')], column: lane };
    const next = rows[index + 1];
    // Directly above each other, two unconnected versions of a column would look connected.
    const needsSeparator =
      next?.lane === lane &&
      !tracks.some(
        ({ child, parent, column }) => column === lane && child.versionId === id && parent.versionId === next.id,
      );
    if (!needsSeparator) return [{ id, cells }];
    const passing = tracks.filter(({ child, parent }) => child.row >= row && parent.row <= next.row);
    return [
      { id, cells },
      { id: null, cells: verticalLines(passing, columns, lineSymbols[UP | DOWN]) },
    ];
  });
  const open = tracks.filter(({ parent }) => parent.row < lowestRow);
  return open.length ? [...drawn, { id: null, cells: verticalLines(open, columns, ascii ? ':' : '┊') }] : drawn;
}

function verticalLines(tracks: readonly Track[], columns: number, symbol = ' '): Cell[] {
  const positions = new Set(tracks.map(({ column }) => 2 * column));
  return Array.from({ length: widthOf(columns) }, (_, x) => ({
    text: positions.has(x) ? symbol : ' ',
    column: x >> 1,
  }));
}

/** An edge and the column of its vertical line. */
type Track = { child: EdgeEnd; parent: EdgeEnd; column: number };

// Tracks are assigned in this order of edge kinds. Continuations are straight; forks go up in the column of their
// workspace. Take-overs and restores, and edges whose column is occupied, use a column further right.
const EDGE_ORDER = ['continues', 'fork', 'take_over', 'restore'];

function assignTracks(nodes: History['nodes'], edges: History['edges'], lowestRow: number): Track[] {
  const lanes = Math.max(0, ...nodes.map(({ lane }) => lane + 1));
  const occupied: { from: number; to: number }[][] = [];
  const isFree = (column: number, from: number, to: number) =>
    (occupied[column] ?? []).every((other) => to < other.from || from > other.to);
  const occupy = (column: number, from: number, to: number) => {
    occupied[column] = [...(occupied[column] ?? []), { from, to }];
  };
  for (const { lane, row } of nodes) occupy(lane, row, row);

  const height = ({ child, parent }: History['edges'][number]) => child.row - parent.row;
  const sorted = [...edges].sort(
    (a, b) =>
      EDGE_ORDER.indexOf(a.kind) - EDGE_ORDER.indexOf(b.kind) || height(a) - height(b) || b.child.row - a.child.row,
  );
  return sorted.map(({ kind, child, parent }) => {
    const bottom = Math.max(parent.row, lowestRow - 1);
    const isStraight = child.lane === parent.lane;
    // In the column of the child, the line ends one row below the child. It starts one row above the parent if it is
    // straight, otherwise in the row of the parent, where it turns.
    const from = isStraight && parent.row >= lowestRow ? bottom + 1 : bottom;
    if ((kind === 'continues' || kind === 'fork') && isFree(child.lane, from, child.row - 1)) {
      occupy(child.lane, from, child.row - 1);
      return { child, parent, column: child.lane };
    }
    let column = lanes;
    while (!isFree(column, bottom, child.row)) column += 1;
    occupy(column, bottom, child.row);
    return { child, parent, column };
  });
}

/** Returns the line directions of each cell of a row. */
function cellDirections(row: number, lane: number, tracks: readonly Track[], columns: number): number[] {
  const directions = Array.from({ length: widthOf(columns) }, () => 0);
  const turns: { column: number; direction: number }[] = [];
  for (const { child, parent, column } of tracks) {
    if (row > parent.row && row < child.row) directions[2 * column] = UP | DOWN;
    if (row === parent.row && column !== lane) turns.push({ column, direction: UP });
    if (row === child.row && column !== lane) turns.push({ column, direction: DOWN });
  }
  for (const x of horizontalPositions(turns, lane)) directions[x] = directions[x] === 0 ? LEFT | RIGHT : CROSSING;
  for (const { column, direction } of turns) {
    const toVersion = column > lane ? LEFT : RIGHT;
    const continues = turns.some((other) => (column > lane ? other.column > column : other.column < column));
    directions[2 * column] = direction | (continues ? LEFT | RIGHT : toVersion);
  }
  return directions;
}

/** Returns the positions from a version to its outermost turns on the left and right, without the version itself. */
function horizontalPositions(turns: readonly { column: number }[], lane: number): number[] {
  const positions = turns.map(({ column }) => 2 * column);
  const [first, last] = [Math.min(2 * lane, ...positions), Math.max(2 * lane, ...positions)];
  return Array.from({ length: Math.max(0, last - first - 1) }, (_, offset) => first + 1 + offset).filter(
    (x) => x !== 2 * lane,
  );
}

// A horizontal line has the color of its version; a crossing has that of the vertical line.
function colorColumn(directions: number, x: number, lane: number): number {
  return directions === (LEFT | RIGHT) ? lane : x >> 1;
}

/** The number of characters of a line: one per column, and one between two columns. */
function widthOf(columns: number): number {
  return Math.max(0, 2 * columns - 1);
}
