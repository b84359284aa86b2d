import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

export const AUDIT_ROUTES: readonly Route[] = [
  route('GET /audit', {
    summary: 'List all audit records, newest first (administrators only)',
    operation: operation(`
      query ReadAudit(
        $actor: ID, $action: String, $from: DateTime, $before: DateTime, $sort: AuditSort
        $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        audit(
          actor: $actor, action: $action, from: $from, before: $before, sort: $sort
          descending: $descending, limit: $limit, cursor: $cursor, total: $total
        ) {
          items {
            ...AuditRecord
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'audit',
    errors: ['admin_only'],
    variables: {
      actor: 'query',
      action: 'query',
      from: 'query',
      before: 'query',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
  route('GET /audit/verify', {
    summary: 'Verify the complete audit log (administrators only)',
    operation: operation(`
      query VerifyAudit($waitSeconds: Int) {
        auditVerification(waitSeconds: $waitSeconds) {
          ...AuditVerification
        }
      }
    `),
    pick: 'auditVerification',
    errors: ['admin_only'],
    variables: { waitSeconds: 'query' },
  }),
];
