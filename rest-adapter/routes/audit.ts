import { ReadAuditDocument, VerifyAuditDocument } from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const AUDIT_ROUTES: readonly Route[] = [
  route(
    'GET /audit',
    'Everything done to anything, newest first; for administrators',
    ReadAuditDocument,
    'audit',
    {
      actor: 'query',
      action: 'query',
      from: 'query',
      before: 'query',
      ...PAGE,
    },
    { usualSort: '-createdAt' },
  ),
  route(
    'GET /audit/verify',
    'Verify the whole audit log; for administrators',
    VerifyAuditDocument,
    'auditVerification',
    { waitSeconds: 'query' },
  ),
];
