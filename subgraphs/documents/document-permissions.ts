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

/** Creates a resolver that requires the ability `edit` and that `rule` does not throw. */
function editPermission(rule: (by: Caller, document: DocumentRecord, loaders: Loaders) => unknown): PermissionResolver {
  return (document, _arguments, { scope, request, services, loaders }) => {
    const named = async (id: string) => ({ id, name: userName(await loaders.user.load(id)) });
    const by = { ...scope, actor: request.actor, now: services.clock(), named };
    return permissionFor(by, 'edit', () => rule(by, document, loaders));
  };
}

/** The resolvers of `DocumentPermissions`. */
export const documentPermissions = {
  canEdit: editPermission((_by, document) => assertWritableDocument(document)),
  canMove: editPermission((_by, document) => assertWritableDocument(document)),
  canArchive: editPermission(async (by, document, loaders) =>
    assertCanArchive(by, document, await loaders.workspacesOfDocument.load(document._id)),
  ),
  canUnarchive: editPermission(() => {}),
  canDelete: editPermission(async (by, document, loaders) => {
    const [workspaces, revisions, users, generated] = await Promise.all([
      loaders.workspacesOfDocument.load(document._id),
      loaders.revisionsOfDocument.load(document._id),
      loaders.usersOfDocument.load(document),
      loaders.generatedDocuments.load(document._id),
    ]);
    await assertCanDelete(by, { document, workspaces, revisions, users, generated });
  }),
  canCopy: editPermission(() => {}),
};
