import DataLoader from 'dataloader';
import { allowance } from '../core/allowance.ts';
import { byId, listsBy } from '../core/loaders.ts';
import { artifactsOfAll, artifactsOfKind, newestThumbnails } from '../core/store/files/artifacts.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { bomLoaders } from './references/bom-lines.ts';
import { referencesByVersion } from './references/read-references.ts';

export type Loaders = ReturnType<typeof loaders>;

const MOST_WHERE_USED = 20;

/** The loaders of one request: however many documents or versions it names, each is one query. */
export function loaders(scope: Scope) {
  return {
    ...bomLoaders(scope),
    artifact: byId(scope, 'artifacts'),
    user: byId(scope, 'users'),
    whereUsedAllowance: allowance('whereUsed', MOST_WHERE_USED, 'where-used pages of documents'),
    artifactsOfVersion: listsBy(
      (ids) => artifactsOfAll(scope, ids),
      ({ versionId }) => versionId,
    ),
    thumbnailOfVersion: listsBy(
      (ids) => artifactsOfKind(scope, ids, 'thumbnail'),
      ({ versionId }) => versionId,
    ),
    referencesOfVersion: new DataLoader(async (versionIds: readonly string[]) => {
      const references = await referencesByVersion(scope, versionIds);
      return versionIds.map((id) => references.get(id) ?? []);
    }),
    newestThumbnail: new DataLoader(async (documentIds: readonly string[]) => {
      const newest = new Map(
        (await newestThumbnails(scope, documentIds)).map((artifact) => [artifact.documentId, artifact]),
      );
      return documentIds.map((id) => newest.get(id) ?? null);
    }),
  };
}
