// The versioning subgraph: workspaces, drafts, versions, revisions and reservations.
import {
  type Context,
  defineSubgraph,
  entityBy,
  entityStub,
  lookup,
  mutation,
  query,
  type Subgraph,
  userResolvers,
} from '../core/graphql.ts';
import { tagOf } from '../core/store/query/optimistic-lock.ts';
import type { Services } from '../core/work.ts';
import { compareVersions } from './compare-versions.ts';
import { createVersion } from './create-version.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { loadExisting, loadPresent, reservationOf } from './load-records.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import { revisionPermissions, versionPermissions, workspacePermissions } from './permissions.ts';
import { readVersionGraph } from './read-version-graph.ts';
import { restoreVersion } from './restore-version.ts';
import { obsoleteRevision } from './revisions/obsolete-revision.ts';
import { readRevisions, readVersions, readWorkspaces } from './revisions/read-lists.ts';
import { releaseVersion } from './revisions/release-version.ts';
import { takeBackRevision } from './revisions/take-back-revision.ts';
import { updateRevision } from './revisions/update-revision.ts';
import { takeOver } from './take-over.ts';
import { undoDraftChange } from './undo-draft-change.ts';
import { updateVersion } from './update-version.ts';
import { createView } from './views/create-view.ts';
import { deleteView } from './views/delete-view.ts';
import { readViews } from './views/read-views.ts';
import { updateView } from './views/update-view.ts';
import { archiveWorkspace, unarchiveWorkspace } from './workspaces/archive-workspace.ts';
import { checkinWorkspace } from './workspaces/checkin-workspace.ts';
import { checkoutWorkspace, heartbeatCheckout } from './workspaces/checkout-workspace.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';
import { readMyReservations } from './workspaces/read-my-reservations.ts';
import { requestCheckin } from './workspaces/request-checkin.ts';
import { updateWorkspace } from './workspaces/update-workspace.ts';

type VersioningContext = Context<Loaders>;

/** Creates the versioning subgraph. */
export function versioningSubgraph(services: Services): Subgraph {
  return defineSubgraph<Loaders>({
    name: 'versioning',
    schema: new URL('./schema.graphql', import.meta.url),
    services,
    resolvers,
    loaders: createLoaders,
  });
}

