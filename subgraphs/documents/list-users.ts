import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import type { Context } from '../core/graphql.ts';
import type { UserRecord } from '../core/store/collections.ts';
import { listUsers } from '../core/store/users.ts';

type Input = { limit?: number | null; cursor?: string | null };

/** A page of the users, oldest first. */
export async function readUsers({ scope }: Pick<Context, 'scope'>, input: Input): Promise<{ items: UserRecord[]; nextCursor: string | null }> {
  const limit = pageSize(input.limit);
  const [at, id] = readCursor('users', input.cursor) ?? [];
  const found = await listUsers(scope, { limit: limit + 1, after: at === undefined ? undefined : { createdAt: new Date(at), id: String(id) } });
  return page(found, limit, ({ createdAt, _id }) => [createdAt.getTime(), _id], 'users');
}
