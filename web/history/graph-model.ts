// The loaded part of a document's history, assembled from pages, so that versions created meanwhile do not move known
// nodes. Rows are counted from the top: drafts first, starting with main, then versions, newest first.
import type { HistoryNodeFragment, HistoryPageQuery } from '../generated/operations.ts';

export type GraphPage = NonNullable<HistoryPageQuery['document']>['versionGraph'];
export type HistoryNode = HistoryNodeFragment;
export type Lane = { workspaceId: string; name: string; archived: boolean };
/** An edge to a parent version, which may not be loaded; its `n` determines its row. */
export type ParentEdge = { kind: 'continues' | 'fork' | 'take_over' | 'restore'; n: number; workspaceId: string };

/** A draft or version with its parents. It may not be loaded itself if only one of its edges crosses a loaded page. */
export type Child = { n: number | null; workspaceId: string; parents: readonly ParentEdge[] };

export type History = {
  lanes: readonly Lane[];
  lastVersion: number;
  /** Drafts by workspace id. */
  drafts: ReadonlyMap<string, HistoryNode>;
  versions: ReadonlyMap<number, HistoryNode>;
  /** Versions by number, drafts by workspace id. */
  children: ReadonlyMap<number | string, Child>;
};

/** Merges a page into a history; null starts a new one. The page replaces older data of its nodes and edges. */
export function withPage(before: History | null, page: GraphPage): History {
  const lanes = page.lanes.map(({ workspace: { id, name, archived } }) => ({ workspaceId: id, name, archived }));
  const workspaceIds = new Set(lanes.map(({ workspaceId }) => workspaceId));
  const drafts = new Map([...(before?.drafts ?? [])].filter(([workspaceId]) => workspaceIds.has(workspaceId)));
  const versions = new Map(before?.versions);
  const children = new Map(
    [...(before?.children ?? [])].filter(([, { workspaceId }]) => workspaceIds.has(workspaceId)),
  );
  for (const { version } of page.nodes) {
    const { n, workspaceId } = version;
    if (n === null) drafts.set(workspaceId, version);
    else versions.set(n, version);
    children.set(n ?? workspaceId, { n, workspaceId, parents: [] });
  }
  const lastVersion = page.rows - lanes.length;
  const workspaceOf = (lane: number) => lanes[lane]?.workspaceId ?? '';
  for (const { kind, child, parent } of page.edges) {
    // the API counts rows from 0 at the bottom: version n is in row n - 1, and the drafts are above all versions
    const n = child.row < lastVersion ? child.row + 1 : null;
    const known = children.get(n ?? workspaceOf(child.lane)) ?? {
      n,
      workspaceId: workspaceOf(child.lane),
      parents: [],
    };
    if (known.parents.some((each) => each.n === parent.row + 1)) continue;
    const edge = { kind, n: parent.row + 1, workspaceId: workspaceOf(parent.lane) };
    children.set(n ?? known.workspaceId, { ...known, parents: [...known.parents, edge] });
  }
  return { lanes, lastVersion, drafts, versions, children };
}

/** Updates a loaded node; returns the same history if the node is not loaded. */
export function withNode(history: History, node: HistoryNode): History {
  if (node.n === null)
    return history.drafts.has(node.workspaceId)
      ? { ...history, drafts: new Map(history.drafts).set(node.workspaceId, node) }
      : history;
  return history.versions.has(node.n) ? { ...history, versions: new Map(history.versions).set(node.n, node) } : history;
}

export const rowCount = ({ lanes, lastVersion }: History): number => lanes.length + lastVersion;

/** Returns the row of version `n`, counted from the top. */
export const rowOfVersion = ({ lanes, lastVersion }: History, n: number): number => lanes.length + lastVersion - n;

/** The page to load: `fromRow` is its top row, counted from the bottom as in the API. */
export type WindowRequest = { fromRow: number; limit: number };

/**
 * Returns the page to load next while the rows `first` to `last` (exclusive) are visible: missing visible rows first,
 * then up to `ahead` rows below and above. Null if all of them are loaded. The page extends over unloaded neighbors up
 * to `max` rows, downwards first.
 */
export function nextWindow(
  history: History,
  { first, last }: { first: number; last: number },
  { ahead, max }: { ahead: number; max: number },
): WindowRequest | null {
  const rows = rowCount(history);
  const isUnloaded = (row: number) => row >= 0 && row < rows && nodeAt(history, row) === undefined;
  const missing = [
    ...rowsFrom(first, last),
    ...rowsFrom(last, last + ahead),
    ...rowsFrom(first - ahead, first).reverse(),
  ].find(isUnloaded);
  if (missing === undefined) return null;
  let [from, to] = [missing, missing + 1];
  while (to - from < max && isUnloaded(to)) to++;
  while (to - from < max && isUnloaded(from - 1)) from--;
  return { fromRow: rows - 1 - from, limit: to - from }; // the API counts rows from the bottom
}

const rowsFrom = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);

/** A row of the history; `node` is undefined until loaded. `n` is null for drafts and known for unloaded versions. */
export type HistoryEntry = { row: number; n: number | null; node: HistoryNode | undefined };

export function entriesOf(history: History): HistoryEntry[] {
  return Array.from({ length: rowCount(history) }, (_, row) => {
    const n = rowOfVersion(history, row); // the function is its own inverse
    return { row, n: row < history.lanes.length ? null : n, node: nodeAt(history, row) };
  });
}

function nodeAt(history: History, row: number): HistoryNode | undefined {
  const lane = history.lanes[row];
  return lane ? history.drafts.get(lane.workspaceId) : history.versions.get(rowOfVersion(history, row));
}

/** Returns the row of a loaded node by its id, else -1. */
export function rowOfNode(history: History, id: string): number {
  const lane = history.lanes.findIndex(({ workspaceId }) => history.drafts.get(workspaceId)?.id === id);
  if (lane >= 0) return lane;
  for (const { id: known, n } of history.versions.values())
    if (known === id && n !== null) return rowOfVersion(history, n);
  return -1;
}
