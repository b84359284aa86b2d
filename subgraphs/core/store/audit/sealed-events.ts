// Reads the event log: sealed records by sequence number, without gaps.
import type { Actor } from '../../domain/access/actor.ts';
import { findAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { AuditRecord } from '../schema/collections.ts';
import { userName } from '../users.ts';
import { recentAfter } from './recent-events.ts';

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

/**
 * Returns the next records for a consumer of the log, as `sealedRecordsAfter`, and the name of the log. Does not read
 * what this process has just sealed.
 */
export async function nextEvents(
  scope: Scope,
  after: number,
  limit: number,
): Promise<{ log: string; events: SealedRecord[] }> {
  const recent = recentAfter(scope.db, after, limit);
  if (recent) return recent;
  const events = await sealedRecordsAfter(scope, after, limit);
  const end = events.length ? await endOfLog(scope) : null;
  return end ? { log: end.log, events } : { log: '', events: [] };
}

/** Returns the name of the log and the sequence number of its newest record; null before the first one was sealed. */
export async function endOfLog(scope: Scope): Promise<{ log: string; newest: number } | null> {
  const tree = await collection(scope, 'auditTree').findOne(
    { _id: 'tree' },
    { ...within(scope), projection: { log: 1, size: 1 } },
  );
  return tree && { log: tree.log, newest: tree.size };
}

const NAME_MS = 5_000;
const MAX_NAMES = 1_000;

type Name = { name: Promise<string | null>; until: number };
const names = new WeakMap<Scope['db'], Map<string, Name>>();

/** Keeps the names of users that have just written, so that they need not be read. */
export function keepNames(db: Scope['db'], actors: Iterable<Pick<Actor, 'id' | 'name' | 'via'>>): void {
  const known = namesOf(db);
  const until = performance.now() + NAME_MS;
  for (const { id, name, via } of actors) if (via !== 'system') known.set(id, { name: Promise.resolve(name), until });
}

function namesOf(db: Scope['db']): Map<string, Name> {
  const known = names.get(db) ?? new Map<string, Name>();
  names.set(db, known);
  if (known.size > MAX_NAMES) known.clear();
  return known;
}

/**
 * Returns a function that looks up the name of an actor: `the service` for the service itself, `unknown` for a user
 * that does not exist. A name may be 5 seconds old, so that a few users that write all the time are not read each time.
 */
export async function actorNames(
  scope: Scope,
  records: readonly AuditRecord[],
): Promise<(by: AuditRecord['by']) => string> {
  const known = namesOf(scope.db);
  const now = performance.now();
  const ids = [...new Set(records.map(({ by }) => by.id))];
  const unknown = ids.filter((id) => (known.get(id)?.until ?? 0) <= now);

  if (unknown.length) {
    const reading = findAll(scope, 'users', unknown).then(
      (users) => new Map(users.map(({ _id, name }) => [_id, name])),
    );
    for (const id of unknown)
      known.set(id, { name: reading.then((found) => found.get(id) ?? null), until: now + NAME_MS });
    // a failed read must not be kept
    reading.catch(() => {
      for (const id of unknown) known.delete(id);
    });
  }
  const found = ids.map((id) => [id, known.get(id)?.name] as const);
  const byId = new Map(await Promise.all(found.map(async ([id, name]) => [id, await name] as const)));
  return ({ id, via }) => {
    const name = byId.get(id);
    return userName(name == null ? null : { name }, via);
  };
}
