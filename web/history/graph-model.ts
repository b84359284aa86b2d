// The history of a document as far as it has been read: windows of it, from anywhere, put together so that a version made meanwhile moves nothing that
// is known. Rows are counted from the top here: the drafts, main's first, then the versions, the newest first.
import type { HistoryNodeFragment, HistoryPageQuery } from '../generated/operations.ts';

export type GraphPage = NonNullable<HistoryPageQuery['document']>['versionGraph'];
export type HistoryNode = HistoryNodeFragment;
export type Lane = { workspaceId: string; name: string; archived: boolean };
/** An edge to a parent, which is always a version: its n says where it stands, also while it has not been read. */
export type ParentEdge = { kind: 'continues' | 'fork' | 'takeOver'; n: number; workspaceId: string };

/** What a draft or version goes on from; known also of one that has not been read, when a line of it passes by what has been. */
export type Child = { n: number | null; workspaceId: string; parents: readonly ParentEdge[] };

export type History = {
  lanes: readonly Lane[];
  lastVersion: number;
  /** By workspace. */
  drafts: ReadonlyMap<string, HistoryNode>;
  versions: ReadonlyMap<number, HistoryNode>;
  /** A version by its n, a draft by its workspace. */
  children: ReadonlyMap<number | string, Child>;
};

/** Puts a window in; without a history it begins one. What the window holds is as it is now, and so are its lines. */
export function withPage(before: History | null, page: GraphPage): History {
  const lanes = page.lanes.map(({ workspace: { id, name, archived } }) => ({ workspaceId: id, name, archived }));
  const there = new Set(lanes.map(({ workspaceId }) => workspaceId));
  const drafts = new Map([...(before?.drafts ?? [])].filter(([workspaceId]) => there.has(workspaceId)));
  const versions = new Map(before?.versions);
  const children = new Map([...(before?.children ?? [])].filter(([, { workspaceId }]) => there.has(workspaceId)));
  for (const { version } of page.nodes) {
    const { n, workspaceId } = version;
    if (n === null) drafts.set(workspaceId, version);
    else versions.set(n, version);
    children.set(n ?? workspaceId, { n, workspaceId, parents: [] });
  }
  const lastVersion = page.rows - lanes.length;
  const inLane = (lane: number) => lanes[lane]?.workspaceId ?? '';
  for (const { kind, child, parent } of page.edges) {
    const n = child.row < lastVersion ? child.row + 1 : null;
    const known = children.get(n ?? inLane(child.lane)) ?? { n, workspaceId: inLane(child.lane), parents: [] };
    if (known.parents.some((each) => each.n === parent.row + 1)) continue;
    const edge = { kind, n: parent.row + 1, workspaceId: inLane(parent.lane) };
    children.set(n ?? known.workspaceId, { ...known, parents: [...known.parents, edge] });
  }
  return { lanes, lastVersion, drafts, versions, children };
}

/** The same history with a node as it is now; one that is not known stays unknown. */
export function withNode(history: History, node: HistoryNode): History {
  if (node.n === null)
    return history.drafts.has(node.workspaceId)
      ? { ...history, drafts: new Map(history.drafts).set(node.workspaceId, node) }
      : history;
  return history.versions.has(node.n) ? { ...history, versions: new Map(history.versions).set(node.n, node) } : history;
}

export const rowCount = ({ lanes, lastVersion }: History): number => lanes.length + lastVersion;

/** The row of version n, from the top. */
export const rowOfVersion = ({ lanes, lastVersion }: History, n: number): number => lanes.length + lastVersion - n;

/** A window as it is asked for: its top row, counted from the bottom as the service does, and how many. */
export type Wanted = { fromRow: number; limit: number };

/**
 * The window to read next when the rows from `first` to `last` (not itself) are in sight: those first, then what lies `ahead` below and above them; null
 * when all that is known. Around what is missing it takes as much of the unread as fits, towards the top only where nothing is missing below.
 */
export function nextWindow(
  history: History,
  { first, last }: { first: number; last: number },
  { ahead, most }: { ahead: number; most: number },
): Wanted | null {
  const rows = rowCount(history);
  const unread = (row: number) => row >= 0 && row < rows && nodeAt(history, row) === undefined;
  const at = [
    ...rowsFrom(first, last),
    ...rowsFrom(last, last + ahead),
    ...rowsFrom(first - ahead, first).reverse(),
  ].find(unread);
  if (at === undefined) return null;
  let [from, to] = [at, at + 1];
  while (to - from < most && unread(to)) to++;
  while (to - from < most && unread(from - 1)) from--;
  return { fromRow: rows - 1 - from, limit: to - from };
}

const rowsFrom = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, place) => first + place);

/** A row: what stands there, or nothing while it has not been read; `n` of a version is known from its place. */
export type Entry = { row: number; n: number | null; node: HistoryNode | undefined };

export function entriesOf(history: History): Entry[] {
  return Array.from({ length: rowCount(history) }, (_, row) => {
    const n = rowOfVersion(history, row); // it is its own inverse
    return { row, n: row < history.lanes.length ? null : n, node: nodeAt(history, row) };
  });
}

function nodeAt(history: History, row: number): HistoryNode | undefined {
  const lane = history.lanes[row];
  return lane ? history.drafts.get(lane.workspaceId) : history.versions.get(rowOfVersion(history, row));
}

/** The row of a node that is known, by its id; -1 for others. */
export function rowOfNode(history: History, id: string): number {
  const lane = history.lanes.findIndex(({ workspaceId }) => history.drafts.get(workspaceId)?.id === id);
  if (lane >= 0) return lane;
  for (const { id: known, n } of history.versions.values())
    if (known === id && n !== null) return rowOfVersion(history, n);
  return -1;
}
