// Reads the event log: sealed records by sequence number, without gaps.
import { findAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { AuditRecord } from '../schema/collections.ts';
import { userName } from '../users.ts';

/** A record with its sequence number in the log. */
export type SealedRecord = { seq: number; record: AuditRecord };

/**
 * Returns the sealed records after a position, oldest first. Outside of a transaction only those that a majority of the
 * servers has, so that an event that was sent to clients cannot be rolled back by a failover.
 */
export async function sealedRecordsAfter(scope: Scope, after: number, limit: number): Promise<SealedRecord[]> {
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
      throw new Error(`The audit log has lost the record ${auditId} at position ${seq}. Verify it: pdm audit verify`);
    return { seq, record };
  });
}

/** Returns the name of the log and the sequence number of its newest record; null before the first one was sealed. */
export async function endOfLog(scope: Scope): Promise<{ log: string; newest: number } | null> {
  const tree = await collection(scope, 'auditTree').findOne(
    { _id: 'tree' },
    { ...within(scope), projection: { log: 1, size: 1 } },
  );
  return tree && { log: tree.log, newest: tree.size };
}

/**
 * Returns a function that looks up the name of an actor: `the service` for the service itself, `unknown` for a user
 * that does not exist.
 */
export async function actorNames(
  scope: Scope,
  records: readonly AuditRecord[],
): Promise<(by: AuditRecord['by']) => string> {
  const users = await findAll(scope, 'users', [...new Set(records.map(({ by }) => by.id))]);
  const byId = new Map(users.map((user) => [user._id, user]));
  return ({ id, via }) => userName(byId.get(id), via);
}
