// Reads browser sessions.
import { decodePosition, type Page, type PageInput, page, pageSize } from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { datePosition } from '../../core/store/query/page-request.ts';
import { find } from '../../core/store/query/records.ts';
import type { SessionRecord } from '../../core/store/schema/collections.ts';
import { countSessions, listSessions } from '../../core/store/sessions.ts';
import { assertUser } from '../../core/store/users.ts';

type Input = Omit<PageInput<never>, 'sort' | 'descending'> & { userId?: string | null };

/** Returns a page of the sessions that have not expired, newest first. */
export async function readSessions(
  { scope, services }: Pick<Context, 'scope' | 'services'>,
  input: Input,
): Promise<Page<SessionRecord>> {
  await assertUser(scope, 'userId', input.userId);
  const limit = pageSize(input.limit);
  const list = `sessions:${input.userId ?? ''}`;
  const after = datePosition(decodePosition(list, input.cursor));
  const filter = { userId: input.userId ?? undefined, activeAt: services.clock() };
  const [found, total] = await Promise.all([
    listSessions(scope, filter, { descending: true, limit: limit + 1, after }),
    input.total ? countSessions(scope, filter) : null,
  ]);
  return { ...page(found, limit, ({ createdAt, _id }) => [createdAt.getTime(), _id], list), total };
}

/** Returns a session that has not expired, or null. */
export async function readSession(
  { scope, services }: Pick<Context, 'scope' | 'services'>,
  { id }: { id: string },
): Promise<SessionRecord | null> {
  const session = await find(scope, 'sessions', id);
  return session && session.expiresAt > services.clock() ? session : null;
}
