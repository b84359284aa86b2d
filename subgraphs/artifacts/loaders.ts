// The batching loaders of the artifacts subgraph.
import DataLoader from 'dataloader';
import { byId, createListLoader, createNewestLoader, linksTo } from '../core/loaders.ts';
import { operationLimit } from '../core/operation-limit.ts';
import { artifactsOfAll, artifactsOfKind, newestThumbnails } from '../core/store/files/artifacts.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { bomLoaders } from './references/bom-lines.ts';
import { createFirstUsesLoader } from './references/first-uses.ts';
import { referencesByVersion } from './references/read-references.ts';

export type Loaders = ReturnType<typeof createLoaders>;

const MAX_WHERE_USED_PAGES = 20;
const MAX_BOMS = 20;

const thumbnailsOf = (scope: Scope, versionIds: readonly string[]) => artifactsOfKind(scope, versionIds, 'thumbnail');
const ofVersion = ({ versionId }: { versionId: string }) => versionId;
const artifactsOfNewVersion = { parent: 'versions', of: 'artifacts' } as const;

/**
 * Creates the loaders of one request; each batches its keys into one query. The `assert…Limit` functions count their
 * calls and throw `validation_failed` beyond the limits of an operation.
 */
export function createLoaders(scope: Scope) {
  return {
    ...bomLoaders(scope),
    artifact: byId(scope, 'artifacts'),
    linkToJob: linksTo(scope, 'jobs'),
    user: byId(scope, 'users'),
    assertWhereUsedLimit: operationLimit('whereUsed', MAX_WHERE_USED_PAGES, 'where-used pages of documents'),
    assertBomLimit: operationLimit('boms', MAX_BOMS, 'bills of materials of drafts and versions'),
    firstUses: createFirstUsesLoader(scope),
    artifactsOfVersion: createListLoader(scope, artifactsOfAll, ofVersion, artifactsOfNewVersion),
    thumbnailOfVersion: createListLoader(scope, thumbnailsOf, ofVersion),
    referencesOfVersion: new DataLoader(async (versionIds: readonly string[]) => {
      const references = await referencesByVersion(scope, versionIds);
      return versionIds.map((id) => references.get(id) ?? []);
    }),
    newestThumbnail: createNewestLoader(scope, newestThumbnails, ({ documentId }) => documentId, {
      parent: 'documents',
      of: 'artifacts',
    }),
  };
}
