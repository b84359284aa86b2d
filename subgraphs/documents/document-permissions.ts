import { type Asking, permission } from '../core/asking.ts';
import type { Permission } from '../core/domain/access/check-permission.ts';
import { assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import { mayArchiveDocument } from './archive-document.ts';
import { mayDeleteDocument } from './delete-document.ts';
import type { Loaders } from './loaders.ts';

type Answer = (document: DocumentRecord, _arguments: unknown, context: Context<Loaders>) => Promise<Permission>;

const edit = (rule: (by: Asking, document: DocumentRecord, loaders: Loaders) => unknown): Answer => {
  return (document, _arguments, { scope, request, services, loaders }) => {
    const named = async (id: string) => ({ id, name: (await loaders.user.load(id))?.name ?? 'unknown' });
    const by = { ...scope, actor: request.actor, now: services.clock(), named };
    return permission(by, 'edit', () => rule(by, document, loaders));
  };
};

/** What the one who asks may do with a document now: each answer is that of the rule which the command obeys. */
export const documentPermissions = {
  canEdit: edit((_by, document) => assertWritableDocument(document)),
  canMove: edit((_by, document) => assertWritableDocument(document)),
  canArchive: edit(async (by, document, loaders) =>
    mayArchiveDocument(by, document, await loaders.workspacesOfDocument.load(document._id)),
  ),
  canUnarchive: edit(() => {}),
  canDelete: edit(async (by, document, loaders) => {
    const [workspaces, revisions, users, made] = await Promise.all([
      loaders.workspacesOfDocument.load(document._id),
      loaders.revisionsOfDocument.load(document._id),
      loaders.usersOfDocument.load(document),
      loaders.madeBy.load(document._id),
    ]);
    await mayDeleteDocument(by, { document, workspaces, revisions, users, made });
  }),
  canCopy: edit(() => {}),
};
