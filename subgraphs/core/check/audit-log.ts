import { verifyLog } from '../domain/audit/verify-log.ts';
import { recordsOfChain, storedLog } from '../store/audit/audit-log.ts';
import type { Scope } from '../store/query/scope.ts';
import { everyRecord } from '../store/query/whole-collections.ts';
import type { CheckOptions, Violation } from './invariant.ts';

/** The audit log from its first record on, and that it tells where folders and tokens came from. */
export async function* checkAuditLog(scope: Scope, trust: CheckOptions): AsyncGenerator<Violation> {
  const { errors } = await verifyLog(storedLog(scope), trust);
  for (const { id, message } of errors) yield { invariant: 'I13', id, message };
  yield* recorded(scope, 'folders', 'folders', 'folder');
  yield* recorded(scope, 'tokens', 'access', 'token');
}

async function* recorded(
  scope: Scope,
  name: 'folders' | 'tokens',
  chain: string,
  what: string,
): AsyncGenerator<Violation> {
  const told = new Set<string>();
  for await (const records of recordsOfChain(scope, chain))
    for (const { folderId, changes } of records) for (const id of [folderId, tokenIn(changes)]) if (id) told.add(id);
  for await (const records of everyRecord(scope, name))
    for (const { _id } of records)
      if (!told.has(_id))
        yield { invariant: 'I12', id: _id, message: `No audit record tells where ${what} ${_id} came from.` };
}

function tokenIn({ token }: { token?: { to: unknown } }): string | null {
  const made = token?.to;
  return typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : null;
}
