// Resolves what the caller can do with a document. The rules are those that the commands enforce.
import { type Caller, permissionFor } from '../core/caller.ts';
import type { Permission } from '../core/domain/access/check-permission.ts';
import { assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import { userName } from '../core/store/users.ts';
import { assertCanArchive } from './archive-document.ts';
import { assertCanDelete } from './delete-document.ts';
import type { Loaders } from './loaders.ts';

type PermissionResolver = (
  document: DocumentRecord,
  _arguments: unknown,
  context: Context<Loaders>,
) => Promise<Permission>;

/** Creates a resolver that permits a command if the caller has the ability `edit` and `rule` does not throw. */
function editPermission(
  rule: (caller: Caller, document: DocumentRecord, loaders: Loaders) => unknown,
): PermissionResolver {
  return (document, _arguments, { scope, request, services, loaders }) => {
    const named = async (id: string) => ({ id, name: userName(await loaders.user.load(id)) });
    const caller = { ...scope, actor: request.actor, now: services.clock(), named };
    return permissionFor(caller, 'edit', () => rule(caller, document, loaders));
  };
}

/** The resolvers of `DocumentPermissions`. */
export const documentPermissions = {
  canEdit: editPermission((_caller, document) => assertWritableDocument(document)),
  canMove: editPermission((_caller, document) => assertWritableDocument(document)),
  canArchive: editPermission(async (caller, document, loaders) =>
    assertCanArchive(caller, document, await loaders.workspacesOfDocument.load(document._id)),
  ),
  canUnarchive: editPermission(() => {}),
  canDelete: editPermission(async (caller, document, loaders) => {
    const [workspaces, revisions, referrers, generated] = await Promise.all([
      loaders.workspacesOfDocument.load(document._id),
      loaders.revisionsOfDocument.load(document._id),
      loaders.referrersOfDocument.load(document),
      loaders.generatedDocuments.load(document._id),
    ]);
    await assertCanDelete(caller, { document, workspaces, revisions, referrers, generated });
  }),
  canCopy: editPermission(() => {}),
};
