// Browser sessions: lookup and lists.
import type { Filter } from 'mongodb';
import { allOf, type PageRequest, sortOrder, startAfter } from './query/page-request.ts';
import { collection, countRecords, type Scope, within } from './query/scope.ts';
import type { SessionRecord } from './schema/collections.ts';

/** Returns the session whose secret has this hash, or null. */
export function sessionByHash(scope: Scope, sha256: string): Promise<SessionRecord | null> {
  return collection(scope, 'sessions').findOne({ sha256: { $eq: sha256 } }, within(scope));
}

/** Filters sessions by user; those that have expired at `activeAt` are left out. */
export type SessionFilter = { userId?: string; activeAt: Date };

/** Returns a page of the list of sessions by their start. */
export function listSessions(scope: Scope, filter: SessionFilter, window: PageRequest): Promise<SessionRecord[]> {
  // nearly all sessions match, because the store deletes expired ones: reads them in list order
  const hint = { ...(filter.userId === undefined ? {} : { userId: 1 }), createdAt: -1, _id: -1 };
  return collection(scope, 'sessions')
    .find(allOf([conditions(filter), ...startAfter<SessionRecord>('createdAt', window)]), { hint, ...within(scope) })
    .sort(sortOrder('createdAt', window))
    .limit(window.limit)
    .toArray();
}

export function countSessions(scope: Scope, filter: SessionFilter): Promise<number> {
  return countRecords(scope, 'sessions', conditions(filter));
}

function conditions({ userId, activeAt }: SessionFilter): Filter<SessionRecord> {
  return { ...(userId === undefined ? {} : { userId: { $eq: userId } }), expiresAt: { $gt: activeAt } };
}
