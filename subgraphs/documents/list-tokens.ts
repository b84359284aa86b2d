import { refuse } from '../core/domain/errors.ts';
import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import { may } from '../core/domain/permissions.ts';
import type { Context } from '../core/graphql.ts';
import type { TokenRecord } from '../core/store/collections.ts';
import { find } from '../core/store/records.ts';
import { listTokens } from '../core/store/tokens.ts';
import type { Actor } from '../core/work.ts';

type Input = { userId?: string | null; includeEnded?: boolean | null; limit?: number | null; cursor?: string | null };
type Reading = Pick<Context, 'scope' | 'request' | 'services'>;

/**
 * A page of tokens, newest first: an administrator sees all of them or one user's, anybody else his own (`admin_only` when he asks for
 * another's). Revoked and expired ones only if asked for.
 */
export async function readTokens(
  { scope, request: { actor }, services }: Reading,
  input: Input,
): Promise<{ items: TokenRecord[]; nextCursor: string | null }> {
  const userId = input.userId ?? (administers(actor) ? undefined : actor.id);
  if (userId !== undefined && !mayManage(actor, userId)) refuse('admin_only', 'Only an administrator may see the tokens of others.');
  const limit = pageSize(input.limit);
  const list = `tokens:${JSON.stringify([userId, input.includeEnded])}`;
  const [at, id] = readCursor(list, input.cursor) ?? [];
  const found = await listTokens(
    scope,
    { userId, goodAt: input.includeEnded ? undefined : services.clock() },
    { limit: limit + 1, before: at === undefined ? undefined : { createdAt: new Date(at), id: String(id) } },
  );
  return page(found, limit, ({ createdAt, _id }) => [createdAt.getTime(), _id], list);
}

/** A token; null also when it is somebody else's and the one who asks is no administrator. */
export async function readToken({ scope, request: { actor } }: Reading, { id }: { id: string }): Promise<TokenRecord | null> {
  const token = await find(scope, 'tokens', id);
  return token && mayManage(actor, token.userId) ? token : null;
}

/** Whether somebody may see and end the tokens of a user: an administrator everybody's, anybody his own. */
export function mayManage(actor: Actor, userId: string): boolean {
  return administers(actor) || actor.id === userId;
}

function administers({ role }: Actor): boolean {
  return role === 'system' || may(role, 'administer');
}
