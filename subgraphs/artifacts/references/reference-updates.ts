import { addressKey } from '../../core/domain/assembly/address.ts';
import type { Resolution } from '../../core/domain/assembly/reference.ts';
import { isPinned, type Newest, updatedAddress } from '../../core/domain/assembly/reference-update.ts';
import type { Context } from '../../core/graphql.ts';
import { inChunks, resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import { findAll } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { assemblyOf, type Reference, referencesByVersion } from './read-references.ts';

/** A reference with what there is of its document now. */
export type ReferenceUpdate = Pick<
  Reference,
  'path' | 'location' | 'quantity' | 'documentId' | 'number' | 'status' | 'reason'
> & {
  current: Resolution | null;
  newest: Newest | null;
  newestRelease: Resolution | null;
  newestVersion: Resolution | null;
  /** The address names one state; else it follows its document by itself. */
  pinned: boolean;
  /** The address that taking the update writes; null when it stays. */
  toRelease: string | null;
  toVersion: string | null;
};

/** What newer states there are of what an assembly's draft or version uses, occurrence by occurrence. Refuses other kinds with `wrong_kind`. */
export async function readReferenceUpdates(
  { scope }: Context,
  { versionId }: { versionId: string },
): Promise<ReferenceUpdate[]> {
  await assemblyOf(scope, versionId);
  return referenceUpdates(scope, versionId);
}

/** The same; empty for what uses nothing. */
export async function referenceUpdates(scope: Scope, versionId: string): Promise<ReferenceUpdate[]> {
  const references = (await referencesByVersion(scope, [versionId])).get(versionId) ?? [];
  const newest = await newestOf(scope, [...new Set(references.flatMap(({ documentId }) => documentId ?? []))]);
  return references.map(({ resolution: current, ...reference }) => {
    const found = newest.get(reference.documentId ?? '') ?? null;
    const to = (state: 'release' | 'version') => {
      const update = updatedAddress({ location: reference.location, current, newest: found }, state);
      return 'to' in update ? update.to : null;
    };
    return {
      ...reference,
      ...{ current, newest: found, newestRelease: found?.release ?? null, newestVersion: found?.version ?? null },
      ...{ pinned: isPinned(reference.location), toRelease: to('release'), toVersion: to('version') },
    };
  });
}

/** The newest release that is not obsolete, and the newest version, of each of some documents: a handful of queries. */
async function newestOf(scope: Scope, documentIds: readonly string[]): Promise<Map<string, Newest>> {
  const documents = await inChunks(documentIds, (some) => findAll(scope, 'documents', some));
  const bare = (target: string) => ({ target, at: { as: 'newest' as const } });
  const last = (target: string, n: number) => ({ target, at: { as: 'version' as const, n } });
  const meant = await resolveReferences(
    scope,
    documents.flatMap(({ _id, lastVersion }) => [bare(_id), last(_id, lastVersion)]),
  );
  return new Map(
    documents.map(({ _id, lastVersion }) => {
      const release = meant.get(addressKey(bare(_id)))?.resolved.resolution ?? null;
      const version = meant.get(addressKey(last(_id, lastVersion)))?.resolved.resolution ?? null;
      return [_id, { release: release?.as === 'revision' && !release.obsolete ? release : null, version }];
    }),
  );
}
