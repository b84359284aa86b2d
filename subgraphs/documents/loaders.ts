import DataLoader from 'dataloader';
import { allowance } from '../core/allowance.ts';
import { byId, listsBy } from '../core/loaders.ts';
import { usersOfDocuments } from '../core/store/assembly/frozen-references.ts';
import { placesInLog } from '../core/store/audit/audit-log.ts';
import { countByFolder } from '../core/store/documents.ts';
import { madeBy } from '../core/store/jobs/runs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { revisionsOf } from '../core/store/revisions.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import { workspacesOf } from '../core/store/workspaces.ts';
import { foldersWithPaths } from './folders/list-folders.ts';

export type Loaders = ReturnType<typeof loaders>;

// Each document's page is a query of its own; the SDL says so.
const MOST_AUDITED = 20;

/** The loaders of one request. */
export function loaders(scope: Scope) {
  const ofDocument = ({ documentId }: { documentId: string }) => documentId;
  return {
    document: byId(scope, 'documents'),
    auditAllowance: allowance('documentAudit', MOST_AUDITED, 'audit pages of documents'),
    user: byId(scope, 'users'),
    workspacesOfDocument: listsBy((ids) => workspacesOf(scope, ids), ofDocument),
    revisionsOfDocument: listsBy((ids) => revisionsOf(scope, ids), ofDocument),
    usersOfDocument: new DataLoader(
      async (documents: readonly DocumentRecord[]) => {
        const users = Map.groupBy(await usersOfDocuments(scope, documents), ({ documentId }) => documentId);
        return documents.map(({ _id }) => (users.get(_id) ?? []).map(({ user }) => user));
      },
      { cacheKeyFn: ({ _id }) => _id },
    ),
    madeBy: listsBy(
      (ids) => madeBy(scope, ids),
      ({ generatorId }) => generatorId,
    ),
    placeInLog: new DataLoader(async (auditIds: readonly string[]) => {
      const places = await placesInLog(scope, auditIds);
      return auditIds.map((id) => places.get(id) ?? null);
    }),
    folder: new DataLoader(async (ids: readonly string[]) => {
      const known = new Map((await foldersWithPaths(scope)).map((folder) => [folder._id, folder]));
      return ids.map((id) => known.get(id) ?? null);
    }),
    documentCount: new DataLoader(async (folderIds: readonly string[]) => {
      const counts = await countByFolder(scope);
      return folderIds.map((id) => counts.get(id) ?? 0);
    }),
  };
}
