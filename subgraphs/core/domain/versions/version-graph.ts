// Where the history of a document is drawn. Time runs upwards: row 0 is the bottom. Version n stands in row n - 1 for ever; the drafts, which
// are newer than any version, stand above, one row each, main's on top. So a child stands above its parents, no two nodes share a row, and
// neither a page nor a version made later moves a version.

/** A workspace and the version it began with; null for the main one. */
export type GraphWorkspace = { id: string; from: { workspaceId: string; n: number } | null };

/** A draft or version: what it continues is `basedOnVersionId`; the other parents were taken over into it. */
export type GraphVersion = {
  _id: string;
  workspaceId: string;
  type: 'draft' | 'version';
  n: number | null;
  basedOnVersionId: string | null;
  parents: readonly string[];
};

export type Cell = { row: number; lane: number };
export type GraphEnd = Cell & { versionId: string };
export type EdgeKind = 'continues' | 'fork' | 'take_over';
export type GraphEdge = { kind: EdgeKind; child: GraphEnd; parent: GraphEnd };

/** The whole drawing area: the workspaces from left to right, the highest n, and where each draft and version stands. */
export type Grid = { lanes: readonly string[]; lastVersion: number; rows: number; cellOf(version: GraphVersion): Cell };

/** The drawing area of a document; workspaces in the order of their creation, the main one first. */
export function createGrid(workspaces: readonly GraphWorkspace[], lastVersion: number): Grid {
  const lanes = assignLanes(workspaces);
  const laneOf = new Map(lanes.map((id, lane) => [id, lane]));
  const cellOf = ({ _id, workspaceId, n }: GraphVersion): Cell => {
    const lane = laneOf.get(workspaceId);
    if (lane === undefined)
      throw new Error(`${_id} lies in workspace ${workspaceId}, which its document does not have`);
    return { lane, row: n === null ? lastVersion + lanes.length - 1 - lane : n - 1 };
  };
  return { lanes, lastVersion, rows: lastVersion + lanes.length, cellOf };
}

/**
 * The ids of the workspaces from left to right: each right of the one it left, those that left later nearer to it. Then the line of a fork,
 * drawn from its version to the right and up, crosses no other workspace's line: whatever lies between left later.
 */
export function assignLanes(workspaces: readonly GraphWorkspace[]): string[] {
  const forks = Map.groupBy(workspaces, ({ from }) => from?.workspaceId ?? null);
  const lanes: string[] = [];
  const waiting = [...(forks.get(null) ?? [])].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    lanes.push(next.id);
    // the last one pushed comes next: the latest fork, and of several from one version the first
    waiting.push(...(forks.get(next.id) ?? []).reverse().sort(byFork));
  }
  return lanes;
}

function byFork({ from: a }: GraphWorkspace, { from: b }: GraphWorkspace): number {
  return (a?.n ?? 0) - (b?.n ?? 0);
}

/** Every edge with an end among the nodes of the window, once, from the top down; `beyond` holds the far ends of those that leave it. */
export function edgesTouching(
  grid: Grid,
  nodes: readonly GraphVersion[],
  beyond: readonly GraphVersion[],
): GraphEdge[] {
  const ends = new Map<string, PlacedEnd>();
  for (const version of nodes) ends.set(version._id, { version, inside: true, end: endOf(grid, version) });
  for (const version of beyond)
    if (!ends.has(version._id)) ends.set(version._id, { version, inside: false, end: endOf(grid, version) });
  const edges: GraphEdge[] = [];
  for (const child of ends.values())
    for (const id of child.version.parents.length > 1 ? new Set(child.version.parents) : child.version.parents) {
      const parent = ends.get(id);
      if (parent && (child.inside || parent.inside))
        edges.push({ kind: kindOf(child.version, parent.version), child: child.end, parent: parent.end });
      else if (child.inside) throw new Error(`${child.version._id} has the parent ${id}, which is not known here`);
    }
  return inOrder(edges);
}

