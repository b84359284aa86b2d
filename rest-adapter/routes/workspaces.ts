import { EXAMPLE_IDS } from '../example-ids.ts';
import { operation } from '../generated/operations.ts';
import { DRAFT_ERRORS, PAGE_VARIABLES, type Route, route } from '../route.ts';

export const WORKSPACE_ROUTES: readonly Route[] = [
  route('GET /documents/:id/workspaces', {
    summary: 'List the workspaces of a document, main first',
    operation: operation(`
      query ListWorkspaces(
        $id: ID!, $sort: WorkspaceSort, $descending: Boolean, $limit: Int, $cursor: String
        $total: Boolean
      ) {
        document(id: $id) {
          workspacePage(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
            items {
              ...Workspace
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'document.workspacePage',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: 'main',
  }),
  route('POST /documents/:id/workspaces', {
    summary: 'Create a workspace from a version',
    operation: operation(`
      mutation CreateWorkspace($id: ID!, $name: String!, $fromVersionId: ID!, $description: String) {
        createWorkspace(documentId: $id, name: $name, fromVersionId: $fromVersionId, description: $description) {
          ...Workspace
        }
      }
    `),
    pick: 'createWorkspace',
    errors: ['document_archived', 'name_taken', 'not_a_version', 'wrong_document'],
    variables: { id: 'path', name: 'body.*', fromVersionId: 'body.*', description: 'body.*' },
    example: { name: 'lighter', fromVersionId: EXAMPLE_IDS.version, description: 'Half the mass' },
    status: 201,
    location: '/workspaces/:id',
  }),
  route('GET /workspaces/:id', {
    summary: 'Read a workspace',
    operation: operation(`
      query ReadWorkspace($id: ID!) {
        workspace(id: $id) {
          ...Workspace
        }
      }
    `),
    pick: 'workspace',
    variables: { id: 'path' },
  }),
  route('PATCH /workspaces/:id', {
    summary: 'Update the name or description of a workspace',
    operation: operation(`
      mutation UpdateWorkspace($id: ID!, $name: String, $description: String) {
        updateWorkspace(id: $id, name: $name, description: $description) {
          ...Workspace
        }
      }
    `),
    pick: 'updateWorkspace',
    errors: ['document_archived', 'name_taken', 'workspace_archived'],
    variables: { id: 'path', name: 'body.*', description: 'body.*' },
    example: { name: 'lightest', description: 'A third of the mass' },
    notNull: ['name'],
  }),
  route('GET /workspaces/:id/permissions', {
    summary: 'List the operations on the workspace that the caller may perform',
    operation: operation(`
      query ReadWorkspacePermissions($id: ID!) {
        workspace(id: $id) {
          permissions {
            canCreateVersion {
              ...Permission
            }
            canUpload {
              ...Permission
            }
            canTakeOver {
              ...Permission
            }
            canRestore {
              ...Permission
            }
            canEdit {
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
            canCheckout {
              ...Permission
            }
            canRequestCheckin {
              ...Permission
            }
            canCheckin {
              ...Permission
            }
            canForceCheckin {
              ...Permission
            }
          }
        }
      }
    `),
    pick: 'workspace.permissions',
    variables: {
      id: 'path',
    },
  }),
  route('POST /workspaces/:id/archive', {
    summary: 'Archive a workspace',
    operation: operation(`
      mutation ArchiveWorkspace($id: ID!) {
        archiveWorkspace(id: $id) {
          ...Workspace
        }
      }
    `),
    pick: 'archiveWorkspace',
    errors: [...DRAFT_ERRORS],
    variables: {
      id: 'path',
    },
  }),
  route('POST /workspaces/:id/unarchive', {
    summary: 'Unarchive a workspace',
    operation: operation(`
      mutation UnarchiveWorkspace($id: ID!) {
        unarchiveWorkspace(id: $id) {
          ...Workspace
        }
      }
    `),
    pick: 'unarchiveWorkspace',
    errors: ['document_archived'],
    variables: { id: 'path' },
  }),
  route('DELETE /workspaces/:id', {
    summary: 'Delete a workspace that has no versions of its own',
    operation: operation(`
      mutation DeleteWorkspace($id: ID!) {
        deleteWorkspace(id: $id)
      }
    `),
    pick: 'deleteWorkspace',
    errors: [...DRAFT_ERRORS, 'last_workspace', 'workspace_has_versions'],
    variables: { id: 'path' },
    status: 204,
  }),
  route('POST /workspaces/:id/versions', {
    summary: 'Create a version from the draft',
    operation: operation(`
      mutation CreateVersion($id: ID!, $name: String, $comment: String) {
        createVersion(workspaceId: $id, name: $name, comment: $comment) {
          ...Version
        }
      }
    `),
    pick: 'createVersion',
    errors: [...DRAFT_ERRORS, 'code_not_synced', 'reference_cycle', 'unresolved_reference'],
    variables: { id: 'path', name: 'body.*', comment: 'body.*' },
    example: { name: 'Ribs added', comment: 'Four ribs, 3 mm' },
    status: 201,
    location: '/versions/:id',
  }),
  route('POST /workspaces/:id/take-over', {
    summary: 'Take over a version: replace the content of the draft and record the version as a parent',
    operation: operation(`
      mutation TakeOver($id: ID!, $versionId: ID!, $force: Boolean) {
        takeOver(workspaceId: $id, versionId: $versionId, force: $force) {
          ...DraftChange
        }
      }
    `),
    pick: 'takeOver',
    errors: [...DRAFT_ERRORS, 'draft_would_lose', 'not_a_version', 'wrong_document'],
    variables: { id: 'path', versionId: 'body.*', force: 'body.*' },
    example: { versionId: EXAMPLE_IDS.version, force: true },
    inline: ['draft'],
  }),
  route('POST /workspaces/:id/restore', {
    summary: 'Restore the content of the draft from a version',
    description:
      'Replaces the content of the draft with that of a version. The previous content is kept for 30 days and can be restored with POST /workspaces/{id}/undo.',
    operation: operation(`
      mutation RestoreVersion($id: ID!, $versionId: ID!) {
        restoreVersion(workspaceId: $id, versionId: $versionId) {
          ...DraftChange
        }
      }
    `),
    pick: 'restoreVersion',
    errors: [...DRAFT_ERRORS, 'not_a_version', 'wrong_document'],
    variables: { id: 'path', versionId: 'body.*' },
    example: { versionId: EXAMPLE_IDS.version },
    inline: ['draft'],
  }),
  route('POST /workspaces/:id/undo', {
    summary: 'Restore the draft content that a take-over, a restore or an earlier undo replaced',
    operation: operation(`
      mutation UndoDraftChange($id: ID!, $auditId: ID!) {
        undoDraftChange(workspaceId: $id, auditId: $auditId) {
          ...DraftChange
        }
      }
    `),
    pick: 'undoDraftChange',
    errors: [...DRAFT_ERRORS],
    variables: { id: 'path', auditId: 'body.*' },
    example: { auditId: EXAMPLE_IDS.audit },
    inline: ['draft'],
  }),
  route('POST /workspaces/:id/checkout', {
    summary: 'Check out a workspace, or renew the reservation',
    operation: operation(`
      mutation CheckoutWorkspace($id: ID!, $ttlSeconds: Int, $note: String) {
        checkoutWorkspace(id: $id, ttlSeconds: $ttlSeconds, note: $note) {
          ...Reservation
        }
      }
    `),
    pick: 'checkoutWorkspace',
    errors: [...DRAFT_ERRORS],
    variables: {
      id: 'path',
      ttlSeconds: 'body.*',
      note: 'body.*',
    },
    example: { ttlSeconds: 3600, note: 'On the train, back at four' },
  }),
  route('POST /workspaces/:id/checkout/heartbeat', {
    summary: 'Renew the reservation of a workspace',
    operation: operation(`
      mutation HeartbeatCheckout($id: ID!, $ttlSeconds: Int) {
        heartbeatCheckout(id: $id, ttlSeconds: $ttlSeconds) {
          ...Reservation
        }
      }
    `),
    pick: 'heartbeatCheckout',
    errors: [...DRAFT_ERRORS, 'lease_lost'],
    variables: {
      id: 'path',
      ttlSeconds: 'body.*',
    },
    example: { ttlSeconds: 3600 },
  }),
  route('POST /workspaces/:id/request-checkin', {
    summary: 'Request a check-in from the user who has reserved the workspace',
    operation: operation(`
      mutation RequestCheckin($id: ID!, $note: String) {
        requestCheckin(id: $id, note: $note) {
          ...Reservation
        }
      }
    `),
    pick: 'requestCheckin',
    errors: ['document_archived', 'not_reserved_by_other', 'workspace_archived'],
    variables: {
      id: 'path',
      note: 'body.*',
    },
    example: { note: 'Ten minutes for a drawing, if you are done' },
  }),
  route('POST /workspaces/:id/checkin', {
    summary: 'Check in a workspace',
    operation: operation(`
      mutation CheckinWorkspace($id: ID!, $force: Boolean) {
        checkinWorkspace(id: $id, force: $force) {
          ...Workspace
        }
      }
    `),
    pick: 'checkinWorkspace',
    errors: ['admin_only', 'document_archived', 'workspace_archived'],
    variables: {
      id: 'path',
      force: 'body.*',
    },
    example: { force: false },
  }),
  route('GET /me/reservations', {
    summary: 'List your reservations and your check-in requests',
    operation: operation(`
      query ReadMyReservations {
        myReservations {
          held {
            ...MyReservation
          }
          requested {
            ...MyReservation
          }
          items {
            ...MyReservation
          }
        }
      }
    `),
    pick: 'myReservations',
    variables: {},
  }),
];
