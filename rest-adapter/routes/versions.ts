import { GRAPH_PAGE_SIZES } from '../../subgraphs/core/domain/versions/version-graph.ts';
import { operation } from '../generated/operations.ts';
import { DRAFT_ERRORS, PAGE_VARIABLES, type Route, route } from '../route.ts';

export const VERSION_ROUTES: readonly Route[] = [
  route('GET /versions/:id', {
    summary: 'Read a draft or version',
    operation: operation(`
      query ReadVersion($id: ID!) {
        version(id: $id) {
          ...Version
        }
      }
    `),
    pick: 'version',
    variables: { id: 'path' },
  }),
  route('PATCH /versions/:id', {
    summary: 'Update the name or comment of a draft or version',
    operation: operation(`
      mutation UpdateVersion($id: ID!, $name: String, $comment: String) {
        updateVersion(id: $id, name: $name, comment: $comment) {
          ...Version
        }
      }
    `),
    pick: 'updateVersion',
    errors: [...DRAFT_ERRORS],
    variables: { id: 'path', name: 'body.*', comment: 'body.*' },
    example: { name: 'Ribs added', comment: 'Five ribs, 3 mm' },
    notNull: ['name'],
  }),
  route('GET /versions/:id/permissions', {
    summary: 'List the operations on the draft or version that the caller may perform',
    operation: operation(`
      query ReadVersionPermissions($id: ID!) {
        version(id: $id) {
          permissions {
            canEdit {
              ...Permission
            }
            canRelease {
              ...Permission
            }
            canEditViews {
              ...Permission
            }
            canCreateWorkspace {
              ...Permission
            }
          }
        }
      }
    `),
    pick: 'version.permissions',
    variables: {
      id: 'path',
    },
  }),
  route('GET /versions/:id/compare', {
    summary: 'Compare two drafts or versions; `with` is the id of the other one',
    operation: operation(`
      query CompareVersions($id: ID!, $with: ID!) {
        compareVersions(id: $id, with: $with) {
          from {
            ...Version
          }
          to {
            ...Version
          }
          files {
            kind
            change
            contentDiffers
            from {
              ...ComparedFile
            }
            to {
              ...ComparedFile
            }
          }
          fields {
            field
            from
            to
          }
          references {
            change
            differences
            from {
              ...ComparedReference
            }
            to {
              ...ComparedReference
            }
          }
          measures {
            volume {
              ...MeasureChange
            }
            area {
              ...MeasureChange
            }
            boundingBox {
              from {
                ...BoundingBox
              }
              to {
                ...BoundingBox
              }
              sizeDifference
            }
            missing {
              versionId
              reason
            }
          }
        }
      }
    `),
    pick: 'compareVersions',
    errors: ['wrong_kind'],
    variables: {
      id: 'path',
      with: 'query',
    },
  }),
  route('GET /versions/:id/audit', {
    summary: 'List the audit records of a draft or version, newest first',
    operation: operation(`
      query ReadVersionAudit(
        $id: ID!, $sort: AuditSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        versionAudit(
          versionId: $id, sort: $sort, descending: $descending, limit: $limit, cursor: $cursor
          total: $total
        ) {
          items {
            ...AuditRecord
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'versionAudit',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
  route('POST /versions/:id/release', {
    summary: 'Release a version',
    operation: operation(`
      mutation ReleaseVersion($id: ID!, $comment: String) {
        releaseVersion(versionId: $id, comment: $comment) {
          ...Revision
        }
      }
    `),
    pick: 'releaseVersion',
    errors: ['already_released', 'children_not_released', 'document_archived', 'not_a_version'],
    variables: { id: 'path', comment: 'body.*' },
    example: { comment: 'For the first series' },
    status: 201,
    location: '/revisions/:id',
  }),
  route('GET /documents/:id/version-graph', {
    summary: 'Read the version graph, newest row first',
    operation: operation(`
      query ReadVersionGraph($id: ID!, $limit: Int, $cursor: String, $fromRow: Int) {
        document(id: $id) {
          versionGraph(limit: $limit, cursor: $cursor, fromRow: $fromRow) {
            rows
            lanes {
              lane
              workspace {
                id
                name
                archived
                fromVersionId
                draftId
                newestVersionId
                createdAt
              }
            }
            nodes {
              row
              lane
              version {
                id
                type
                n
                name
                comment
                createdAt
                createdBy {
                  id
                  name
                }
                updatedAt
                basedOnVersionId
                parents
                restoredFromVersionId
                releasedAs {
                  revisionId
                  label
                  obsolete
                }
                reservation {
                  workspaceId
                  by {
                    id
                    name
                  }
                  since
                  expiresAt
                  note
                }
                workspace {
                  id
                  name
                }
                newestJob {
                  id
                  type
                  status
                  progress {
                    percent
                    step
                  }
                  error {
                    code
                    message
                    final
                  }
                }
                thumbnailUrl
              }
            }
            edges {
              kind
              child {
                versionId
                row
                lane
              }
              parent {
                versionId
                row
                lane
              }
            }
            nextCursor
          }
        }
      }
    `),
    pick: 'document.versionGraph',
    variables: { id: 'path', limit: 'query', cursor: 'query', fromRow: 'query' },
    inline: ['lanes.workspace', 'nodes.version'],
    pageSizes: GRAPH_PAGE_SIZES,
  }),
  route('GET /documents/:id/versions', {
    summary: 'List the versions of a document, newest first',
    operation: operation(`
      query ListVersions(
        $id: ID!, $sort: VersionSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        document(id: $id) {
          versionPage(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
            items {
              ...Version
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'document.versionPage',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
];
