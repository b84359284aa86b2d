import { refuse } from '../core/domain/errors.ts';
import { pageSize, readCursor, writeCursor } from '../core/domain/paging.ts';
import { type Cell, edgesOf, GRAPH_SIZES, type GraphEdge, type GraphPlace, gridOf, windowBelow } from '../core/domain/version-graph.ts';
import type { VersionRecord, WorkspaceRecord } from '../core/store/collections.ts';
import { findAll, get } from '../core/store/records.ts';
import type { Scope } from '../core/store/scope.ts';
import { atOneMoment } from '../core/store/snapshot.ts';
import { childrenOf, forksOf, versionsFromTo } from '../core/store/version-graph.ts';
import { workspacesOf } from '../core/store/workspaces.ts';
import type { Services } from '../core/work.ts';

type Input = { limit?: number | null; cursor?: string | null };

/** A window of rows of the history graph; every page shows all lanes. */
export type VersionGraph = {
  rows: number;
  lanes: { lane: number; workspace: WorkspaceRecord }[];
  nodes: (Cell & { version: VersionRecord })[];
  edges: GraphEdge[];
  nextCursor: string | null;
};

/**
 * Draws a page of a document's history, newest rows first, as it was at one moment: seven queries, however long the history is. Only the
 * versions of the window are read, and the ends of the edges that leave it.
 */
export function readVersionGraph({ mongo }: Services, documentId: string, { limit, cursor }: Input): Promise<VersionGraph> {
  const size = pageSize(limit, GRAPH_SIZES);
  const list = `graph:${documentId}`;
  const place = placeIn(list, cursor);
  return atOneMoment(mongo, async (scope) => {
    const { lastVersion } = await get(scope, 'documents', documentId);
    const workspaces = await workspacesOf(scope, [documentId]);
    const grid = gridOf(await forksOf(scope, workspaces), lastVersion);

    const window = windowBelow(grid, place, size);
    const ofLane = new Map(workspaces.map((workspace) => [workspace._id, workspace]));
    const draftIds = window.draftsOf.map((id) => ofLane.get(id)!.draftId);
    const drafts = draftIds.length ? await findAll(scope, 'versions', draftIds) : [];
    const shown = [...drafts, ...(await versionsFromTo(scope, documentId, window.highest, window.lowest))];

    return {
      rows: grid.rows,
      lanes: grid.lanes.map((id, lane) => ({ lane, workspace: ofLane.get(id)! })),
      nodes: shown.map((version) => ({ ...grid.cellOf(version), version })).sort((a, b) => b.row - a.row),
      edges: edgesOf(grid, shown, await beyond(scope, shown)),
      nextCursor: window.last && writeCursor(list, window.last),
    };
  });
}

/** The parents and children of the shown ones that are not shown themselves. */
async function beyond(scope: Scope, shown: readonly VersionRecord[]): Promise<VersionRecord[]> {
  const ids = new Set(shown.map(({ _id }) => _id));
  const parents = new Set(shown.flatMap((version) => version.parents).filter((id) => !ids.has(id)));
  const children = await childrenOf(scope, [...ids]);
  return [...(await findAll(scope, 'versions', [...parents])), ...children.filter(({ _id }) => !ids.has(_id))];
}

function placeIn(list: string, cursor: string | null | undefined): GraphPlace | undefined {
  const [type, at] = readCursor(list, cursor) ?? [];
  if (type === undefined) return undefined;
  if ((type === 'draft' || type === 'version') && typeof at === 'number' && Number.isInteger(at) && at >= 0) return [type, at];
  return refuse('bad_cursor', 'The cursor is not one that this graph handed out. Start again without it.');
}
