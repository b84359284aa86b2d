// Layout of the version graph. Row 0 is at the bottom; version n is always in row n - 1, and the drafts are above all
// versions, one row each, main's on top. So a child is above its parents, no two nodes share a row, and later versions
// do not move earlier ones.

/** A workspace and the version it was created from; null for the main one. */
export type GraphWorkspace = { id: string; from: { workspaceId: string; n: number } | null };

/**
 * A draft or version. It continues `basedOnVersionId`; its content was restored from `restoredFromVersionId`, if any, and
 * its other parents were taken over into it.
 */
export type GraphVersion = {
  _id: string;
  workspaceId: string;
  type: 'draft' | 'version';
  n: number | null;
  basedOnVersionId: string | null;
  parents: readonly string[];
  restoredFromVersionId?: string | null;
};

export type Cell = { row: number; lane: number };
export type GraphEnd = Cell & { versionId: string };
export type EdgeKind = 'continues' | 'fork' | 'take_over' | 'restore';
export type GraphEdge = { kind: EdgeKind; child: GraphEnd; parent: GraphEnd };

/**
 * The drawing area: the workspace ids from left to right, the highest version number, and the cell of each draft and
 * version.
 */
export type Grid = { lanes: readonly string[]; lastVersion: number; rows: number; cellOf(version: GraphVersion): Cell };

/** Creates the grid of a document. Expects the workspaces in the order of their creation, the main one first. */
export function createGrid(workspaces: readonly GraphWorkspace[], lastVersion: number): Grid {
  const lanes = assignLanes(workspaces);
  const laneOf = new Map(lanes.map((id, lane) => [id, lane]));
  const cellOf = ({ _id, workspaceId, n }: GraphVersion): Cell => {
    const lane = laneOf.get(workspaceId);
    if (lane === undefined) throw new Error(`${_id} is in workspace ${workspaceId}, which its document does not have`);
    return { lane, row: n === null ? lastVersion + lanes.length - 1 - lane : n - 1 };
  };
  return { lanes, lastVersion, rows: lastVersion + lanes.length, cellOf };
}

/**
 * Returns the workspace ids from left to right: each to the right of the one it forked from, later forks nearer to it.
 * This way the line of a fork, drawn from its version to the right and then up, crosses no other workspace's line: the
 * workspaces in between forked later.
 */
export function assignLanes(workspaces: readonly GraphWorkspace[]): string[] {
  const forks = Map.groupBy(workspaces, ({ from }) => from?.workspaceId ?? null);
  const lanes: string[] = [];
  const waiting = [...(forks.get(null) ?? [])].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    lanes.push(next.id);
    // `pop` takes from the end: forks from later versions first; of several forks from one version, the earliest first.
    waiting.push(...(forks.get(next.id) ?? []).reverse().sort(compareForks));
  }
  return lanes;
}

function compareForks({ from: a }: GraphWorkspace, { from: b }: GraphWorkspace): number {
  return (a?.n ?? 0) - (b?.n ?? 0);
}

/**
 * Returns every edge with an end among `nodes` once, from the top down. `beyond`: the versions outside `nodes` at the
 * other end of such edges.
 */
export function edgesTouching(
  grid: Grid,
  nodes: readonly GraphVersion[],
  beyond: readonly GraphVersion[],
): GraphEdge[] {
  const ends = new Map<string, EdgeEnd>();
  for (const version of nodes) ends.set(version._id, { version, isNode: true, end: endOf(grid, version) });
  for (const version of beyond)
    if (!ends.has(version._id)) ends.set(version._id, { version, isNode: false, end: endOf(grid, version) });
  const edges: GraphEdge[] = [];
  for (const child of ends.values())
    for (const id of child.version.parents.length > 1 ? new Set(child.version.parents) : child.version.parents) {
      const parent = ends.get(id);
      if (parent && (child.isNode || parent.isNode))
        edges.push({ kind: kindOf(child.version, parent.version), child: child.end, parent: parent.end });
      else if (child.isNode) throw new Error(`${child.version._id} has the parent ${id}, which was not loaded`);
    }
  return sortTopDown(edges);
}

