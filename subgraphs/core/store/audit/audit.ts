// The audit log: appends records to hash chains in the transaction of their command, and reads them.
import type { Document, Filter } from 'mongodb';
import { createRecentWritesCache } from '../../cache/recent-writes-cache.ts';
import type { Actor } from '../../domain/access/actor.ts';
import { type AuditAction, storedActions } from '../../domain/audit/audit-action.ts';
import {
  ADMIN_CHAINS,
  type AuditEvent,
  auditHash,
  CHAIN_START,
  chainOf,
  compactChanges,
} from '../../domain/audit/audit-event.ts';
import type { RecordChange } from '../../domain/audit/proven-record.ts';
import type { PendingLink, PendingTransaction } from '../../domain/audit/seal-log.ts';
import { type BulkWrite, flushDeferredWrites, transientConflict } from '../query/deferred-writes.ts';
import { isDuplicateKey } from '../query/duplicate-key.ts';
import { allOf, type PageRequest, sortOrder, startAfter } from '../query/page-request.ts';
import { type ChainedChange, collection, countRecords, type Scope, within } from '../query/scope.ts';
import type { DeferredWrite, Write } from '../query/write.ts';
import type { AuditRecord, CollectionName } from '../schema/collections.ts';

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

async function chainHeads(scope: Scope, chains: string[]): Promise<Map<string, Head>> {
  const found = await collection(scope, 'chains')
    .find({ _id: { $in: chains } }, within(scope))
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

type ChainPage = { limit: number; descending?: boolean; after?: number; filter?: AuditFilter };

/**
 * Returns a page of the matching records of a chain, by default newest first; `after` is the chainSeq of the last
 * record of the previous page.
 */
export function listChain(
  scope: Scope,
  chain: string,
  { limit, descending = true, after, filter = {} }: ChainPage,
): Promise<AuditRecord[]> {
  const rest = after === undefined ? {} : { chainSeq: descending ? { $lt: after } : { $gt: after } };
  return collection(scope, 'audit')
    .find({ chain, ...rest, ...matching(filter) }, within(scope))
    .hint({ chain: 1, chainSeq: -1 }) // a filter could make the planner choose an index without this order
    .sort({ chainSeq: descending ? -1 : 1 })
    .limit(limit)
    .toArray();
}

/** Returns the newest records of several chains, at most `limit` of each, newest first. */
export async function newestOfChains(scope: Scope, chains: readonly string[], limit: number): Promise<AuditRecord[]> {
  const found = await collection(scope, 'chains')
    .aggregate<{ records: AuditRecord[] }>(
      [{ $match: { _id: { $in: chains } } }, { $project: { _id: 1 } }, newestRecords('chain', { chainSeq: -1 }, limit)],
      within(scope),
    )
    .toArray();
  return found.flatMap(({ records }) => records);
}

/** Returns the newest records about several drafts and versions, at most `limit` of each, newest first. */
export async function newestAboutVersions(
  scope: Scope,
  versionIds: readonly string[],
  limit: number,
): Promise<AuditRecord[]> {
  const found = await collection(scope, 'versions')
    .aggregate<{ records: AuditRecord[] }>(
      [
        { $match: { _id: { $in: versionIds } } },
        { $project: { _id: 1 } },
        newestRecords('versionId', { at: -1, _id: -1 }, limit, NOT_ADMIN_ONLY),
      ],
      within(scope),
    )
    .toArray();
  return found.flatMap(({ records }) => records);
}

function newestRecords(
  foreignField: keyof AuditRecord,
  order: Record<string, -1>,
  limit: number,
  filter: Filter<AuditRecord> = {},
): Document {
  const audit: CollectionName = 'audit';
  const pipeline = [{ $match: filter }, { $sort: order }, { $limit: limit }];
  return { $lookup: { from: audit, localField: '_id', foreignField, pipeline, as: 'records' } };
}

/** Returns the number of matching records of a chain. */
export async function countChain(scope: Scope, chain: string, filter: AuditFilter = {}): Promise<number> {
  const conditions = matching(filter);
  if (Object.keys(conditions).length)
    return collection(scope, 'audit').countDocuments({ chain, ...conditions }, within(scope));
  return (await chainHeads(scope, [chain])).get(chain)?.chainSeq ?? 0;
}

/** Selects the records about one draft or version, or about one revision. */
export type About = { versionId: string } | { revisionId: string };

/** Returns a page of the records about a draft, version or revision, by time. */
export function listAbout(scope: Scope, about: About, window: PageRequest): Promise<AuditRecord[]> {
  return byTime(scope, visibleToReaders(about), window);
}

/** Returns the newest record of an action on a draft or version, or null. */
export function newestRecord(
  scope: Scope,
  { versionId, action }: { versionId: string; action: AuditAction },
): Promise<AuditRecord | null> {
  return collection(scope, 'audit').findOne(
    { versionId: { $eq: versionId }, action: isAction(action) },
    { sort: { at: -1, _id: -1 }, ...within(scope) },
  );
}

export function countAbout(scope: Scope, about: About): Promise<number> {
  return collection(scope, 'audit').countDocuments(visibleToReaders(about), within(scope));
}

/** Returns whether the log has a record of a user or of the service itself. */
export async function hasActed(scope: Scope, actorId: string): Promise<boolean> {
  const filter: Filter<AuditRecord> = { 'by.id': { $eq: actorId } };
  return (await collection(scope, 'audit').findOne(filter, { projection: { _id: 1 }, ...within(scope) })) !== null;
}

/** Filters records by actor, action and time; without fields it selects all. */
export type AuditFilter = { actor?: string | null; action?: string | null; from?: Date | null; before?: Date | null };

/** Returns a page of the matching records, by time. */
export async function listAudit(scope: Scope, filter: AuditFilter, page: PageRequest): Promise<AuditRecord[]> {
  const names = filter.action ? storedActions(filter.action) : [null];
  // One query per stored name of the action: the index on action and time gives the order only for a single name.
  const pages = await Promise.all(names.map((action) => byTime(scope, conditions({ ...filter, action }), page)));
  if (pages.length === 1) return pages[0]!;
  const direction = page.descending ? -1 : 1;
  return pages
    .flat()
    .sort((a, b) => direction * (a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1)))
    .slice(0, page.limit);
}

