import type { Actor } from '../../core/domain/access/actor.ts';
import { hasAbility } from '../../core/domain/access/permissions.ts';
import { refuse } from '../../core/domain/errors.ts';
import {
  resolveOrder,
  type Page,
  type PageInput,
  page,
  pageSize,
  decodePosition,
} from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { atMoment } from '../../core/store/query/ordered.ts';
import { find } from '../../core/store/query/records.ts';
import type { TokenRecord } from '../../core/store/schema/collections.ts';
import { countTokens, listTokens, type TokenSort } from '../../core/store/tokens.ts';

type Input = PageInput<TokenSort> & { userId?: string | null; includeInactive?: boolean | null };
type Reading = Pick<Context, 'scope' | 'request' | 'services'>;

/**
 * A page of tokens, newest first unless told otherwise: an administrator sees all of them or one user's, anybody else his own (`admin_only` when he
 * asks for another's). Revoked and expired ones only if asked for.
 */
export async function readTokens(
  { scope, request: { actor }, services }: Reading,
  input: Input,
): Promise<Page<TokenRecord>> {
  const userId = input.userId ?? (administers(actor) ? undefined : actor.id);
  if (userId !== undefined && !mayManage(actor, userId))
    refuse('admin_only', 'Only an administrator may see the tokens of others.');
  const limit = pageSize(input.limit);
  const { sort, descending } = resolveOrder(input, { sort: 'createdAt', descending: true });
  const list = `tokens:${JSON.stringify([userId, input.includeInactive, sort, descending])}`;
  const place = decodePosition(list, input.cursor);
  const after = sort === 'createdAt' ? atMoment(place) : place;

  const filter = { userId, goodAt: input.includeInactive ? undefined : services.clock() };
  const [found, total] = await Promise.all([
    listTokens(scope, filter, { sort, descending, limit: limit + 1, after }),
    input.total ? countTokens(scope, filter) : null,
  ]);
  return {
    ...page(found, limit, (token) => [sort === 'name' ? token.name : token.createdAt.getTime(), token._id], list),
    total,
  };
}

/** A token; null also when it is somebody else's and the one who asks is no administrator. */
export async function readToken(
  { scope, request: { actor } }: Reading,
  { id }: { id: string },
): Promise<TokenRecord | null> {
  const token = await find(scope, 'tokens', id);
  return token && mayManage(actor, token.userId) ? token : null;
}

/** Whether somebody may see and end the tokens of a user: an administrator everybody's, anybody his own. */
export function mayManage(actor: Actor, userId: string): boolean {
  return administers(actor) || actor.id === userId;
}

function administers({ role }: Actor): boolean {
  return role === 'system' || hasAbility(role, 'administer');
}
