import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

export const REVISION_ROUTES: readonly Route[] = [
  route('GET /documents/:id/revisions', {
    summary: 'List the revisions of a document, newest first',
    operation: operation(`
      query ListRevisions(
        $id: ID!, $sort: RevisionSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        document(id: $id) {
          revisionPage(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
            items {
              ...Revision
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'document.revisionPage',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
  route('GET /revisions/:id', {
    summary: 'Read a revision',
    operation: operation(`
      query ReadRevision($id: ID!) {
        revision(id: $id) {
          ...Revision
        }
      }
    `),
    pick: 'revision',
    variables: { id: 'path' },
  }),
  route('GET /revisions/:id/permissions', {
    summary: 'List the operations on the revision that the caller may perform',
    operation: operation(`
      query ReadRevisionPermissions($id: ID!) {
        revision(id: $id) {
          permissions {
            canEdit {
              ...Permission
            }
            canObsolete {
              ...Permission
            }
            canTakeBack {
              ...Permission
            }
          }
        }
      }
    `),
    pick: 'revision.permissions',
    variables: {
      id: 'path',
    },
  }),
  route('PATCH /revisions/:id', {
    summary: 'Update the comment of a revision',
    operation: operation(`
      mutation UpdateRevision($id: ID!, $comment: String) {
        updateRevision(id: $id, comment: $comment) {
          ...Revision
        }
      }
    `),
    pick: 'updateRevision',
    errors: ['document_archived'],
    variables: {
      id: 'path',
      comment: 'body.*',
    },
    example: { comment: 'For the first series, 500 pieces' },
  }),
  route('POST /revisions/:id/obsolete', {
    summary: 'Mark a revision as obsolete',
    operation: operation(`
      mutation ObsoleteRevision($id: ID!) {
        obsoleteRevision(id: $id) {
          ...Revision
        }
      }
    `),
    pick: 'obsoleteRevision',
    errors: ['already_obsolete', 'document_archived'],
    variables: {
      id: 'path',
    },
  }),
  route('DELETE /revisions/:id', {
    summary: 'Take back a release (administrators only)',
    operation: operation(`
      mutation TakeBackRevision($id: ID!) {
        takeBackRevision(id: $id)
      }
    `),
    pick: 'takeBackRevision',
    errors: ['admin_only', 'document_archived', 'revision_in_use'],
    variables: { id: 'path' },
    status: 204,
  }),
  route('GET /revisions/:id/audit', {
    summary: 'List the audit records of a revision, newest first',
    operation: operation(`
      query ReadRevisionAudit(
        $id: ID!, $sort: AuditSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        revisionAudit(id: $id, sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
          items {
            ...AuditRecord
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'revisionAudit',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
];
