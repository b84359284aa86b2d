// The history of a document as far as it has been read: from the top down, page by page, put together so that a version made meanwhile moves
// nothing that is known. Rows are counted from the top here: the drafts, main's first, then the versions, the newest first.
import type { HistoryNodeFragment, HistoryPageQuery } from '../generated/operations.ts';

export type GraphPage = NonNullable<HistoryPageQuery['document']>['versionGraph'];
export type HistoryNode = HistoryNodeFragment;
export type Lane = { workspaceId: string; name: string; archived: boolean };
/** An edge to a parent, which is always a version: its n says where it stands, also while it has not been read. */
export type ParentEdge = { kind: 'continues' | 'fork' | 'takeOver'; n: number; workspaceId: string };

export type History = {
  lanes: readonly Lane[];
  lastVersion: number;
  drafts: ReadonlyMap<string, HistoryNode>;
  versions: ReadonlyMap<number, HistoryNode>;
  /** By the id of the child. */
  parents: ReadonlyMap<string, readonly ParentEdge[]>;
  /** Where reading goes on below what is known; null when all is. */
  cursor: string | null;
  /** The lowest version known. */
  lowest: number;
};

/**
 * Puts a page in. Without a history the page begins one; with one, the page continues it below, or (`fromTop`) brings what is new on top.
 */
export function withPage(before: History | null, page: GraphPage, fromTop = before === null): History {
  const lanes = page.lanes.map(({ workspace: { id, name, archived } }) => ({ workspaceId: id, name, archived }));
  const drafts = new Map(before && !fromTop ? before.drafts : []);
  const versions = new Map(before?.versions);
  const parents = new Map(before?.parents);
  for (const { version } of page.nodes) {
    if (version.n === null) drafts.set(version.workspaceId, version);
    else versions.set(version.n, version);
    parents.set(version.id, []);
  }
  const inPage = new Set(page.nodes.map(({ version }) => version.id));
  for (const { kind, child, parent } of page.edges) {
    if (!inPage.has(child.versionId)) continue;
    const edge = { kind, n: parent.row + 1, workspaceId: lanes[parent.lane]?.workspaceId ?? '' };
    parents.set(child.versionId, [...(parents.get(child.versionId) ?? []), edge]);
  }
  const lowestHere = page.nodes.reduce((least, { version: { n } }) => Math.min(least, n ?? least), Number.POSITIVE_INFINITY);
  const keepsPlace = before !== null && fromTop && before.lowest <= lowestHere;
  return {
    ...{ lanes, lastVersion: page.rows - lanes.length, drafts, versions, parents },
    cursor: keepsPlace ? before.cursor : page.nextCursor,
    lowest: Math.min(before?.lowest ?? Number.POSITIVE_INFINITY, lowestHere),
  };
}

/** The same history with a node as it is now; one that is not known stays unknown. */
export function withNode(history: History, node: HistoryNode): History {
  if (node.n === null)
    return history.drafts.has(node.workspaceId) ? { ...history, drafts: new Map(history.drafts).set(node.workspaceId, node) } : history;
  return history.versions.has(node.n) ? { ...history, versions: new Map(history.versions).set(node.n, node) } : history;
}

export const rowCount = ({ lanes, lastVersion }: History): number => lanes.length + lastVersion;

/** The row of version n, from the top. */
export const rowOfVersion = ({ lanes, lastVersion }: History, n: number): number => lanes.length + lastVersion - n;

/** The lowest row of which all above has been read, plus one. */
export function rowsKnown(history: History): number {
  if (history.cursor === null) return rowCount(history);
  return Number.isFinite(history.lowest) ? rowOfVersion(history, history.lowest) + 1 : history.drafts.size;
}

/** A row: what stands there, or nothing while it has not been read. */
export type Entry = { row: number; node: HistoryNode | undefined };

export function entriesOf(history: History): Entry[] {
  return Array.from({ length: rowCount(history) }, (_, row) => ({ row, node: nodeAt(history, row) }));
}

function nodeAt({ lanes, lastVersion, drafts, versions }: History, row: number): HistoryNode | undefined {
  const lane = lanes[row];
  return lane ? drafts.get(lane.workspaceId) : versions.get(lanes.length + lastVersion - row);
}

/** The row of a node that is known, by its id; -1 for others. */
export function rowOfNode(history: History, id: string): number {
  const lane = history.lanes.findIndex(({ workspaceId }) => history.drafts.get(workspaceId)?.id === id);
  if (lane >= 0) return lane;
  for (const { id: known, n } of history.versions.values()) if (known === id && n !== null) return rowOfVersion(history, n);
  return -1;
}
