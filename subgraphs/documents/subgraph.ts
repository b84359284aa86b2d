// The documents subgraph: documents, folders, users, tokens, webhooks, events and the audit log.
import { isAdministrator } from '../core/domain/access/permissions.ts';
import { currentAction } from '../core/domain/audit/audit-action.ts';
import {
  type Context,
  defineSubgraph,
  entity,
  entityBy,
  entityStub,
  lookup,
  mutation,
  query,
  type Subgraph,
  userResolvers,
} from '../core/graphql.ts';
import { findByIdOrNumber } from '../core/store/documents.ts';
import { tagOf } from '../core/store/query/optimistic-lock.ts';
import { find, get } from '../core/store/query/records.ts';
import { userName } from '../core/store/users.ts';
import { allWebhooks } from '../core/store/webhooks.ts';
import type { Services } from '../core/work.ts';
import { completeSetup } from './access/complete-setup.ts';
import { createToken } from './access/create-token.ts';
import { createUser } from './access/create-user.ts';
import { revokeSession } from './access/end-session.ts';
import { readToken, readTokens } from './access/list-tokens.ts';
import { readUsers } from './access/list-users.ts';
import { revokeToken } from './access/revoke-token.ts';
import { updateUser } from './access/update-user.ts';
import { readSession, readSessions } from './administration/read-sessions.ts';
import { createStorageReader } from './administration/read-storage.ts';
import { archiveDocument, unarchiveDocument } from './archive-document.ts';
import {
  listAuditActions,
  readAudit,
  readDocumentAudit,
  readRevisionAudit,
  readVersionAudit,
} from './audit/read-audit.ts';
import { createAuditVerifier } from './audit/verify-audit.ts';
import { copyDocument } from './copy-document.ts';
import { createDocument } from './create-document.ts';
import { deleteDocument } from './delete-document.ts';
import { documentPermissions } from './document-permissions.ts';
import { readEvents } from './events/read-events.ts';
import { createFolder } from './folders/create-folder.ts';
import { deleteFolder } from './folders/delete-folder.ts';
import { folderWithPath, readFolders } from './folders/list-folders.ts';
import { updateFolder } from './folders/update-folder.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { listDocuments, readDocumentsOfFolder } from './list-documents.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import { moveDocuments } from './move-documents.ts';
import { updateDocument } from './update-document.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { pingWebhook } from './webhooks/ping-webhook.ts';
import { readDeliveries, readWebhooks } from './webhooks/read-webhooks.ts';
import { redeliverEvent } from './webhooks/redeliver-event.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';

type DocumentsContext = Context<Loaders>;

/** Creates the documents subgraph. */
export function documentsSubgraph(services: Services): Subgraph {
  return defineSubgraph<Loaders>({
    name: 'documents',
    schema: new URL('./schema.graphql', import.meta.url),
    services,
    resolvers: createResolvers(services),
    shownToWorkers: ['Me', 'Token', 'User'], // so that a worker can read its own user and token
    loaders: createLoaders,
  });
}

