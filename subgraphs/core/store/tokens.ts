import type { Filter } from 'mongodb';
import { allOf, beyond, inOrder, type Window } from './query/ordered.ts';
import { findAll } from './query/records.ts';
import { collection, countOf, type Scope, within } from './query/scope.ts';
import type { TokenRecord } from './schema/collections.ts';

/** The token whose first 8 characters are these, or null. */
export function tokenByPrefix(scope: Scope, prefix: string): Promise<TokenRecord | null> {
  return collection(scope, 'tokens').findOne({ prefix: { $eq: prefix } }, within(scope));
}

/** Notes the use of a token; not a write in the sense of the audit log. */
export async function noteUse(scope: Scope, id: string, at: Date): Promise<void> {
  await collection(scope, 'tokens').updateOne({ _id: { $eq: id } }, { $set: { lastUsedAt: at } }, within(scope));
}

/** Ends every token of this name and user that is still good, e.g. those of the scheduler's earlier starts. */
export async function revokeNamed(scope: Scope, userId: string, name: string, at: Date): Promise<number> {
  const { modifiedCount } = await collection(scope, 'tokens').updateMany(
    { userId, name, revokedAt: null },
    { $set: { revokedAt: at } },
    within(scope),
  );
  return modifiedCount;
}

export type TokenSort = 'name' | 'createdAt';
/** Those of one user or of all, with those that have ended or without. */
export type TokenFilter = { userId?: string; goodAt?: Date };

/** A part of the list of tokens. */
export function listTokens(
  scope: Scope,
  filter: TokenFilter,
  { sort, ...window }: Window & { sort: TokenSort },
): Promise<TokenRecord[]> {
  return collection(scope, 'tokens')
    .find(allOf([conditions(filter), ...beyond<TokenRecord>(sort, window)]), within(scope))
    .sort(inOrder(sort, window))
    .limit(window.limit)
    .toArray();
}

export function countTokens(scope: Scope, filter: TokenFilter): Promise<number> {
  return countOf(scope, 'tokens', conditions(filter));
}

function conditions({ userId, goodAt }: TokenFilter): Filter<TokenRecord> {
  return {
    ...(userId === undefined ? {} : { userId: { $eq: userId } }),
    ...(goodAt ? { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: goodAt } }] } : {}),
  };
}

/** Whether a token was not revoked and has not expired. */
export function isGood({ expiresAt, revokedAt }: Pick<TokenRecord, 'expiresAt' | 'revokedAt'>, now: Date): boolean {
  return !revokedAt && (!expiresAt || expiresAt > now);
}

/** Those of some requests' actors whose token or user was ended while they waited. */
export async function endedMeanwhile<A extends { id: string; tokenId: string | null }>(
  scope: Scope,
  actors: readonly A[],
  now: Date,
): Promise<Set<A>> {
  const [tokens, users] = await Promise.all([
    findAll(scope, 'tokens', [...new Set(actors.flatMap(({ tokenId }) => tokenId ?? []))]),
    findAll(scope, 'users', [...new Set(actors.map(({ id }) => id))]),
  ]);
  const ended = new Set(
    [...tokens.filter((token) => !isGood(token, now)), ...users.filter(({ disabled }) => disabled)].map(
      ({ _id }) => _id,
    ),
  );
  return new Set(actors.filter(({ id, tokenId }) => ended.has(id) || (tokenId !== null && ended.has(tokenId))));
}
