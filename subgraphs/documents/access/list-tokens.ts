// Lists and reads tokens.
import type { Actor } from '../../core/domain/access/actor.ts';
import { isAdministrator } from '../../core/domain/access/permissions.ts';
import { refuse } from '../../core/domain/errors.ts';
import {
  decodePosition,
  type Page,
  type PageInput,
  page,
  pageSize,
  resolveOrder,
} from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { datePosition } from '../../core/store/query/page-request.ts';
import { find } from '../../core/store/query/records.ts';
import type { TokenRecord } from '../../core/store/schema/collections.ts';
import { countTokens, listTokens, type TokenSort } from '../../core/store/tokens.ts';
import { assertUser } from '../../core/store/users.ts';

type Input = PageInput<TokenSort> & { userId?: string | null; includeInactive?: boolean | null };
type ReadContext = Pick<Context, 'scope' | 'request' | 'services'>;

/**
 * Returns a page of tokens, by default newest first and without revoked and expired ones. Administrators read all
 * tokens or those of one user; others read their own, and get `admin_only` for another user.
 */
export async function readTokens(
  { scope, request: { actor }, services }: ReadContext,
  input: Input,
): Promise<Page<TokenRecord>> {
  const userId = input.userId ?? (isAdministrator(actor) ? undefined : actor.id);
  if (userId !== undefined && !canManageTokensOf(actor, userId))
    refuse('admin_only', 'Only an administrator can list the tokens of other users.');
  await assertUser(scope, 'userId', input.userId);
  const limit = pageSize(input.limit);
  const { sort, descending } = resolveOrder(input, { sort: 'createdAt', descending: true });
  const list = `tokens:${JSON.stringify([userId, input.includeInactive, sort, descending])}`;
  const position = decodePosition(list, input.cursor);
  const after = sort === 'createdAt' ? datePosition(position) : position;

  const filter = { userId, activeAt: input.includeInactive ? undefined : services.clock() };
  const [found, total] = await Promise.all([
    listTokens(scope, filter, { sort, descending, limit: limit + 1, after }),
    input.total ? countTokens(scope, filter) : null,
  ]);
  return {
    ...page(found, limit, (token) => [sort === 'name' ? token.name : token.createdAt.getTime(), token._id], list),
    total,
  };
}

/** Returns a token; null if it does not exist or the caller cannot manage it. */
export async function readToken(
  { scope, request: { actor } }: ReadContext,
  { id }: { id: string },
): Promise<TokenRecord | null> {
  const token = await find(scope, 'tokens', id);
  return token && canManageTokensOf(actor, token.userId) ? token : null;
}

/** Whether the actor can list and revoke a user's tokens: administrators those of all users, others their own. */
export function canManageTokensOf(actor: Actor, userId: string): boolean {
  return isAdministrator(actor) || actor.id === userId;
}
