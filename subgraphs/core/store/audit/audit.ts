// Appends audit records to hash chains in the transaction of their command. list-audit.ts reads them.
import { createRecentWritesCache } from '../../cache/recent-writes-cache.ts';
import type { Actor } from '../../domain/access/actor.ts';
import { type AuditEvent, auditHash, CHAIN_START, chainOf, compactChanges } from '../../domain/audit/audit-event.ts';
import type { RecordChange } from '../../domain/audit/proven-record.ts';
import type { PendingLink, PendingTransaction } from '../../domain/audit/seal-log.ts';
import type { Mongo } from '../mongo.ts';
import { type BulkWrite, flushDeferredWrites, transientConflict } from '../query/deferred-writes.ts';
import { isDuplicateKey } from '../query/duplicate-key.ts';
import { type ChainedChange, collection, type Scope, within } from '../query/scope.ts';
import type { DeferredWrite } from '../query/write.ts';
import type { AuditRecord } from '../schema/collections.ts';
import { keepRecords } from './recent-events.ts';
import { keepNames } from './sealed-events.ts';

/** The number and the hash of the last record of a chain. */
type Head = { chainSeq: number; hash: string };

const headCache = createRecentWritesCache<Head>();

/** The origin of a request, as stored in its audit records. */
export type Origin = { actor: Actor; requestId: string; ip: string | null; route: string | null };

/** An event, the id of its audit record, and the request it belongs to. */
export type IdentifiedEvent = { id: string; event: AuditEvent; origin: Origin };

/** What a command recorded: its time, its events, the changes of records, and writes that wait for the audit records. */
export type Recorded = {
  now: Date;
  events: readonly IdentifiedEvent[];
  changes: readonly ChainedChange[];
  deferred: readonly DeferredWrite[];
};

/**
 * Appends the events of commands to their chains in the transaction, together with its unsent writes. The first event of
 * each chain gets the changes that its command made to records of this chain. Returns a function to call after the
 * commit, which caches the new chain heads. If an update matches nothing, the transaction runs again without cached
 * heads; without them, throws the `orElse` error of the first deferred write that has one.
 */
export async function appendAudit(
  scope: Scope & { services: { mongo: Mongo } },
  commands: readonly Recorded[],
  { unsent, isRetry }: { unsent: readonly BulkWrite[]; isRetry: boolean },
): Promise<() => void> {
  const chains = [...new Set(commands.flatMap(({ events }) => events.map(({ event }) => chainOf(event))))];
  const cached = isRetry ? new Map<string, Head>() : headCache.get(scope.db, chains);
  const inserted = new Set(
    unsent.flatMap((write) => ('document' in write && write.into === 'documents' ? [String(write.document._id)] : [])),
  );
  const uncached = chains.filter((chain) => !cached.has(chain) && !inserted.has(chain));
  const before = new Map([...cached, ...(uncached.length ? await chainHeads(scope, uncached) : [])]);

  const heads = new Map(before);
  const records = commands.flatMap((command) => recordsOf(command, heads));
  const links = records.map(({ _id, chain, chainSeq, at, hash }) => ({ _id, chain, chainSeq, at, hash }));
  const deferred = commands.flatMap((command) => command.deferred);

  // Heads first, so that concurrent commands on one chain get a write conflict, which is retried, and no duplicate key.
  const writes: BulkWrite[] = [
    ...chains.map((chain) => moveHead(chain, before.get(chain), heads.get(chain)!)),
    ...unsent,
    ...deferred.map(({ orElse: _, ...write }) => write),
    ...records.map((document) => ({ into: 'audit' as const, document })),
    ...groupLinks(links).map((document) => ({ into: 'auditPending' as const, document })),
  ];
  if (!(await allMatched(scope, writes))) {
    if (!cached.size)
      throw (
        deferred.find(({ orElse }) => orElse)?.orElse?.() ??
        new Error('the head of an audit chain changed within a transaction')
      );
    headCache.invalidate(scope.db, cached.keys());
    throw transientConflict('A cached record or chain head is outdated.');
  }
  return () => {
    headCache.set(scope.db, heads);
    keepRecords(scope.db, records);
    keepNames(scope.db, new Set(commands.flatMap(({ events }) => events.map(({ origin }) => origin.actor))));
  };
}

// Moves the heads of the chains.
function recordsOf({ now, events, changes }: Recorded, heads: Map<string, Head>): AuditRecord[] {
  const changesOf = changesByEvent(changes, events);
  return events.map(({ id, event, origin }) => {
    const chain = chainOf(event);
    const record = recordOf(
      now,
      { id, event: { ...event, records: event.records ?? changesOf.get(id) }, origin },
      chain,
      heads.get(chain) ?? { chainSeq: 0, hash: CHAIN_START },
    );
    heads.set(chain, { chainSeq: record.chainSeq, hash: record.hash });
    return record;
  });
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
async function allMatched(
  scope: Scope & { services: { mongo: Mongo } },
  writes: readonly BulkWrite[],
): Promise<boolean> {
  try {
    return await flushDeferredWrites(scope, writes);
  } catch (error) {
    if (isDuplicateKey(error) && /\.(?:chains|audit)\b/.test(error.message))
      error.addErrorLabel('TransientTransactionError');
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
