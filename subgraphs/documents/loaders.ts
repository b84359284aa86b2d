// Batches the reads of one operation.
import DataLoader from 'dataloader';
import { byId, createFirstPageLoader, createListLoader, linksTo } from '../core/loaders.ts';
import { operationLimit } from '../core/operation-limit.ts';
import { referrersOfDocuments } from '../core/store/assembly/frozen-references.ts';
import { seqOfRecords } from '../core/store/audit/audit-log.ts';
import { newestAboutVersions, newestOfChains } from '../core/store/audit/list-audit.ts';
import { countByFolder, newestInFolders } from '../core/store/documents.ts';
import { generatedDocuments } from '../core/store/jobs/runs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { revisionsOf } from '../core/store/revisions.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import { workspacesOf } from '../core/store/workspaces.ts';
import { foldersWithPaths, readFolders } from './folders/list-folders.ts';

const readAllFolders = async (scope: Scope) => (await readFolders({ scope }, {})).items;

export type Loaders = ReturnType<typeof createLoaders>;

// Each of these pages is a separate query. schema.graphql states the limit.
const MAX_PAGES = 20;

/** Creates the loaders of one operation. The `assert…Limit` functions throw beyond their limits. */
export function createLoaders(scope: Scope) {
  const ofDocument = ({ documentId }: { documentId: string }) => documentId;
  return {
    document: byId(scope, 'documents'),
    auditRecord: byId(scope, 'audit'),
    token: byId(scope, 'tokens'),
    webhook: byId(scope, 'webhooks'),
    linkToVersion: linksTo(scope, 'versions'),
    linkToWorkspace: linksTo(scope, 'workspaces'),
    linkToRevision: linksTo(scope, 'revisions'),
    linkToJob: linksTo(scope, 'jobs'),
    assertAuditPageLimit: operationLimit(
      'auditPages',
      MAX_PAGES,
      'filtered, sorted, counted or further pages of audit records',
    ),
    assertDocumentPageLimit: operationLimit(
      'documentPages',
      MAX_PAGES,
      'filtered, sorted, counted or further pages of documents',
    ),
    firstDocumentAudit: createFirstPageLoader(
      (ids, limit) => newestOfChains(scope, ids, limit),
      ({ chain }) => chain,
    ),
    firstVersionAudit: createFirstPageLoader(
      (ids, limit) => newestAboutVersions(scope, ids, limit),
      ({ versionId }) => versionId,
    ),
    firstDocumentsOfFolder: createFirstPageLoader(
      (ids, limit) => newestInFolders(scope, ids, limit),
      ({ folderId }) => folderId,
    ),
    user: byId(scope, 'users'),
    workspacesOfDocument: createListLoader(scope, workspacesOf, ofDocument, { parent: 'documents', of: 'workspaces' }),
    revisionsOfDocument: createListLoader(scope, revisionsOf, ofDocument, { parent: 'documents', of: 'revisions' }),
    referrersOfDocument: new DataLoader(
      async (documents: readonly DocumentRecord[]) => {
        const referrers = Map.groupBy(await referrersOfDocuments(scope, documents), ({ documentId }) => documentId);
        return documents.map(({ _id }) => (referrers.get(_id) ?? []).map(({ referrer }) => referrer));
      },
      { cacheKeyFn: ({ _id }) => _id },
    ),
    generatedDocuments: createListLoader(scope, generatedDocuments, ({ generatorId }) => generatorId),
    auditSeq: new DataLoader(async (auditIds: readonly string[]) => {
      const seqs = await seqOfRecords(scope, auditIds);
      return auditIds.map((id) => seqs.get(id) ?? null);
    }),
    folder: new DataLoader(async (ids: readonly string[]) => {
      const folders = new Map((await foldersWithPaths(scope)).map((folder) => [folder._id, folder]));
      return ids.map((id) => folders.get(id) ?? null);
    }),
    foldersOfFolder: createListLoader(scope, readAllFolders, ({ parentId }) => parentId ?? ''),
    documentCount: new DataLoader(async (folderIds: readonly string[]) => {
      if (folderIds.every((id) => scope.written?.isNew('folders', id))) return folderIds.map(() => 0);
      const counts = await countByFolder(scope);
      return folderIds.map((id) => counts.get(id) ?? 0);
    }),
  };
}
