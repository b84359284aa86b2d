// Appends audit records to hash chains in the transaction of their command. list-audit.ts reads them.
import { createRecentWritesCache } from '../../cache/recent-writes-cache.ts';
import type { Actor } from '../../domain/access/actor.ts';
import { type AuditEvent, auditHash, CHAIN_START, chainOf, compactChanges } from '../../domain/audit/audit-event.ts';
import type { RecordChange } from '../../domain/audit/proven-record.ts';
import type { PendingLink, PendingTransaction } from '../../domain/audit/seal-log.ts';
import { type BulkWrite, flushDeferredWrites, transientConflict } from '../query/deferred-writes.ts';
import { isDuplicateKey } from '../query/duplicate-key.ts';
import { type ChainedChange, collection, type Scope, within } from '../query/scope.ts';
import type { DeferredWrite, Write } from '../query/write.ts';
import type { AuditRecord } from '../schema/collections.ts';

/** The number and the hash of the last record of a chain. */
type Head = { chainSeq: number; hash: string };

const headCache = createRecentWritesCache<Head>();

/** The origin of a request, as stored in its audit records. */
export type Origin = { actor: Actor; requestId: string; ip: string | null; route: string | null };

/** An event, the id of its audit record, and the request it belongs to. */
export type IdentifiedEvent = { id: string; event: AuditEvent; origin: Origin };

/**
 * Appends the events of a command to their chains in its transaction, together with its deferred writes. The first
 * event of each chain gets the changes that the command made to records of this chain. Returns a function to call after
 * the commit, which caches the new chain heads. If an update matches nothing, the transaction runs again without cached
 * heads; without them, throws the `orElse` error of the first deferred write that has one.
 */
export async function appendAudit(
  work: Write,
  events: readonly IdentifiedEvent[],
  deferred: readonly DeferredWrite[] = [],
): Promise<() => void> {
  const chains = [...new Set(events.map(({ event }) => chainOf(event)))];
  const cached = work.isRetry ? new Map<string, Head>() : headCache.get(work.db, chains);
  const uncached = chains.filter((chain) => !cached.has(chain));
  const before = new Map([...cached, ...(uncached.length ? await chainHeads(work, uncached) : [])]);

  const heads = new Map(before);
  const changes = changesByEvent(work.changes, events);
  const records = events.map(({ id, event, origin }) => {
    const chain = chainOf(event);
    const record = recordOf(
      work.now,
      { id, event: { ...event, records: event.records ?? changes.get(id) }, origin },
      chain,
      heads.get(chain) ?? { chainSeq: 0, hash: CHAIN_START },
    );
    heads.set(chain, { chainSeq: record.chainSeq, hash: record.hash });
    return record;
  });
  const links = records.map(({ _id, chain, chainSeq, at, hash }) => ({ _id, chain, chainSeq, at, hash }));

  // Heads first, so that concurrent commands on one chain get a write conflict, which is retried, and no duplicate key.
  const writes: BulkWrite[] = [
    ...[...heads].map(([chain, head]) => moveHead(chain, before.get(chain), head)),
    ...deferred.map(({ orElse: _, ...write }) => write),
    ...records.map((document) => ({ into: 'audit' as const, document })),
    ...groupLinks(links).map((document) => ({ into: 'auditPending' as const, document })),
  ];
  if (!(await allMatched(work, writes))) {
    if (!cached.size)
      throw (
        deferred.find(({ orElse }) => orElse)?.orElse?.() ??
        new Error('the head of an audit chain changed within a transaction')
      );
    headCache.invalidate(work.db, cached.keys());
    throw transientConflict('A cached record or chain head is outdated.');
  }
  return () => headCache.set(work.db, heads);
}

// Several changes to one record become one. Fails if a chain has no event for its changes: they would not be provable.
function changesByEvent(
  changes: readonly ChainedChange[],
  events: readonly IdentifiedEvent[],
): Map<string, RecordChange[]> {
  const byEvent = new Map<string, RecordChange[]>();
  if (!changes.length) return byEvent;
  const firstEvent = new Map(events.toReversed().map(({ id, event }) => [chainOf(event), id]));
  const merged = new Map<string, RecordChange>();
  for (const { chain, collection, id, fields } of changes) {
    const eventId = firstEvent.get(chain);
    if (eventId === undefined)
      throw new Error(`WRITE_WITHOUT_AUDIT: the change of ${id} belongs to the chain ${chain}, which has no event`);
    const key = `${collection}/${id}`;
    const before = merged.get(key);
    if (before) before.fields = fields && { ...before.fields, ...fields };
    else {
      const change = { collection, fields, id };
      merged.set(key, change);
      const list = byEvent.get(eventId);
      if (list) list.push(change);
      else byEvent.set(eventId, [change]);
    }
  }
  return byEvent;
}

const MAX_LINKS = 250;

// Groups links into few records, because the cost of a small record is mostly fixed.
function groupLinks(links: readonly PendingLink[]): PendingTransaction[] {
  const groups: PendingTransaction[] = [];
  for (let from = 0; from < links.length; from += MAX_LINKS) {
    const group = links.slice(from, from + MAX_LINKS);
    groups.push({ _id: group[0]!._id, links: group });
  }
  return groups;
}

// Two transactions that start or extend the same chain collide on the unique id. Some servers report a duplicate key
// instead of a write conflict; the label makes the driver retry it.
async function allMatched(work: Write, writes: readonly BulkWrite[]): Promise<boolean> {
  try {
    return await flushDeferredWrites(work, writes);
  } catch (error) {
    if (isDuplicateKey(error)) error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

// The filter contains the whole head, so that a chain is only extended from its last record.
function moveHead(chain: string, before: Head | undefined, head: Head): BulkWrite {
  if (!before) return { into: 'chains', filter: { _id: chain }, update: { $set: head }, upsert: true };
  return { into: 'chains', filter: { _id: chain, ...before }, update: { $set: head } };
}

/** Returns the last record's number and hash of each chain that exists. */
export async function chainHeads(scope: Scope, chains: readonly string[]): Promise<Map<string, Head>> {
  const found = await collection(scope, 'chains')
    .find({ _id: { $in: [...chains] } }, within(scope))
    .toArray();
  return new Map(found.map(({ _id, chainSeq, hash }) => [_id, { chainSeq, hash }]));
}

function recordOf(at: Date, { id: _id, event, origin }: IdentifiedEvent, chain: string, head: Head): AuditRecord {
  const { id, role, via, tokenId } = origin.actor;
  const { onBehalfOf } = event;
  // Fields in hash order, so that they need not be sorted. `onBehalfOf`, `records` and `route` are omitted if absent,
  // as in records that are older than these fields, so that all records are hashed alike.
  const record = {
    _id,
    action: event.action,
    at,
    by: { id, ...(onBehalfOf && onBehalfOf !== id ? { onBehalfOf } : {}), role, tokenId, via },
    chain,
    chainSeq: head.chainSeq + 1,
    changes: compactChanges(event.changes),
    documentId: event.documentId ?? null,
    folderId: event.folderId ?? null,
    ip: origin.ip,
    jobId: event.jobId ?? null,
    ...(event.records?.length ? { records: event.records } : {}),
    requestId: origin.requestId,
    revisionId: event.revisionId ?? null,
    ...(origin.route ? { route: origin.route } : {}),
    summary: event.summary,
    versionId: event.versionId ?? null,
    workspaceId: event.workspaceId ?? null,
  };
  return { ...record, prevHash: head.hash, hash: auditHash(head.hash, record) };
}