const inOrder = (edges: GraphEdge[]): GraphEdge[] =>
  edges.sort((a, b) => b.child.row - a.child.row || b.parent.row - a.parent.row);

/**
 * Every edge with any part in the rows from `top` down to `bottom`, those that only pass by too, in the order of `edgesOf`;
 * `all` is the whole history.
 */
export function edgesInRows(
  grid: Grid,
  all: readonly GraphVersion[],
  { top, bottom }: { top: number; bottom: number },
): GraphEdge[] {
  const known = new Map(all.map((version) => [version._id, version]));
  const edges: GraphEdge[] = [];
  for (const child of all) {
    if (grid.cellOf(child).row < bottom) continue;
    for (const id of child.parents.length > 1 ? new Set(child.parents) : child.parents) {
      const parent = known.get(id);
      if (!parent) throw new Error(`${child._id} has the parent ${id}, which is not known here`);
      if (grid.cellOf(parent).row <= top)
        edges.push({ kind: kindOf(child, parent), child: endOf(grid, child), parent: endOf(grid, parent) });
    }
  }
  return inOrder(edges);
}

type PlacedEnd = { version: GraphVersion; inside: boolean; end: GraphEnd };

function endOf(grid: Grid, version: GraphVersion): GraphEnd {
  const { row, lane } = grid.cellOf(version);
  return { versionId: version._id, row, lane };
}

function kindOf(child: GraphVersion, parent: GraphVersion): EdgeKind {
  if (parent._id !== child.basedOnVersionId) return 'take_over';
  return parent.workspaceId === child.workspaceId ? 'continues' : 'fork';
}

/** The last node of a page: a draft by its lane, a version by its n, so that the next page follows whatever was made meanwhile. */
export type GraphPosition = readonly ['draft', number] | readonly ['version', number];

/** What a page shows: the drafts of these workspaces, then the versions from `highest` down to `lowest` (none when that is higher). */
export type GraphWindow = { draftsOf: readonly string[]; highest: number; lowest: number; last: GraphPosition | null };

/** The window of at most `limit` rows below a place, or from the top; `last` is where the next one goes on, null at the bottom. */
export function windowAfter(
  { lanes, lastVersion }: Grid,
  place: GraphPosition | undefined,
  limit: number,
): GraphWindow {
  const [type, at] = place ?? ['draft', -1];
  const draftsOf = type === 'draft' ? lanes.slice(at + 1, at + 1 + limit) : [];
  const highest = type === 'draft' ? lastVersion : Math.min(at - 1, lastVersion);
  const lowest = Math.max(highest - (limit - draftsOf.length) + 1, 1);
  if (lowest <= highest) return { draftsOf, highest, lowest, last: lowest > 1 ? ['version', lowest] : null };
  const shown = type === 'draft' ? at + draftsOf.length : lanes.length - 1;
  return { draftsOf, highest, lowest, last: shown < lanes.length - 1 || highest > 0 ? ['draft', shown] : null };
}

/**
 * The window of at most `limit` rows from a row down, rows counted from the bottom. The drafts move up with every version, so a row above all of
 * them is no mistake: it is the top.
 */
export function windowFrom(grid: Grid, row: number, limit: number): GraphWindow {
  const lane = Math.max(0, grid.rows - 1 - row);
  return windowAfter(grid, row < grid.lastVersion ? ['version', row + 2] : ['draft', lane - 1], limit);
}

/** The highest and the lowest row of a window. */
export function windowRows(
  { lanes, rows }: Grid,
  { draftsOf, highest, lowest }: GraphWindow,
): { top: number; bottom: number } {
  const [first, last] = [draftsOf[0], draftsOf.at(-1)];
  const rowOf = (workspaceId: string) => rows - 1 - lanes.indexOf(workspaceId);
  const bottom = lowest <= highest || last === undefined ? lowest - 1 : rowOf(last);
  return { top: first === undefined ? highest - 1 : rowOf(first), bottom };
}

/** How many rows a page of the graph shows: usually, and at most. */
export const GRAPH_PAGE_SIZES = { usual: 200, most: 1000 };
