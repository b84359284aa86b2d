// What the one who asks may do with a workspace, version or revision now: each answer is that of the rule which the command obeys.
import { type Asking, permission } from '../core/asking.ts';
import { type WorkspaceInPlace, writableDraft, writableVersion } from '../core/commands/writable.ts';
import type { Ability } from '../core/domain/access/permissions.ts';
import type { Permission } from '../core/domain/access/check-permission.ts';
import { codeIsSynced } from '../core/domain/jobs/code-state.ts';
import { assertWritableDocument, assertWritablePlace } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import type {
  DocumentRecord,
  RevisionRecord,
  VersionRecord,
  WorkspaceRecord,
} from '../core/store/schema/collections.ts';
import type { VersionInPlace } from '../core/store/versions.ts';
import type { Loaders } from './loaders.ts';
import { existing } from './reads.ts';
import { mayObsolete } from './revisions/obsolete-revision.ts';
import { mayRelease } from './revisions/release-version.ts';
import { mayTakeBack } from './revisions/take-back-revision.ts';
import { mayRequestCheckin } from './workspaces/request-checkin.ts';
import { mayCheckin } from './workspaces/checkin-workspace.ts';
import { mayCheckout } from './workspaces/checkout-workspace.ts';
import { mayCreateWorkspace } from './workspaces/create-workspace.ts';
import { mayDeleteWorkspace } from './workspaces/delete-workspace.ts';

type In = Context<Loaders>;
type Answer<R> = (record: R, _arguments: unknown, context: In) => Promise<Permission>;
type Rule<P> = (by: Asking, place: P, context: In) => unknown;

/** Makes the answers about one sort of record: `placed` finds what the rules look at beside it. */
function answers<R, P>(placed: (record: R, loaders: Loaders) => Promise<P>) {
  return (rule: Rule<P>, needs: Ability = 'edit'): Answer<R> =>
    (record, _arguments, context) => {
      const { scope, request, services, loaders } = context;
      const named = async (id: string) => ({ id, name: (await loaders.user.load(id))?.name ?? 'unknown' });
      const by = { ...scope, actor: request.actor, now: services.clock(), named };
      return permission(by, needs, async () => rule(by, await placed(record, loaders), context));
    };
}

const ofWorkspace = answers<WorkspaceRecord, WorkspaceInPlace>(async (workspace, loaders) => ({
  workspace,
  document: await existing(loaders.document, 'document', workspace.documentId),
}));

/** Of taking over and restoring the general half: what a certain version would do to the draft is told when it is tried. */
export const workspacePermissions = {
  canCreateVersion: ofWorkspace(async (by, place, { loaders }) => {
    await writableDraft(by, place);
    codeIsSynced(await existing(loaders.version, 'draft', place.workspace.draftId));
  }),
  canUpload: ofWorkspace(writableDraft),
  canTakeOver: ofWorkspace(writableDraft),
  canRestore: ofWorkspace(writableDraft),
  canEdit: ofWorkspace((_by, place) => assertWritablePlace(place)),
  canArchive: ofWorkspace(writableDraft),
  canUnarchive: ofWorkspace((_by, { document }) => assertWritableDocument(document)),
  canDelete: ofWorkspace(async (by, place, { loaders }) => {
    const { newestVersionId } = place.workspace;
    const newest = newestVersionId ? [await existing(loaders.version, 'version', newestVersionId)] : [];
    await mayDeleteWorkspace(by, { ...place, versions: newest });
  }),
  canCheckout: ofWorkspace(mayCheckout),
  canRequestCheckin: ofWorkspace(mayRequestCheckin),
  canCheckin: ofWorkspace((by, place) => mayCheckin(by, place, false)),
  canForceCheckin: ofWorkspace((by, place) => mayCheckin(by, place, true)),
};

const ofVersion = answers<VersionRecord, VersionInPlace>(async (version, loaders) => {
  const [document, workspace] = await Promise.all([
    existing(loaders.document, 'document', version.documentId),
    existing(loaders.workspace, 'workspace', version.workspaceId),
  ]);
  return { document, workspace, version };
});

export const versionPermissions = {
  canEdit: ofVersion(writableVersion),
  canRelease: ofVersion(async (_by, { document, version }, { services, loaders }) => {
    const { releasePolicy } = services.limits;
    // only the strict policy minds what the children are
    mayRelease(
      document,
      version,
      releasePolicy === 'strict' ? await loaders.frozenChildren.load(version._id) : [],
      releasePolicy,
    );
  }),
  canCreateWorkspace: ofVersion((_by, { document, version }) => mayCreateWorkspace(document, version)),
};

const ofRevision = answers<RevisionRecord, { document: DocumentRecord; revision: RevisionRecord }>(
  async (revision, loaders) => ({
    revision,
    document: await existing(loaders.document, 'document', revision.documentId),
  }),
);

export const revisionPermissions = {
  canEdit: ofRevision((_by, { document }) => assertWritableDocument(document)),
  canObsolete: ofRevision((_by, { document, revision }) => mayObsolete(document, revision)),
  canTakeBack: ofRevision(
    async (_by, { document, revision }, { loaders }) =>
      mayTakeBack(document, revision, await loaders.usersOfLabel.load({ document, label: revision.label })),
    'administer',
  ),
};
