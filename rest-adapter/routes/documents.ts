import {
  ArchiveDocumentDocument,
  CopyDocumentDocument,
  CreateDocumentDocument,
  DeleteDocumentDocument,
  ListDocumentsDocument,
  MoveDocumentsDocument,
  ReadDocumentAuditDocument,
  ReadDocumentDocument,
  ReadDocumentPermissionsDocument,
  ReadThumbnailDocument,
  UnarchiveDocumentDocument,
  UpdateDocumentDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

const LIST = {
  q: 'query',
  folderId: 'query',
  recursive: 'query',
  kind: 'query',
  includeArchived: 'query',
  ...PAGE,
} as const;

export const DOCUMENT_ROUTES: readonly Route[] = [
  route('GET /documents', 'List or search documents', ListDocumentsDocument, 'documents', LIST, {
    usualSort: '-updatedAt',
  }),
  route(
    'POST /documents',
    'Create a document with its main workspace and an empty draft',
    CreateDocumentDocument,
    'createDocument',
    { input: 'body' },
    { status: 201, location: '/documents/:id' },
  ),
  route(
    'POST /documents/move',
    'Move documents into a folder; folderId null means Unfiled',
    MoveDocumentsDocument,
    'moveDocuments',
    { ids: 'body.*', folderId: 'body.*' },
    { required: ['folderId'] },
  ),
  route('GET /documents/:id', 'Read a document with all that was made of it', ReadDocumentDocument, 'document', {
    id: 'path',
  }),
  route(
    'PATCH /documents/:id',
    'Change name or description',
    UpdateDocumentDocument,
    'updateDocument',
    { id: 'path', name: 'body.*', description: 'body.*' },
    { notNull: ['name'] },
  ),
  route(
    'DELETE /documents/:id',
    'Delete a document that was never released and is not used',
    DeleteDocumentDocument,
    'deleteDocument',
    { id: 'path' },
    { status: 204 },
  ),
  route(
    'GET /documents/:id/permissions',
    'What you may do with the document now',
    ReadDocumentPermissionsDocument,
    'document.permissions',
    {
      id: 'path',
    },
  ),
  route('POST /documents/:id/archive', 'Archive a document', ArchiveDocumentDocument, 'archiveDocument', {
    id: 'path',
  }),
  route(
    'POST /documents/:id/unarchive',
    'Bring an archived document back',
    UnarchiveDocumentDocument,
    'unarchiveDocument',
    { id: 'path' },
  ),
  route(
    'POST /documents/:id/copy',
    'Make an independent copy',
    CopyDocumentDocument,
    'copyDocument',
    { id: 'path', name: 'body.*', number: 'body.*', versionId: 'body.*' },
    { status: 201, location: '/documents/:id' },
  ),
  route(
    'GET /documents/:id/thumbnail',
    'Download the newest picture',
    ReadThumbnailDocument,
    'thumbnail',
    { id: 'path' },
    { send: 'file' },
  ),
  route(
    'GET /documents/:id/audit',
    'Everything done to the document, newest first',
    ReadDocumentAuditDocument,
    'document.audit',
    {
      id: 'path',
      ...PAGE,
    },
    { usualSort: '-createdAt' },
  ),
];
