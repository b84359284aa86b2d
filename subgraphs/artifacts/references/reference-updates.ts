// Lists the newer revisions and versions that references could be updated to.
import { addressKey } from '../../core/domain/assembly/address.ts';
import type { Resolution } from '../../core/domain/assembly/reference.ts';
import { isPinned, type Newest, updatedAddress } from '../../core/domain/assembly/reference-update.ts';
import type { Context } from '../../core/graphql.ts';
import { inChunks, resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import { findAll } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { type Reference, referencesByVersion, requireAssembly } from './read-references.ts';

/** A reference with the newest release and version of its document. */
export type ReferenceUpdate = Pick<
  Reference,
  'path' | 'location' | 'quantity' | 'documentId' | 'number' | 'status' | 'reason'
> & {
  current: Resolution | null;
  newest: Newest | null;
  newestRelease: Resolution | null;
  newestVersion: Resolution | null;
  /** Whether the address specifies a revision or version; otherwise it follows the newest release. */
  pinned: boolean;
  /** The address after an update to the newest release; null if nothing would change. */
  toRelease: string | null;
  /** The address after an update to the newest version; null if nothing would change. */
  toVersion: string | null;
};

/** Returns the available updates of each reference. Throws `wrong_kind` if the document is not an assembly. */
export async function readReferenceUpdates(
  { scope }: Context,
  { versionId }: { versionId: string },
): Promise<ReferenceUpdate[]> {
  await requireAssembly(scope, versionId);
  return referenceUpdates(scope, versionId);
}

/** Returns the available updates of each reference; empty if there are no references. */
export async function referenceUpdates(scope: Scope, versionId: string): Promise<ReferenceUpdate[]> {
  const references = (await referencesByVersion(scope, [versionId])).get(versionId) ?? [];
  const newest = await readNewest(scope, [...new Set(references.flatMap(({ documentId }) => documentId ?? []))]);
  return references.map(({ resolution: current, ...reference }) => {
    const found = newest.get(reference.documentId ?? '') ?? null;
    const addressAfterUpdate = (state: 'release' | 'version') => {
      const update = updatedAddress({ location: reference.location, current, newest: found }, state);
      return 'to' in update ? update.to : null;
    };
    return {
      ...reference,
      current,
      newest: found,
      newestRelease: found?.release ?? null,
      newestVersion: found?.version ?? null,
      pinned: isPinned(reference.location),
      toRelease: addressAfterUpdate('release'),
      toVersion: addressAfterUpdate('version'),
    };
  });
}

/** Returns the newest release that is not obsolete and the newest version of each document. */
async function readNewest(scope: Scope, documentIds: readonly string[]): Promise<Map<string, Newest>> {
  const documents = await inChunks(documentIds, (chunk) => findAll(scope, 'documents', chunk));
  const floating = (target: string) => ({ target, at: { as: 'newest' as const } });
  const last = (target: string, n: number) => ({ target, at: { as: 'version' as const, n } });
  const resolved = await resolveReferences(
    scope,
    documents.flatMap(({ _id, lastVersion }) => [floating(_id), last(_id, lastVersion)]),
  );
  return new Map(
    documents.map(({ _id, lastVersion }) => {
      const release = resolved.get(addressKey(floating(_id)))?.resolved.resolution ?? null;
      const version = resolved.get(addressKey(last(_id, lastVersion)))?.resolved.resolution ?? null;
      return [_id, { release: release?.as === 'revision' && !release.obsolete ? release : null, version }];
    }),
  );
}
