// Queries on users.
import { refuseField } from '../domain/errors.ts';
import { allOf, type PageRequest, sortOrder, startAfter } from './query/page-request.ts';
import { find, logChange } from './query/records.ts';
import { collection, countRecords, type Scope, within } from './query/scope.ts';
import type { UserRecord } from './schema/collections.ts';

/** Returns whether the service has no users except workers, as on its first start. */
export async function hasNoUsers(scope: Scope): Promise<boolean> {
  return (
    (await collection(scope, 'users').findOne(
      { role: { $ne: 'worker' } },
      { projection: { _id: 1 }, ...within(scope) },
    )) === null
  );
}

/** Returns the id and the current name of a user; the name is `unknown` if the user does not exist. */
export async function namedUser(scope: Scope, id: string): Promise<{ id: string; name: string }> {
  return { id, name: userName(await find(scope, 'users', id)) };
}

/** Throws `validation_failed` for a filter unless it is absent or the id of a user. */
export async function assertUser(scope: Scope, field: string, id: string | null | undefined): Promise<void> {
  if (id != null && !(await find(scope, 'users', id))) refuseField(field, 'must be the id of a user');
}

/** Returns the name of a user or of the service itself (`via` is `system`); `unknown` if the user does not exist. */
export function userName(user: { name: string } | null | undefined, via?: string): string {
  return user?.name ?? (via === 'system' ? 'the service' : 'unknown');
}

/** Creates the user unless one with this id exists. */
export async function ensureUser(scope: Scope, { _id, ...user }: UserRecord): Promise<void> {
  const { upsertedCount } = await collection(scope, 'users').updateOne(
    { _id: { $eq: _id } },
    { $setOnInsert: user },
    { upsert: true, ...within(scope) },
  );
  if (upsertedCount) logChange(scope, 'users', { _id, ...user });
}

export type UserSort = 'name' | 'createdAt';

/** Returns a page of the list of users. */
export function listUsers(scope: Scope, { sort, ...window }: PageRequest & { sort: UserSort }): Promise<UserRecord[]> {
  return collection(scope, 'users')
    .find(allOf(startAfter<UserRecord>(sort, window)), within(scope))
    .sort(sortOrder(sort, window))
    .limit(window.limit)
    .toArray();
}

export function countUsers(scope: Scope): Promise<number> {
  return countRecords(scope, 'users', {});
}

/** Returns whether another administrator exists who is not disabled. */
export async function hasOtherAdministrator(scope: Scope, userId: string): Promise<boolean> {
  const other = { role: 'admin', disabled: { $ne: true }, _id: { $ne: userId } } as const;
  return (await collection(scope, 'users').findOne(other, { projection: { _id: 1 }, ...within(scope) })) !== null;
}
