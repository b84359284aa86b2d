// Reads audit records: of a chain, about a version or revision, and of the whole log.
import type { Document, Filter } from 'mongodb';
import { type AuditAction, storedActions } from '../../domain/audit/audit-action.ts';
import { ADMIN_CHAINS } from '../../domain/audit/audit-event.ts';
import { allOf, type PageRequest, sortOrder, startAfter } from '../query/page-request.ts';
import { collection, countRecords, type Scope, within } from '../query/scope.ts';
import type { AuditRecord, CollectionName } from '../schema/collections.ts';
import { chainHeads } from './audit.ts';

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
