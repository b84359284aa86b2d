import { verifyLog } from '../domain/audit/verify-log.ts';
import { recordsOfChain, storedLog } from '../store/audit/audit-log.ts';
import { scanCollection } from '../store/query/scan.ts';
import type { Scope } from '../store/query/scope.ts';
import type { CheckOptions, Violation } from './invariant.ts';

/** Verifies the audit log from its first record, and that each folder and token has an audit record. */
export async function* checkAuditLog(scope: Scope, options: CheckOptions): AsyncGenerator<Violation> {
  const { errors } = await verifyLog(storedLog(scope), options);
  for (const { id, message } of errors) yield { invariant: 'I13', id, message };
  yield* missingAuditRecords(scope, 'folders', 'folders', 'folder');
  yield* missingAuditRecords(scope, 'tokens', 'access', 'token');
}

async function* missingAuditRecords(
  scope: Scope,
  name: 'folders' | 'tokens',
  chain: string,
  label: string,
): AsyncGenerator<Violation> {
  const recorded = new Set<string>();
  for await (const records of recordsOfChain(scope, chain))
    for (const { folderId, changes } of records)
      for (const id of [folderId, tokenIn(changes)]) if (id) recorded.add(id);
  for await (const records of scanCollection(scope, name))
    for (const { _id } of records)
      if (!recorded.has(_id))
        yield { invariant: 'I12', id: _id, message: `The audit log has no record of ${label} ${_id}.` };
}

function tokenIn({ token }: { token?: { to: unknown } }): string | null {
  const created = token?.to;
  return typeof created === 'object' && created !== null && 'id' in created ? String(created.id) : null;
}
