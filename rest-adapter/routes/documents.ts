import { EXAMPLE_IDS } from '../example-ids.ts';
import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

const LIST_VARIABLES = {
  q: 'query',
  folderId: 'query',
  recursive: 'query',
  kind: 'query',
  createdBy: 'query',
  includeArchived: 'query',
  released: 'query',
  reserved: 'query',
  failedJobs: 'query',
  updatedFrom: 'query',
  updatedBefore: 'query',
  ...PAGE_VARIABLES,
} as const;

export const DOCUMENT_ROUTES: readonly Route[] = [
  route('GET /documents', {
    summary: 'List or search documents',
    operation: operation(`
      query ListDocuments(
        $q: String, $folderId: ID, $recursive: Boolean, $kind: DocumentKind, $createdBy: ID
        $includeArchived: Boolean, $released: Boolean, $reserved: ReservedBy, $failedJobs: Boolean
        $updatedFrom: DateTime, $updatedBefore: DateTime, $sort: DocumentSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        documents(
          q: $q, folderId: $folderId, recursive: $recursive, kind: $kind, createdBy: $createdBy
          includeArchived: $includeArchived, released: $released, reserved: $reserved, failedJobs: $failedJobs
          updatedFrom: $updatedFrom, updatedBefore: $updatedBefore, sort: $sort, descending: $descending, limit: $limit
          cursor: $cursor, total: $total
        ) {
          items {
            ...DocumentListItem
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'documents',
    variables: LIST_VARIABLES,
    defaultSort: '-updatedAt',
  }),
  route('POST /documents', {
    summary: 'Create a document with its main workspace and an empty draft',
    operation: operation(`
      mutation CreateDocument($input: CreateDocumentInput!) {
        createDocument(input: $input) {
          ...Document
        }
      }
    `),
    pick: 'createDocument',
    errors: ['not_found', 'number_taken'],
    variables: { input: 'body' },
    example: {
      name: 'Bearing block',
      kind: 'model',
      description: 'Cast, machined on four sides',
      folderId: EXAMPLE_IDS.folder,
    },
    status: 201,
    location: '/documents/:id',
  }),
  route('POST /documents/move', {
    summary: 'Move documents into a folder; `folderId` null means Unfiled',
    operation: operation(`
      mutation MoveDocuments($ids: [ID!]!, $folderId: ID) {
        moveDocuments(ids: $ids, folderId: $folderId) {
          ...DocumentSummary
        }
      }
    `),
    pick: 'moveDocuments',
    errors: ['document_archived', 'not_found'],
    variables: { ids: 'body.*', folderId: 'body.*' },
    example: { ids: [EXAMPLE_IDS.document], folderId: EXAMPLE_IDS.folder },
    required: ['folderId'],
  }),
  route('GET /documents/:id', {
    summary: 'Read a document with its workspaces, drafts, versions and revisions',
    operation: operation(`
      query ReadDocument($id: ID!) {
        document(id: $id) {
          ...Document
        }
      }
    `),
    pick: 'document',
    variables: {
      id: 'path',
    },
  }),
  route('PATCH /documents/:id', {
    summary: 'Update the name or description of a document',
    operation: operation(`
      mutation UpdateDocument($id: ID!, $name: String, $description: String) {
        updateDocument(id: $id, name: $name, description: $description) {
          ...Document
        }
      }
    `),
    pick: 'updateDocument',
    errors: ['document_archived'],
    variables: { id: 'path', name: 'body.*', description: 'body.*' },
    example: { name: 'Bearing block 40', description: null },
    notNull: ['name'],
  }),
  route('DELETE /documents/:id', {
    summary: 'Delete a document that was never released and is not used',
    operation: operation(`
      mutation DeleteDocument($id: ID!) {
        deleteDocument(id: $id)
      }
    `),
    pick: 'deleteDocument',
    errors: ['document_archived', 'document_in_use', 'document_released', 'workspace_reserved'],
    variables: { id: 'path' },
    status: 204,
  }),
  route('GET /documents/:id/permissions', {
    summary: 'List the operations on the document that the caller may perform',
    operation: operation(`
      query ReadDocumentPermissions($id: ID!) {
        document(id: $id) {
          permissions {
            canEdit {
              ...Permission
            }
            canMove {
              ...Permission
            }
            canArchive {
              ...Permission
            }
            canUnarchive {
              ...Permission
            }
            canDelete {
              ...Permission
            }
            canCopy {
              ...Permission
            }
          }
        }
      }
    `),
    pick: 'document.permissions',
    variables: {
      id: 'path',
    },
  }),
  route('POST /documents/:id/archive', {
    summary: 'Archive a document',
    operation: operation(`
      mutation ArchiveDocument($id: ID!) {
        archiveDocument(id: $id) {
          ...Document
        }
      }
    `),
    pick: 'archiveDocument',
    errors: ['document_archived', 'workspace_reserved'],
    variables: {
      id: 'path',
    },
  }),
  route('POST /documents/:id/unarchive', {
    summary: 'Unarchive a document',
    operation: operation(`
      mutation UnarchiveDocument($id: ID!) {
        unarchiveDocument(id: $id) {
          ...Document
        }
      }
    `),
    pick: 'unarchiveDocument',
    variables: { id: 'path' },
  }),
  route('POST /documents/:id/copy', {
    summary: 'Create an independent copy of a document',
    operation: operation(`
      mutation CopyDocument($id: ID!, $name: String, $number: String, $versionId: ID) {
        copyDocument(id: $id, name: $name, number: $number, versionId: $versionId) {
          ...Document
        }
      }
    `),
    pick: 'copyDocument',
    errors: ['number_taken', 'wrong_document'],
    variables: { id: 'path', name: 'body.*', number: 'body.*', versionId: 'body.*' },
    example: { name: 'Bearing block, left', versionId: EXAMPLE_IDS.version },
    status: 201,
    location: '/documents/:id',
  }),
  route('GET /documents/:id/thumbnail', {
    summary: 'Download the newest thumbnail',
    operation: operation(`
      query ReadThumbnail($id: ID!) {
        thumbnail(documentId: $id) {
          ...Artifact
        }
      }
    `),
    pick: 'thumbnail',
    variables: { id: 'path' },
    send: 'file',
  }),
  route('GET /documents/:id/audit', {
    summary: 'List the audit records of a document, newest first',
    operation: operation(`
      query ReadDocumentAudit(
        $id: ID!, $actor: ID, $action: String, $from: DateTime, $before: DateTime
        $sort: AuditSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        document(id: $id) {
          audit(
            actor: $actor, action: $action, from: $from, before: $before
            sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total
          ) {
            items {
              ...AuditRecord
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'document.audit',
    variables: {
      id: 'path',
      actor: 'query',
      action: 'query',
      from: 'query',
      before: 'query',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
];
