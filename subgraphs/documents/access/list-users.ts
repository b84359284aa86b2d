// Lists users.
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
import type { UserRecord } from '../../core/store/schema/collections.ts';
import { countUsers, listUsers, type UserSort } from '../../core/store/users.ts';

/** Returns a page of the users, by default oldest first. */
export async function readUsers(
  { scope }: Pick<Context, 'scope'>,
  input: PageInput<UserSort>,
): Promise<Page<UserRecord>> {
  const limit = pageSize(input.limit);
  const { sort, descending } = resolveOrder(input, { sort: 'createdAt', descending: false });
  const list = `users:${sort}:${descending}`;
  const position = decodePosition(list, input.cursor);
  const after = sort === 'createdAt' ? datePosition(position) : position;
  const [found, total] = await Promise.all([
    listUsers(scope, { sort, descending, limit: limit + 1, after }),
    input.total ? countUsers(scope) : null,
  ]);
  return {
    ...page(found, limit, (user) => [sort === 'name' ? user.name : user.createdAt.getTime(), user._id], list),
    total,
  };
}
