import { EXAMPLE_IDS } from '../example-ids.ts';
import { operation } from '../generated/operations.ts';
import { DRAFT_ERRORS, PAGE_VARIABLES, type Route, route } from '../route.ts';

/** Where-used, reference updates and release impact. */
export const WHERE_USED_ROUTES: readonly Route[] = [
  route('GET /documents/:id/where-used', {
    summary: 'List where a document is used; `levels` is 1 or all',
    operation: operation(`
      query WhereUsed(
        $id: ID!, $levels: String, $scope: UseScope, $drafts: Boolean, $of: String, $sort: UseSort
        $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        whereUsed(
          documentId: $id, levels: $levels, scope: $scope, drafts: $drafts, of: $of, sort: $sort
          descending: $descending, limit: $limit, cursor: $cursor, total: $total
        ) {
          items {
            level
            via {
              id
              number
              name
            }
            documentId
            document {
              ...DocumentRef
            }
            versionId
            version {
              ...VersionRef
            }
            location
            addressForm
            quantity
            paths
            morePaths
            resolution {
              ...Resolution
            }
            status
            reason
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'whereUsed',
    errors: ['wrong_document', 'wrong_kind'],
    variables: { id: 'path', levels: 'query', scope: 'query', drafts: 'query', of: 'query', ...PAGE_VARIABLES },
    defaultSort: '-createdAt',
  }),
  route('POST /documents/:id/replace-in-drafts', {
    summary:
      'Replace the document with another one in every draft that uses it; with `dryRun`, only return the changes',
    operation: operation(`
      mutation ReplaceInDrafts($id: ID!, $with: ID!, $dryRun: Boolean, $limit: Int, $cursor: String) {
        replaceInDrafts(documentId: $id, with: $with, dryRun: $dryRun, limit: $limit, cursor: $cursor) {
          dryRun
          items {
            documentId
            document {
              ...DocumentRef
            }
            versionId
            version {
              ...VersionRef
            }
            outcome
            changed {
              ...AddressChange
            }
            artifact {
              ...Artifact
            }
            code
            message
          }
          nextCursor
        }
      }
    `),
    pick: 'replaceInDrafts',
    errors: ['bad_address', 'document_archived', 'reference_cycle', 'wrong_kind'],
    variables: { id: 'path', with: 'body.*', dryRun: 'body.*', limit: 'query', cursor: 'query' },
    example: { with: EXAMPLE_IDS.document, dryRun: true },
    pageSizes: { default: 200, max: 200 },
  }),
  route('GET /versions/:id/reference-updates', {
    summary: 'List the newest versions and releases of the documents that an assembly uses',
    operation: operation(`
      query ReadReferenceUpdates($id: ID!) {
        referenceUpdates(versionId: $id) {
          path
          location
          quantity
          documentId
          number
          current {
            ...Resolution
          }
          newestRelease {
            ...Resolution
          }
          newestVersion {
            ...Resolution
          }
          pinned
          toRelease
          toVersion
          status
          reason
        }
      }
    `),
    pick: 'referenceUpdates',
    errors: ['wrong_kind'],
    variables: { id: 'path' },
  }),
  route('POST /versions/:id/reference-updates', {
    summary: 'Update pinned references of a draft to newer versions or releases: those in `paths`, or all',
    operation: operation(`
      mutation UpdateReferences($id: ID!, $paths: [String!], $to: UpdateTarget) {
        updateReferences(versionId: $id, paths: $paths, to: $to) {
          changed {
            ...AddressChange
          }
          unchanged {
            path
            location
            code
            message
          }
          artifact {
            ...Artifact
          }
        }
      }
    `),
    pick: 'updateReferences',
    errors: [...DRAFT_ERRORS, 'bad_address', 'invalid_asm_json', 'not_a_draft', 'reference_cycle', 'wrong_kind'],
    variables: { id: 'path', paths: 'body.*', to: 'body.*' },
    example: { to: 'release' },
  }),
  route('GET /versions/:id/release-impact', {
    summary: 'List the documents affected by releasing, obsoleting or taking back a version',
    operation: operation(`
      query ReadReleaseImpact($id: ID!, $action: ReleaseAction, $scope: UseScope, $limit: Int, $cursor: String) {
        releaseImpact(versionId: $id, action: $action, scope: $scope, limit: $limit, cursor: $cursor) {
          action
          documentId
          versionId
          label
          items {
            documentId
            document {
              ...DocumentRef
            }
            versionId
            version {
              ...VersionRef
            }
            location
            addressForm
            quantity
            paths
            morePaths
            effect
            frozen
            from {
              ...Resolution
            }
            to {
              ...Resolution
            }
          }
          nextCursor
        }
      }
    `),
    pick: 'releaseImpact',
    errors: ['already_obsolete', 'already_released', 'not_a_version', 'wrong_kind'],
    variables: { id: 'path', action: 'query', scope: 'query', limit: 'query', cursor: 'query' },
  }),
];