export function countAudit(scope: Scope, filter: AuditFilter): Promise<number> {
  return countRecords(scope, 'audit', matching(filter));
}

function visibleToReaders(about: About): Filter<AuditRecord> {
  return { ...about, ...NOT_ADMIN_ONLY };
}

const NOT_ADMIN_ONLY: Filter<AuditRecord> = { chain: { $nin: [...ADMIN_CHAINS] } };

function conditions({ actor, action, from, before }: AuditFilter): Filter<AuditRecord> {
  const time = { ...(from ? { $gte: from } : {}), ...(before ? { $lt: before } : {}) };
  return {
    ...(actor ? { 'by.id': { $eq: actor } } : {}),
    ...(action ? { action: { $eq: action } } : {}),
    ...(from || before ? { at: time } : {}),
  };
}

function matching({ action, ...others }: AuditFilter): Filter<AuditRecord> {
  return { ...conditions(others), ...(action ? { action: isAction(action) } : {}) };
}

// Records keep the action name of the version that stored them.
function isAction(action: string): { $eq: string } | { $in: string[] } {
  const names = storedActions(action);
  return names.length === 1 ? { $eq: action } : { $in: names };
}

function byTime(scope: Scope, filter: Filter<AuditRecord>, window: PageRequest): Promise<AuditRecord[]> {
  return collection(scope, 'audit')
    .find(allOf([filter, ...startAfter<AuditRecord>('at', window)]), within(scope))
    .sort(sortOrder('at', window))
    .limit(window.limit)
    .toArray();
}
