// API tokens: lookup, lists and revocation.
import type { Filter } from 'mongodb';
import { allOf, type PageRequest, sortOrder, startAfter } from './query/page-request.ts';
import { changeAll, findAll } from './query/records.ts';
import { collection, countRecords, type Scope, within } from './query/scope.ts';
import type { TokenRecord } from './schema/collections.ts';

/** Returns the token with this prefix (the 8 characters after `pdm_`), or null. */
export function tokenByPrefix(scope: Scope, prefix: string): Promise<TokenRecord | null> {
  return collection(scope, 'tokens').findOne({ prefix: { $eq: prefix } }, within(scope));
}

/** Records the use of a token. This is not an audited write. */
export async function recordTokenUse(scope: Scope, id: string, at: Date): Promise<void> {
  await collection(scope, 'tokens').updateOne({ _id: { $eq: id } }, { $set: { lastUsedAt: at } }, within(scope));
}

/** Revokes the tokens of a user with this name, e.g. those of earlier starts of the scheduler. Returns how many. */
export function revokeTokensNamed(scope: Scope, userId: string, name: string, at: Date): Promise<number> {
  return changeAll(scope, 'tokens', { userId, name, revokedAt: null }, { revokedAt: at });
}

export type TokenSort = 'name' | 'createdAt';
/** Filters tokens by user, and by whether they are active at a time. */
export type TokenFilter = { userId?: string; activeAt?: Date };

/** Returns a page of the list of tokens. */
export function listTokens(
  scope: Scope,
  filter: TokenFilter,
  { sort, ...window }: PageRequest & { sort: TokenSort },
): Promise<TokenRecord[]> {
  return collection(scope, 'tokens')
    .find(allOf([conditions(filter), ...startAfter<TokenRecord>(sort, window)]), within(scope))
    .sort(sortOrder(sort, window))
    .limit(window.limit)
    .toArray();
}

export function countTokens(scope: Scope, filter: TokenFilter): Promise<number> {
  return countRecords(scope, 'tokens', conditions(filter));
}

function conditions({ userId, activeAt }: TokenFilter): Filter<TokenRecord> {
  return {
    ...(userId === undefined ? {} : { userId: { $eq: userId } }),
    ...(activeAt ? { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: activeAt } }] } : {}),
  };
}

/** Returns whether a token is neither revoked nor expired. */
export function isActive({ expiresAt, revokedAt }: Pick<TokenRecord, 'expiresAt' | 'revokedAt'>, now: Date): boolean {
  return !revokedAt && (!expiresAt || expiresAt > now);
}

/** Returns the actors whose token has been revoked or has expired, or whose user has been disabled. */
export async function revokedActors<A extends { id: string; tokenId: string | null }>(
  scope: Scope,
  actors: readonly A[],
  now: Date,
): Promise<Set<A>> {
  const [tokens, users] = await Promise.all([
    findAll(scope, 'tokens', [...new Set(actors.flatMap(({ tokenId }) => tokenId ?? []))]),
    findAll(scope, 'users', [...new Set(actors.map(({ id }) => id))]),
  ]);
  const revoked = new Set(
    [...tokens.filter((token) => !isActive(token, now)), ...users.filter(({ disabled }) => disabled)].map(
      ({ _id }) => _id,
    ),
  );
  return new Set(actors.filter(({ id, tokenId }) => revoked.has(id) || (tokenId !== null && revoked.has(tokenId))));
}
