// Batches the reads of one operation.
import DataLoader from 'dataloader';
import { byId, createListLoader, createNewestLoader, linksTo, type Membership } from '../core/loaders.ts';
import { operationLimit } from '../core/operation-limit.ts';
import { frozenChildrenOf, referrersOfLabels } from '../core/store/assembly/frozen-references.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { newestRevisions, revisionsOf } from '../core/store/revisions.ts';
import type { DocumentRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { newestVersions, versionsOf, versionsOfWorkspaces } from '../core/store/versions.ts';
import { viewsOf } from '../core/store/views.ts';
import { workspacesOf } from '../core/store/workspaces.ts';

export type Loaders = ReturnType<typeof createLoaders>;

// Each graph takes seven separate queries. schema.graphql states the limit.
const MAX_GRAPHS = 10;
// Each page is a separate query, and so is its total.
const MAX_LISTS = 20;

/** Creates the loaders of one operation. The functions `assert…Limit` count their calls and throw beyond a limit. */
export function createLoaders(scope: Scope) {
  const versions: Membership<VersionRecord> = {
    parent: 'documents',
    of: 'versions',
    includes: ({ type }) => type === 'version',
  };
  const revisions = { parent: 'documents', of: 'revisions' } as const;
  const ofDocument = ({ documentId }: { documentId: string }) => documentId;
  return {
    document: byId(scope, 'documents'),
    workspace: byId(scope, 'workspaces'),
    version: byId(scope, 'versions'),
    revision: byId(scope, 'revisions'),
    assertGraphLimit: operationLimit('versionGraphs', MAX_GRAPHS, 'version graphs'),
    assertVersionListLimit: operationLimit('versionLists', MAX_LISTS, 'pages of versions and revisions'),
    user: byId(scope, 'users'),
    workspacesOfDocument: createListLoader(scope, workspacesOf, ofDocument, { parent: 'documents', of: 'workspaces' }),
    linkToDocument: linksTo(scope, 'documents'),
    versionsOfDocument: createListLoader(scope, versionsOf, ofDocument, versions),
    newestVersion: createNewestLoader(scope, newestVersions, ofDocument, versions),
    newestRevision: createNewestLoader(scope, newestRevisions, ofDocument, revisions),
    versionsOfWorkspace: createListLoader(scope, versionsOfWorkspaces, ({ workspaceId }) => workspaceId),
    frozenChildren: new DataLoader(async (versionIds: readonly string[]) => {
      const children = Map.groupBy(await frozenChildrenOf(scope, versionIds), ({ versionId }) => versionId);
      return versionIds.map((id) => (children.get(id) ?? []).map(({ child }) => child));
    }),
    referrersOfLabel: new DataLoader(
      async (labels: readonly { document: DocumentRecord; label: string }[]) => {
        const referrers = Map.groupBy(
          await referrersOfLabels(scope, labels),
          ({ documentId, label }) => `${documentId}@${label}`,
        );
        return labels.map(({ document, label }) =>
          (referrers.get(`${document._id}@${label}`) ?? []).map(({ referrer }) => referrer),
        );
      },
      { cacheKeyFn: ({ document, label }) => `${document._id}@${label}` },
    ),
    view: byId(scope, 'views'),
    viewsOfVersion: createListLoader(scope, viewsOf, ({ versionId }) => versionId),
    revisionsOfDocument: createListLoader(scope, revisionsOf, ofDocument, revisions),
  };
}
