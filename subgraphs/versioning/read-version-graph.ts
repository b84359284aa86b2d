// Reads pages of the version graph.
import { refuse } from '../core/domain/errors.ts';
import { decodeCursor, encodeCursor, pageSize } from '../core/domain/text/paging.ts';
import {
  type Cell,
  createGrid,
  edgesInRows,
  edgesTouching,
  GRAPH_PAGE_SIZES,
  type GraphEdge,
  type GraphPosition,
  windowAfter,
  windowFrom,
  windowRows,
} from '../core/domain/versions/version-graph.ts';
import { findAll, get } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { withSnapshot } from '../core/store/query/snapshot.ts';
import type { VersionRecord, WorkspaceRecord } from '../core/store/schema/collections.ts';
import { versionAncestry } from '../core/store/version-ancestry.ts';
import { childrenOf, forksOf, versionsFromTo } from '../core/store/version-graph.ts';
import { workspacesOf } from '../core/store/workspaces.ts';
import type { Services } from '../core/work.ts';

type Input = { limit?: number | null; cursor?: string | null; fromRow?: number | null };

/** A window of rows of the version graph, with all lanes. */
export type VersionGraph = {
  rows: number;
  lanes: { lane: number; workspace: WorkspaceRecord }[];
  nodes: (Cell & { version: VersionRecord })[];
  edges: GraphEdge[];
  nextCursor: string | null;
};

/**
 * Returns a page of a document's version graph from one snapshot, newest rows first, with seven queries for any length
 * of the history. Reads only the versions in the window and their parents and children. With `fromRow`, returns the
 * window from that row down, including edges that cross it, for which the ancestry of all versions is read and cached.
 * Throws `validation_failed` for an invalid `fromRow`, `bad_cursor` for a cursor of another list.
 */
export function readVersionGraph(
  { mongo }: Services,
  documentId: string,
  { limit, cursor, fromRow }: Input,
): Promise<VersionGraph> {
  const size = pageSize(limit, GRAPH_PAGE_SIZES);
  const list = `graph:${documentId}`;
  const position = parseCursor(list, cursor);
  const row = parseRow(fromRow, cursor);
  return withSnapshot(mongo, async (scope) => {
    const { lastVersion } = await get(scope, 'documents', documentId);
    const workspaces = await workspacesOf(scope, [documentId]);
    const grid = createGrid(await forksOf(scope, workspaces), lastVersion);

    const window = row === undefined ? windowAfter(grid, position, size) : windowFrom(grid, row, size);
    const workspaceById = new Map(workspaces.map((workspace) => [workspace._id, workspace]));
    const drafts = await draftsOf(
      scope,
      row === undefined ? window.draftsOf.map((id) => workspaceById.get(id)!) : workspaces,
    );
    const visible = new Set(window.draftsOf);
    const versions = await versionsFromTo(scope, documentId, window.highest, window.lowest);
    const shown = [...drafts.filter(({ workspaceId }) => visible.has(workspaceId)), ...versions];
    const edges =
      row === undefined
        ? edgesTouching(grid, shown, await readNeighbors(scope, shown))
        : edgesInRows(
            grid,
            [...drafts, ...(await versionAncestry(scope, documentId, lastVersion))],
            windowRows(grid, window),
          );

    return {
      rows: grid.rows,
      lanes: grid.lanes.map((id, lane) => ({ lane, workspace: workspaceById.get(id)! })),
      nodes: shown.map((version) => ({ ...grid.cellOf(version), version })).sort((a, b) => b.row - a.row),
      edges,
      nextCursor: window.last && encodeCursor(list, window.last),
    };
  });
}

async function draftsOf(scope: Scope, workspaces: readonly WorkspaceRecord[]): Promise<VersionRecord[]> {
  if (workspaces.length === 0) return [];
  return findAll(
    scope,
    'versions',
    workspaces.map(({ draftId }) => draftId),
  );
}

/** Returns the parents and children of the shown versions that are not shown themselves. */
async function readNeighbors(scope: Scope, shown: readonly VersionRecord[]): Promise<VersionRecord[]> {
  const ids = new Set(shown.map(({ _id }) => _id));
  const parents = new Set(shown.flatMap((version) => version.parents).filter((id) => !ids.has(id)));
  const children = await childrenOf(scope, [...ids]);
  return [...(await findAll(scope, 'versions', [...parents])), ...children.filter(({ _id }) => !ids.has(_id))];
}

function parseRow(fromRow: number | null | undefined, cursor: string | null | undefined): number | undefined {
  if (fromRow === null || fromRow === undefined) return undefined;
  const reject = (message: string) =>
    refuse('validation_failed', `fromRow ${message}.`, { errors: [{ path: '/fromRow', message }] });
  if (!Number.isInteger(fromRow) || fromRow < 0) return reject('must be an integer of at least 0');
  if (cursor !== null && cursor !== undefined) return reject('cannot be combined with a cursor');
  return fromRow;
}

function parseCursor(list: string, cursor: string | null | undefined): GraphPosition | undefined {
  const [type, index] = decodeCursor(list, cursor) ?? [];
  if (type === undefined) return undefined;
  if ((type === 'draft' || type === 'version') && typeof index === 'number' && Number.isInteger(index) && index >= 0)
    return [type, index];
  return refuse('bad_cursor', 'The cursor is not from this graph. Start again without a cursor.');
}
