import type { UserRecord } from './collections.ts';
import { find } from './records.ts';
import { collection, type Scope, within } from './scope.ts';

/** Whether the service has no person yet: its first start. */
export async function noUsers(scope: Scope): Promise<boolean> {
  return (await collection(scope, 'users').findOne({ role: { $ne: 'worker' } }, { projection: { _id: 1 }, ...within(scope) })) === null;
}

/** The user with the name it has now, as records name people. */
export async function namedUser(scope: Scope, id: string): Promise<{ id: string; name: string }> {
  return { id, name: (await find(scope, 'users', id))?.name ?? 'unknown' };
}

/** Makes the user unless there is one with this id. */
export async function ensureUser(scope: Scope, { _id, ...user }: UserRecord): Promise<void> {
  await collection(scope, 'users').updateOne({ _id: { $eq: _id } }, { $setOnInsert: user }, { upsert: true, ...within(scope) });
}

/** A page of the users, oldest first; `after` is the place of the last one already seen. */
export function listUsers(scope: Scope, { limit, after }: { limit: number; after?: { createdAt: Date; id: string } }): Promise<UserRecord[]> {
  const later = after && { $or: [{ createdAt: { $gt: after.createdAt } }, { createdAt: after.createdAt, _id: { $gt: after.id } }] };
  return collection(scope, 'users')
    .find({ ...later }, within(scope))
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .toArray();
}

/** Whether there is an administrator beside this user who can sign in. */
export async function hasOtherAdministrator(scope: Scope, userId: string): Promise<boolean> {
  const other = { role: 'admin', disabled: { $ne: true }, _id: { $ne: userId } } as const;
  return (await collection(scope, 'users').findOne(other, { projection: { _id: 1 }, ...within(scope) })) !== null;
}
