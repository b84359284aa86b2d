// The log as it is followed: sealed records in the order of their places, which have no gap.

import { findAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { AuditRecord } from '../schema/collections.ts';

/** A record with its place in the log. */
export type Sealed = { seq: number; record: AuditRecord };

/**
 * The sealed records after a place, oldest first. Outside a transaction only those that a majority of the servers has: what
 * was told once cannot be undone by the failure of one.
 */
export async function sealedAfter(scope: Scope, after: number, limit: number): Promise<Sealed[]> {
  const options = scope.session ? within(scope) : { readConcern: 'majority' as const };
  const seals = await collection(scope, 'auditSeals')
    .find({ _id: { $gt: after } }, options)
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  if (!seals.length) return [];
  const ids = seals.map(({ auditId }) => auditId);
  const records = new Map((await findAll(scope, 'audit', ids)).map((record) => [record._id, record]));
  return seals.map(({ _id: seq, auditId }) => {
    const record = records.get(auditId);
    if (!record)
      throw new Error(`The audit log has lost the record ${auditId} at place ${seq}. Verify it: pdm audit verify`);
    return { seq, record };
  });
}

/** The name of the log and the place of its newest record; null before the first one was sealed. */
export async function endOfLog(scope: Scope): Promise<{ log: string; newest: number } | null> {
  const tree = await collection(scope, 'auditTree').findOne(
    { _id: 'tree' },
    { ...within(scope), projection: { log: 1, size: 1 } },
  );
  return tree && { log: tree.log, newest: tree.size };
}

/** The names of those who did something, by their ids; `the service` for the service itself. */
export async function namesOf(
  scope: Scope,
  records: readonly AuditRecord[],
): Promise<(by: AuditRecord['by']) => string> {
  const users = await findAll(scope, 'users', [...new Set(records.map(({ by }) => by.id))]);
  const names = new Map(users.map(({ _id, name }) => [_id, name]));
  return ({ id, via }) => names.get(id) ?? (via === 'system' ? 'the service' : 'unknown');
}
