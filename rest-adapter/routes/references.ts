import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

export const REFERENCE_ROUTES: readonly Route[] = [
  route('GET /versions/:id/references', {
    summary:
      'List the references of an assembly. References of a draft are resolved now, those of a version are frozen',
    operation: operation(`
      query ReadReferences(
        $id: ID!, $sort: ReferenceSort, $descending: Boolean, $limit: Int, $cursor: String
        $total: Boolean
      ) {
        referencePage(
          versionId: $id, sort: $sort, descending: $descending, limit: $limit, cursor: $cursor
          total: $total
        ) {
          items {
            path
            location
            quantity
            documentId
            number
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
    pick: 'referencePage',
    errors: ['wrong_kind'],
    variables: { id: 'path', ...PAGE_VARIABLES },
    defaultSort: 'position',
  }),
  route('GET /resolve', {
    summary: 'Resolve an address and explain the result',
    operation: operation(`
      query ResolveAddress($address: String!) {
        resolveAddress(address: $address) {
          address
          documentId
          number
          resolution {
            ...Resolution
          }
          status
          reason
          rejectedCandidates {
            versionId
            n
            label
            reason
          }
        }
      }
    `),
    pick: 'resolveAddress',
    errors: ['bad_address', 'not_found', 'wrong_kind'],
    variables: {
      address: 'query',
    },
  }),
];
