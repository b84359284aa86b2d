import { allOf, beyond, inOrder, type Window } from './query/ordered.ts';
import { find } from './query/records.ts';
import { collection, countOf, type Scope, within } from './query/scope.ts';
import type { UserRecord } from './schema/collections.ts';

/** Whether the service has no person yet: its first start. */
export async function noUsers(scope: Scope): Promise<boolean> {
  return (
    (await collection(scope, 'users').findOne(
      { role: { $ne: 'worker' } },
      { projection: { _id: 1 }, ...within(scope) },
    )) === null
  );
}

/** The user with the name it has now, as records name people. */
export async function namedUser(scope: Scope, id: string): Promise<{ id: string; name: string }> {
  return { id, name: (await find(scope, 'users', id))?.name ?? 'unknown' };
}

/** Makes the user unless there is one with this id. */
export async function ensureUser(scope: Scope, { _id, ...user }: UserRecord): Promise<void> {
  await collection(scope, 'users').updateOne(
    { _id: { $eq: _id } },
    { $setOnInsert: user },
    { upsert: true, ...within(scope) },
  );
}

export type UserSort = 'name' | 'createdAt';

/** A part of the list of users. */
export function listUsers(scope: Scope, { sort, ...window }: Window & { sort: UserSort }): Promise<UserRecord[]> {
  return collection(scope, 'users')
    .find(allOf(beyond<UserRecord>(sort, window)), within(scope))
    .sort(inOrder(sort, window))
    .limit(window.limit)
    .toArray();
}

export function countUsers(scope: Scope): Promise<number> {
  return countOf(scope, 'users', {});
}

/** Whether there is an administrator beside this user who can sign in. */
export async function hasOtherAdministrator(scope: Scope, userId: string): Promise<boolean> {
  const other = { role: 'admin', disabled: { $ne: true }, _id: { $ne: userId } } as const;
  return (await collection(scope, 'users').findOne(other, { projection: { _id: 1 }, ...within(scope) })) !== null;
}