function createResolvers(services: Services): Resolvers<DocumentsContext> {
  const verify = createAuditVerifier(services);
  const readStorage = createStorageReader(services);
  return {
    Query: {
      me: (_parent, _arguments, { request: { actor } }) => actor,
      document: lookup('document', ({ scope }: DocumentsContext, { id }: { id: string }) =>
        findByIdOrNumber(scope, id),
      ),
      documents: query(listDocuments),
      folders: query(async (context: DocumentsContext) => (await readFolders(context, {})).items),
      folderPage: query(readFolders),
      folder: lookup('folder', ({ scope }: DocumentsContext, { id }: { id: string }) => folderWithPath(scope, id)),
      users: query(readUsers, 'administer'),
      user: lookup(
        'user',
        ({ scope }: DocumentsContext, { id }: { id: string }) => find(scope, 'users', id),
        'administer',
      ),
      tokens: query(readTokens, 'self'),
      token: lookup('token', readToken, 'self'),
      sessions: query(readSessions, 'administer'),
      session: lookup('session', readSession, 'administer'),
      storage: query(readStorage, 'administer'),
      audit: query(readAudit, 'administer'),
      auditActions: query(listAuditActions),
      auditVerification: query(
        (_context: DocumentsContext, input: Parameters<typeof verify>[0]) => verify(input),
        'administer',
      ),
      backupStatus: query(() => {
        const status = services.backups();
        return status ? { ...status, scheduled: true } : { scheduled: false, running: false, count: 0 };
      }, 'administer'),
      versionAudit: query(async (context: DocumentsContext, input: Parameters<typeof readVersionAudit>[1]) => {
        await get(context.scope, 'versions', input.versionId);
        return readVersionAudit(context, input);
      }),
      revisionAudit: query(readRevisionAudit),
      events: query(readEvents),
      webhooks: query(({ scope }: DocumentsContext) => allWebhooks(scope), 'administer'),
      webhookPage: query(readWebhooks, 'administer'),
      webhook: lookup(
        'webhook',
        ({ scope }: DocumentsContext, { id }: { id: string }) => find(scope, 'webhooks', id),
        'administer',
      ),
      webhookDeliveries: query(readDeliveries, 'administer'),
    },
    Mutation: {
      createDocument: mutation(createDocument),
      updateDocument: mutation(updateDocument),
      archiveDocument: mutation(archiveDocument),
      unarchiveDocument: mutation(unarchiveDocument),
      copyDocument: mutation(copyDocument),
      moveDocuments: mutation(moveDocuments),
      deleteDocument: mutation(deleteDocument),
      createFolder: mutation(createFolder),
      updateFolder: mutation(updateFolder),
      deleteFolder: mutation(deleteFolder),
      createUser: mutation(createUser, 'administer'),
      completeSetup: mutation(completeSetup, 'administer'),
      updateUser: mutation(updateUser, 'administer'),
      createToken: mutation(createToken, 'administer'),
      revokeToken: mutation(revokeToken, 'self'),
      revokeSession: mutation(revokeSession, 'administer'),
      createWebhook: mutation(createWebhook, 'administer'),
      updateWebhook: mutation(updateWebhook, 'administer'),
      deleteWebhook: mutation(deleteWebhook, 'administer'),
      rotateWebhookSecret: mutation(rotateWebhookSecret, 'administer'),
      pingWebhook: mutation(pingWebhook, 'administer'),
      redeliverEvent: mutation(redeliverEvent, 'administer'),
    },
    Document: {
      __resolveReference: entityBy((loaders: Loaders) => loaders.document),
      id: ({ _id }) => _id,
      etag: tagOf,
      permissions: (document) => document,
      folder: ({ folderId }, _arguments, { loaders }) => (folderId ? loaders.folder.load(folderId) : null),
      audit: ({ _id }, page, context) => readDocumentAudit(context, _id, page),
    },
    DocumentPermissions: documentPermissions,
    Version: {
      __resolveReference: entityStub<Loaders>(),
      audit: ({ id }, page, context) => readVersionAudit(context, { versionId: id, ...page }),
    },
    CopyOrigin: {
      document: ({ documentId }, _arguments, { loaders }) => loaders.document.load(documentId),
      version: ({ versionId }, _arguments, { loaders }) => loaders.linkToVersion(versionId),
    },
    Folder: {
      __resolveReference: entity(({ loaders }: DocumentsContext, id) => loaders.folder.load(id)),
      id: ({ _id }) => _id,
      parent: ({ parentId }, _arguments, { loaders }) => (parentId ? loaders.folder.load(parentId) : null),
      folders: ({ _id }, _arguments, { loaders }) => loaders.foldersOfFolder.load(_id),
      documents: ({ _id }, input, context) => readDocumentsOfFolder(context, _id, input),
      documentCount: ({ _id }, _arguments, { loaders }) => loaders.documentCount.load(_id),
    },
    User: userResolvers,
    Me: {
      token: ({ tokenId }, _arguments, { scope }) => (tokenId ? find(scope, 'tokens', tokenId) : null),
      setupRequired: async ({ tokenId }, _arguments, { scope }) =>
        tokenId !== null && (await find(scope, 'tokens', tokenId))?.firstStart === true,
    },
    Account: { id: ({ _id }) => _id, disabled: ({ disabled }) => disabled === true },
    Token: { id: ({ _id }) => _id, user: ({ userId }) => userId },
    Session: {
      id: ({ _id }) => _id,
      user: ({ userId }) => userId,
      token: ({ tokenId }, _arguments, { loaders }) => (tokenId ? loaders.token.load(tokenId) : null),
    },
    FolderUsage: {
      folder: ({ folderId }, _arguments, { loaders }) => (folderId ? loaders.folder.load(folderId) : null),
    },
    CreatedToken: { id: ({ _id }) => _id, user: ({ userId }) => userId },
    AuditRecord: {
      __resolveReference: entityBy((loaders: Loaders) => loaders.auditRecord),
      document: ({ documentId }, _arguments, { loaders }) => (documentId ? loaders.document.load(documentId) : null),
      version: ({ versionId }, _arguments, { loaders }) => loaders.linkToVersion(versionId),
      revision: ({ revisionId }, _arguments, { loaders }) => loaders.linkToRevision(revisionId),
      workspace: ({ workspaceId }, _arguments, { loaders }) => loaders.linkToWorkspace(workspaceId),
      folder: ({ folderId }, _arguments, { loaders }) => (folderId ? loaders.folder.load(folderId) : null),
      job: ({ jobId }, _arguments, { loaders }) => loaders.linkToJob(jobId),
      id: ({ _id }) => _id,
      action: ({ action }) => currentAction(action),
      seq: ({ _id }, _arguments, { loaders }) => loaders.auditSeq.load(_id),
      ip: ({ ip }, _arguments, { request }) => (isAdministrator(request.actor) ? ip : null),
      records: ({ records }, _arguments, { request }) => (isAdministrator(request.actor) ? records : null),
    },
    CloudEvent: {
      data: ({ record, seq }, _arguments, { loaders }) => {
        loaders.auditSeq.prime(record._id, seq);
        return record;
      },
    },
    Webhook: { id: ({ _id }) => _id, types: ({ types }) => types.map(currentAction) },
    WebhookWithSecret: { id: ({ _id }) => _id, types: ({ types }) => types.map(currentAction) },
    WebhookDelivery: {
      event: ({ eventId }, _arguments, { loaders }) => loaders.auditRecord.load(eventId),
      webhook: ({ webhookId }, _arguments, { loaders }) => loaders.webhook.load(webhookId),
      type: ({ action }) => currentAction(action),
      attempts: ({ tries }) => tries,
      nextAttemptAt: ({ status, failures, nextAt, createdAt }) =>
        status === 'waiting' ? (failures ? nextAt : createdAt) : null,
    },
    DeliveryAttempt: { durationMs: ({ ms }) => ms, responseBody: ({ answer }) => answer },
    AuditActor: {
      tokenId: ({ tokenId }, _arguments, { request }) => (isAdministrator(request.actor) ? tokenId : null),
      token: ({ tokenId }, _arguments, { request, loaders }) =>
        tokenId && isAdministrator(request.actor) ? loaders.token.load(tokenId) : null,
      onBehalfOfUser: ({ onBehalfOf }) => onBehalfOf ?? null,
      name: async ({ id, via }, _arguments, { loaders }) => userName(await loaders.user.load(id), via),
    },
  };
}