const resolvers: Resolvers<VersioningContext> = {
  Query: {
    workspace: lookup('workspace', ({ loaders }: VersioningContext, { id }: { id: string }) =>
      loaders.workspace.load(id),
    ),
    version: lookup('draft or version', ({ loaders }: VersioningContext, { id }: { id: string }) =>
      loaders.version.load(id),
    ),
    revision: lookup('revision', ({ loaders }: VersioningContext, { id }: { id: string }) => loaders.revision.load(id)),
    view: lookup('view', ({ loaders }: VersioningContext, { id }: { id: string }) => loaders.view.load(id)),
    compareVersions: query(compareVersions),
    myReservations: query(readMyReservations),
  },
  Mutation: {
    createWorkspace: mutation(createWorkspace),
    updateWorkspace: mutation(updateWorkspace),
    archiveWorkspace: mutation(archiveWorkspace),
    unarchiveWorkspace: mutation(unarchiveWorkspace),
    deleteWorkspace: mutation(deleteWorkspace),
    createVersion: mutation(createVersion),
    updateVersion: mutation(updateVersion),
    releaseVersion: mutation(releaseVersion),
    updateRevision: mutation(updateRevision),
    obsoleteRevision: mutation(obsoleteRevision),
    takeBackRevision: mutation(takeBackRevision, 'administer'),
    takeOver: mutation(takeOver),
    restoreVersion: mutation(restoreVersion),
    undoDraftChange: mutation(undoDraftChange),
    checkoutWorkspace: mutation(checkoutWorkspace),
    heartbeatCheckout: mutation(heartbeatCheckout),
    checkinWorkspace: mutation(checkinWorkspace),
    requestCheckin: mutation(requestCheckin),
    createView: mutation(createView),
    updateView: mutation(updateView),
    deleteView: mutation(deleteView),
  },
  Document: {
    __resolveReference: entityStub<Loaders>(),
    workspaces: ({ id }, _arguments, { loaders }) => loaders.workspacesOfDocument.load(id),
    drafts: async ({ id }, _arguments, { loaders }) => {
      const workspaces = await loaders.workspacesOfDocument.load(id);
      return loadPresent(
        loaders.version,
        workspaces.map(({ draftId }) => draftId),
      );
    },
    versions: ({ id }, _arguments, { loaders }) => loaders.versionsOfDocument.load(id),
    newestVersion: ({ id }, _arguments, { loaders }) => loaders.newestVersion.load(id),
    newestRevision: ({ id }, _arguments, { loaders }) => loaders.newestRevision.load(id),
    revisions: ({ id }, _arguments, { loaders }) => loaders.revisionsOfDocument.load(id),
    workspacePage: async ({ id }, page, { loaders }) =>
      readWorkspaces(await loaders.workspacesOfDocument.load(id), page),
    versionPage: ({ id }, page, context) => readVersions(context, id, page),
    revisionPage: ({ id }, page, context) => readRevisions(context, id, page),
    reservations: async ({ id }, _arguments, { loaders, services }) =>
      (await loaders.workspacesOfDocument.load(id)).flatMap(
        (workspace) => reservationOf(workspace, services.clock()) ?? [],
      ),
    versionGraph: ({ id }, page, { services, loaders }) => {
      loaders.assertGraphLimit();
      return readVersionGraph(services, id, page);
    },
  },
  Workspace: {
    __resolveReference: entityBy((loaders: Loaders) => loaders.workspace),
    id: ({ _id }) => _id,
    etag: tagOf,
    document: ({ documentId }) => ({ id: documentId }),
    permissions: (workspace) => workspace,
    fromVersion: ({ fromVersionId }, _arguments, { loaders }) =>
      fromVersionId ? loaders.version.load(fromVersionId) : null,
    versions: ({ _id }, _arguments, { loaders }) => loaders.versionsOfWorkspace.load(_id),
    draft: ({ draftId }, _arguments, { loaders }) => loadExisting(loaders.version, 'draft', draftId),
    newestVersion: ({ newestVersionId }, _arguments, { loaders }) =>
      newestVersionId ? loaders.version.load(newestVersionId) : null,
    reservation: (workspace, _arguments, { services }) => reservationOf(workspace, services.clock()),
  },
  Version: {
    __resolveReference: entityBy((loaders: Loaders) => loaders.version),
    id: ({ _id }) => _id,
    etag: tagOf,
    document: ({ documentId }) => ({ id: documentId }),
    workspace: ({ workspaceId }, _arguments, { loaders }) => loadExisting(loaders.workspace, 'workspace', workspaceId),
    basedOnVersion: ({ basedOnVersionId }, _arguments, { loaders }) =>
      basedOnVersionId ? loaders.version.load(basedOnVersionId) : null,
    restoredFromVersion: ({ restoredFromVersionId }, _arguments, { loaders }) =>
      restoredFromVersionId ? loaders.version.load(restoredFromVersionId) : null,
    parentVersions: ({ parents }, _arguments, { loaders }) => loadPresent(loaders.version, parents),
    revision: ({ releasedAs }, _arguments, { loaders }) =>
      releasedAs ? loaders.revision.load(releasedAs.revisionId) : null,
    permissions: (version) => version,
    views: ({ _id }, _arguments, { loaders }) => loaders.viewsOfVersion.load(_id),
    viewPage: async ({ _id }, page, { loaders }) => readViews(await loaders.viewsOfVersion.load(_id), _id, page),
    code: ({ code }) => code ?? null,
    reservation: async ({ type, workspaceId }, _arguments, { loaders, services }) => {
      const workspace = type === 'draft' ? await loaders.workspace.load(workspaceId) : null;
      return workspace && reservationOf(workspace, services.clock());
    },
  },
  WorkspacePermissions: workspacePermissions,
  VersionPermissions: versionPermissions,
  RevisionPermissions: revisionPermissions,
  ReleasedAs: {
    revision: ({ revisionId }, _arguments, { loaders }) => loaders.revision.load(revisionId),
    obsolete: async ({ revisionId }, _arguments, { loaders }) =>
      (await loaders.revision.load(revisionId))?.obsolete ?? false,
  },
  ReleaseWarning: {
    document: ({ documentId }, _arguments, { loaders }) => loaders.linkToDocument(documentId),
    version: ({ versionId }, _arguments, { loaders }) => loaders.version.load(versionId),
  },
  DraftChange: { audit: ({ auditId }) => ({ id: auditId }) },
  GraphEnd: {
    version: ({ versionId }, _arguments, { loaders }) => loadExisting(loaders.version, 'version', versionId),
  },
  ComparedReference: {
    document: ({ documentId }, _arguments, { loaders }) => loaders.linkToDocument(documentId),
    version: ({ versionId }, _arguments, { loaders }) => (versionId ? loaders.version.load(versionId) : null),
  },
  MissingMeasures: {
    version: ({ versionId }, _arguments, { loaders }) => loadExisting(loaders.version, 'draft or version', versionId),
  },
  ComparedFile: { id: ({ _id }) => _id },
  Revision: {
    __resolveReference: entityBy((loaders: Loaders) => loaders.revision),
    id: ({ _id }) => _id,
    etag: tagOf,
    document: ({ documentId }) => ({ id: documentId }),
    version: ({ versionId }, _arguments, { loaders }) => loadExisting(loaders.version, 'draft or version', versionId),
    permissions: (revision) => revision,
    warnings: ({ warnings }) => warnings ?? [],
  },
  View: {
    __resolveReference: entityBy((loaders: Loaders) => loaders.view),
    id: ({ _id }) => _id,
    etag: tagOf,
    document: ({ documentId }) => ({ id: documentId }),
    version: ({ versionId }, _arguments, { loaders }) => loadExisting(loaders.version, 'draft or version', versionId),
  },
  Reservation: {
    by: ({ userId }) => userId,
    checkinRequests: ({ asks: checkinRequests }) => checkinRequests ?? [],
    workspace: ({ workspaceId }, _arguments, { loaders }) => loadExisting(loaders.workspace, 'workspace', workspaceId),
  },
  CheckinRequest: { by: ({ userId }) => userId },
  User: userResolvers,
};
