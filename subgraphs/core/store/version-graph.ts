// Queries for the version graph; each is one query, however long the history is.
import { findAll } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { VersionRecord, WorkspaceRecord } from './schema/collections.ts';

/** Returns the versions of a document between two numbers, highest first. */
export async function versionsFromTo(
  scope: Scope,
  documentId: string,
  highest: number,
  lowest: number,
): Promise<VersionRecord[]> {
  if (lowest > highest) return [];
  return collection(scope, 'versions')
    .find({ documentId: { $eq: documentId }, type: 'version', n: { $gte: lowest, $lte: highest } }, within(scope))
    .sort({ n: -1 })
    .toArray();
}

/** Returns every draft and version that has one of these among its parents. */
export function childrenOf(scope: Scope, versionIds: readonly string[]): Promise<VersionRecord[]> {
  return collection(scope, 'versions')
    .find({ parents: { $in: [...versionIds] } }, within(scope))
    .toArray();
}

/**
 * Returns the workspaces with the workspace and n of the version each was created from; null for the main workspace.
 */
export async function forksOf(
  scope: Scope,
  workspaces: readonly WorkspaceRecord[],
): Promise<{ id: string; from: { workspaceId: string; n: number } | null }[]> {
  const sources = await findAll(
    scope,
    'versions',
    workspaces.flatMap(({ fromVersionId }) => fromVersionId ?? []),
  );
  const versions = new Map(sources.map((version) => [version._id, version]));
  return workspaces.map(({ _id, fromVersionId }) => {
    const version = fromVersionId === null ? undefined : versions.get(fromVersionId);
    return { id: _id, from: version ? { workspaceId: version.workspaceId, n: version.n ?? 0 } : null };
  });
}
