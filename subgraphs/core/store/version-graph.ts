// What the history graph is drawn from; each of these is one query, however long the history is.

import { findAll } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { VersionRecord, WorkspaceRecord } from './schema/collections.ts';

/** The versions of a document from the highest n down to the lowest. */
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

/** Every draft and version that has one of these among its parents. */
export function childrenOf(scope: Scope, versionIds: readonly string[]): Promise<VersionRecord[]> {
  return collection(scope, 'versions')
    .find({ parents: { $in: [...versionIds] } }, within(scope))
    .toArray();
}

/** The workspaces with the version each began with: in which workspace it was made, and its n. The main one began with nothing. */
export async function forksOf(
  scope: Scope,
  workspaces: readonly WorkspaceRecord[],
): Promise<{ id: string; from: { workspaceId: string; n: number } | null }[]> {
  const began = await findAll(
    scope,
    'versions',
    workspaces.flatMap(({ fromVersionId }) => fromVersionId ?? []),
  );
  const versions = new Map(began.map((version) => [version._id, version]));
  return workspaces.map(({ _id, fromVersionId }) => {
    const version = fromVersionId === null ? undefined : versions.get(fromVersionId);
    return { id: _id, from: version ? { workspaceId: version.workspaceId, n: version.n ?? 0 } : null };
  });
}