const sortTopDown = (edges: GraphEdge[]): GraphEdge[] =>
  edges.sort((a, b) => b.child.row - a.child.row || b.parent.row - a.parent.row);

/**
 * Returns every edge with a part in the rows from `top` down to `bottom`, including edges that only pass through, in
 * the order of `edgesTouching`. `all` is the whole history.
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
      if (!parent) throw new Error(`${child._id} has the parent ${id}, which was not loaded`);
      if (grid.cellOf(parent).row <= top)
        edges.push({ kind: kindOf(child, parent), child: endOf(grid, child), parent: endOf(grid, parent) });
    }
  }
  return sortTopDown(edges);
}

type EdgeEnd = { version: GraphVersion; isNode: boolean; end: GraphEnd };

function endOf(grid: Grid, version: GraphVersion): GraphEnd {
  const { row, lane } = grid.cellOf(version);
  return { versionId: version._id, row, lane };
}

function kindOf(child: GraphVersion, parent: GraphVersion): EdgeKind {
  if (parent._id !== child.basedOnVersionId)
    return parent._id === child.restoredFromVersionId ? 'restore' : 'take_over';
  return parent.workspaceId === child.workspaceId ? 'continues' : 'fork';
}

/**
 * The last node of a page: a draft by its lane or a version by its n, which both stay valid when versions are added.
 */
export type GraphPosition = readonly ['draft', number] | readonly ['version', number];

/**
 * The content of a page: the drafts of these workspaces, then the versions from `highest` down to `lowest` (none if
 * `lowest` is higher).
 */
export type GraphWindow = { draftsOf: readonly string[]; highest: number; lowest: number; last: GraphPosition | null };

/**
 * Returns the window of at most `limit` rows below a position, or from the top. `last` is the position to continue
 * from, null at the bottom.
 */
export function windowAfter(
  { lanes, lastVersion }: Grid,
  position: GraphPosition | undefined,
  limit: number,
): GraphWindow {
  // a draft is identified by its lane, a version by its n; -1 is before the first lane
  const [type, at] = position ?? ['draft', -1];
  const draftsOf = type === 'draft' ? lanes.slice(at + 1, at + 1 + limit) : [];
  const highest = type === 'draft' ? lastVersion : Math.min(at - 1, lastVersion);
  const lowest = Math.max(highest - (limit - draftsOf.length) + 1, 1);
  if (lowest <= highest) return { draftsOf, highest, lowest, last: lowest > 1 ? ['version', lowest] : null };
  const lastLane = type === 'draft' ? at + draftsOf.length : lanes.length - 1;
  return { draftsOf, highest, lowest, last: lastLane < lanes.length - 1 || highest > 0 ? ['draft', lastLane] : null };
}

/**
 * Returns the window of at most `limit` rows from a row down, rows counted from the bottom. A row above all drafts is
 * treated as the top row, because each new version moves the drafts up by one.
 */
export function windowFrom(grid: Grid, row: number, limit: number): GraphWindow {
  const lane = Math.max(0, grid.rows - 1 - row);
  // the row contains version row + 1, so the window starts below version row + 2
  return windowAfter(grid, row < grid.lastVersion ? ['version', row + 2] : ['draft', lane - 1], limit);
}

/** Returns the highest and the lowest row of a window. */
export function windowRows(
  { lanes, rows }: Grid,
  { draftsOf, highest, lowest }: GraphWindow,
): { top: number; bottom: number } {
  const [first, last] = [draftsOf[0], draftsOf.at(-1)];
  const rowOf = (workspaceId: string) => rows - 1 - lanes.indexOf(workspaceId);
  const bottom = lowest <= highest || last === undefined ? lowest - 1 : rowOf(last);
  return { top: first === undefined ? highest - 1 : rowOf(first), bottom };
}

/** The default and maximum number of rows on a page of the graph. */
export const GRAPH_PAGE_SIZES = { default: 200, max: 1000 };
