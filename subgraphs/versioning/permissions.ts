// Resolves what the caller can do with workspaces, versions and revisions. The rules are those that the commands
// enforce.
import { type Caller, permissionFor } from '../core/caller.ts';
import { assertDraftWritable, assertVersionWritable, type WorkspaceContext } from '../core/commands/assert-writable.ts';
import type { Permission } from '../core/domain/access/check-permission.ts';
import type { Ability } from '../core/domain/access/permissions.ts';
import { assertCodeSynced } from '../core/domain/jobs/code-state.ts';
import { assertNotArchived, assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import type {
  DocumentRecord,
  RevisionRecord,
  VersionRecord,
  WorkspaceRecord,
} from '../core/store/schema/collections.ts';
import { userName } from '../core/store/users.ts';
import type { VersionContext } from '../core/store/versions.ts';
import { loadExisting } from './load-records.ts';
import type { Loaders } from './loaders.ts';
import { assertCanObsolete } from './revisions/obsolete-revision.ts';
import { assertCanRelease } from './revisions/release-version.ts';
import { assertCanTakeBack } from './revisions/take-back-revision.ts';
import { assertCanCheckin } from './workspaces/checkin-workspace.ts';
import { assertCanCheckout } from './workspaces/checkout-workspace.ts';
import { assertCanCreateWorkspace } from './workspaces/create-workspace.ts';
import { assertCanDeleteWorkspace } from './workspaces/delete-workspace.ts';
import { assertCanRequestCheckin } from './workspaces/request-checkin.ts';

type VersioningContext = Context<Loaders>;
type PermissionResolver<R> = (record: R, _arguments: unknown, context: VersioningContext) => Promise<Permission>;
type Rule<P> = (caller: Caller, target: P, context: VersioningContext) => unknown;

/** Creates permission resolvers for a type of record. `loadContext` loads the records that the rules need. */
function permissionResolver<R, P>(loadContext: (record: R, loaders: Loaders) => Promise<P>) {
  return (rule: Rule<P>, needs: Ability = 'edit'): PermissionResolver<R> =>
    (record, _arguments, context) => {
      const { scope, request, services, loaders } = context;
      const named = async (id: string) => ({ id, name: userName(await loaders.user.load(id)) });
      const caller = { ...scope, actor: request.actor, now: services.clock(), named };
      return permissionFor(caller, needs, async () => rule(caller, await loadContext(record, loaders), context));
    };
}

const workspacePermission = permissionResolver<WorkspaceRecord, WorkspaceContext>(async (workspace, loaders) => ({
  workspace,
  document: await loadExisting(loaders.document, 'document', workspace.documentId),
}));

/** The resolvers of `WorkspacePermissions`. Take-over and restore may still be rejected for a certain version. */
export const workspacePermissions = {
  canCreateVersion: workspacePermission(async (caller, target, { loaders }) => {
    await assertDraftWritable(caller, target);
    assertCodeSynced(await loadExisting(loaders.version, 'draft', target.workspace.draftId));
  }),
  canUpload: workspacePermission(assertDraftWritable),
  canTakeOver: workspacePermission(assertDraftWritable),
  canRestore: workspacePermission(assertDraftWritable),
  canEdit: workspacePermission((_caller, target) => assertNotArchived(target)),
  canArchive: workspacePermission(assertDraftWritable),
  canUnarchive: workspacePermission((_caller, { document }) => assertWritableDocument(document)),
  canDelete: workspacePermission(async (caller, target, { loaders }) => {
    const { newestVersionId } = target.workspace;
    const newest = newestVersionId ? [await loadExisting(loaders.version, 'version', newestVersionId)] : [];
    await assertCanDeleteWorkspace(caller, { ...target, versions: newest });
  }),
  canCheckout: workspacePermission(assertCanCheckout),
  canRequestCheckin: workspacePermission(assertCanRequestCheckin),
  canCheckin: workspacePermission((caller, target) => assertCanCheckin(caller, target, false)),
  canForceCheckin: workspacePermission((caller, target) => assertCanCheckin(caller, target, true)),
};

const versionPermission = permissionResolver<VersionRecord, VersionContext>(async (version, loaders) => {
  const [document, workspace] = await Promise.all([
    loadExisting(loaders.document, 'document', version.documentId),
    loadExisting(loaders.workspace, 'workspace', version.workspaceId),
  ]);
  return { document, workspace, version };
});

export const versionPermissions = {
  canEdit: versionPermission(assertVersionWritable),
  canRelease: versionPermission(async (_caller, { document, version }, { services, loaders }) => {
    const { releasePolicy } = services.limits;
    // only the strict policy depends on the children
    assertCanRelease(
      document,
      version,
      releasePolicy === 'strict' ? await loaders.frozenChildren.load(version._id) : [],
      releasePolicy,
    );
  }),
  canEditViews: versionPermission((_caller, target) => assertNotArchived(target)),
  canCreateWorkspace: versionPermission((_caller, { document, version }) =>
    assertCanCreateWorkspace(document, version),
  ),
};

const revisionPermission = permissionResolver<RevisionRecord, { document: DocumentRecord; revision: RevisionRecord }>(
  async (revision, loaders) => ({
    revision,
    document: await loadExisting(loaders.document, 'document', revision.documentId),
  }),
);

export const revisionPermissions = {
  canEdit: revisionPermission((_caller, { document }) => assertWritableDocument(document)),
  canObsolete: revisionPermission((_caller, { document, revision }) => assertCanObsolete(document, revision)),
  canTakeBack: revisionPermission(
    async (_caller, { document, revision }, { loaders }) =>
      assertCanTakeBack(document, revision, await loaders.referrersOfLabel.load({ document, label: revision.label })),
    'administer',
  ),
};
