// Batches the reads of one operation.
import DataLoader from 'dataloader';
import { byId, createListLoader } from '../core/loaders.ts';
import { operationLimit } from '../core/operation-limit.ts';
import { referrersOfDocuments } from '../core/store/assembly/frozen-references.ts';
import { seqOfRecords } from '../core/store/audit/audit-log.ts';
import { countByFolder } from '../core/store/documents.ts';
import { generatedDocuments } from '../core/store/jobs/runs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { revisionsOf } from '../core/store/revisions.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import { workspacesOf } from '../core/store/workspaces.ts';
import { foldersWithPaths } from './folders/list-folders.ts';

export type Loaders = ReturnType<typeof createLoaders>;

// Each document's page is a separate query. schema.graphql states the limit.
const MAX_AUDIT_PAGES = 20;

/** Creates the loaders of one operation. `countAuditPage` throws beyond its limit. */
export function createLoaders(scope: Scope) {
  const ofDocument = ({ documentId }: { documentId: string }) => documentId;
  return {
    document: byId(scope, 'documents'),
    countAuditPage: operationLimit('documentAudit', MAX_AUDIT_PAGES, 'audit pages of documents'),
    user: byId(scope, 'users'),
    workspacesOfDocument: createListLoader((ids) => workspacesOf(scope, ids), ofDocument),
    revisionsOfDocument: createListLoader((ids) => revisionsOf(scope, ids), ofDocument),
    referrersOfDocument: new DataLoader(
      async (documents: readonly DocumentRecord[]) => {
        const referrers = Map.groupBy(await referrersOfDocuments(scope, documents), ({ documentId }) => documentId);
        return documents.map(({ _id }) => (referrers.get(_id) ?? []).map(({ referrer }) => referrer));
      },
      { cacheKeyFn: ({ _id }) => _id },
    ),
    generatedDocuments: createListLoader(
      (ids) => generatedDocuments(scope, ids),
      ({ generatorId }) => generatorId,
    ),
    auditSeq: new DataLoader(async (auditIds: readonly string[]) => {
      const seqs = await seqOfRecords(scope, auditIds);
      return auditIds.map((id) => seqs.get(id) ?? null);
    }),
    folder: new DataLoader(async (ids: readonly string[]) => {
      const folders = new Map((await foldersWithPaths(scope)).map((folder) => [folder._id, folder]));
      return ids.map((id) => folders.get(id) ?? null);
    }),
    documentCount: new DataLoader(async (folderIds: readonly string[]) => {
      const counts = await countByFolder(scope);
      return folderIds.map((id) => counts.get(id) ?? 0);
    }),
  };
}
