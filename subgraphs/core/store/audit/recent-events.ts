// The records that this process sealed last, so that the consumers of the log need not read what it has just written.
import type { Db } from 'mongodb';
import type { AuditRecord } from '../schema/collections.ts';
import type { SealedRecord } from './sealed-events.ts';

/** `log`: the name of the log. `events`: consecutive records. `sealedAt`: when this process last sealed, in ms. */
type Recent = { log: string; events: SealedRecord[]; sealedAt: number; unsealed: Map<string, AuditRecord> };

const MAX_RECORDS = 2_000;
/** Shorter than the lease of the sealer, so that no other process can have sealed meanwhile. */
const EXCLUSIVE_MS = 4_000;

const recents = new WeakMap<Db, Recent>();

function recentOf(db: Db): Recent {
  const recent = recents.get(db) ?? { log: '', events: [], sealedAt: Number.NEGATIVE_INFINITY, unsealed: new Map() };
  recents.set(db, recent);
  return recent;
}

/** Keeps the records of a transaction that is on disk until they are sealed. */
export function keepRecords(db: Db, records: readonly AuditRecord[]): void {
  const { unsealed } = recentOf(db);
  for (const record of records) unsealed.set(record._id, record);
  for (const id of unsealed.keys()) {
    if (unsealed.size <= MAX_RECORDS) break;
    unsealed.delete(id);
  }
}

/** Keeps what was sealed and is on disk. A record of another process interrupts the sequence. */
export function keepSealed(db: Db, log: string, seals: readonly { _id: number; auditId: string }[]): void {
  const recent = recentOf(db);
  if (log !== recent.log) Object.assign(recent, { log, events: [] });
  for (const { _id: seq, auditId } of seals) {
    const record = recent.unsealed.get(auditId);
    recent.unsealed.delete(auditId);
    if (recent.events.at(-1)?.seq !== seq - 1) recent.events = [];
    if (record) recent.events.push({ seq, record });
    else recent.events = [];
  }
  recent.events.splice(0, recent.events.length - MAX_RECORDS);
  recent.sealedAt = performance.now();
}

/**
 * Returns the name of the log and its records after a position, at most `limit`. Null if they are not known, or if there
 * are none and another process may have sealed some.
 */
export function recentAfter(db: Db, after: number, limit: number): { log: string; events: SealedRecord[] } | null {
  const { log, events, sealedAt } = recentOf(db);
  const [oldest, newest] = [events[0], events.at(-1)];
  if (!oldest || !newest || after < oldest.seq - 1 || after > newest.seq) return null;
  if (after === newest.seq && performance.now() - sealedAt > EXCLUSIVE_MS) return null;
  return { log, events: events.slice(after - oldest.seq + 1, after - oldest.seq + 1 + limit) };
}
