import type { TokenRecord } from './collections.ts';
import { collection, type Scope, within } from './scope.ts';

/** The token whose first 8 characters are these, or null. */
export function tokenByPrefix(scope: Scope, prefix: string): Promise<TokenRecord | null> {
  return collection(scope, 'tokens').findOne({ prefix: { $eq: prefix } }, within(scope));
}

/** Notes the use of a token; not a write in the sense of the audit log. */
export async function noteUse(scope: Scope, id: string, at: Date): Promise<void> {
  await collection(scope, 'tokens').updateOne({ _id: { $eq: id } }, { $set: { lastUsedAt: at } }, within(scope));
}

/** Ends every token of this name and user that is still good, e.g. those of the scheduler's earlier starts. */
export async function revokeNamed(scope: Scope, userId: string, name: string, at: Date): Promise<number> {
  const { modifiedCount } = await collection(scope, 'tokens').updateMany(
    { userId, name, revokedAt: null },
    { $set: { revokedAt: at } },
    within(scope),
  );
  return modifiedCount;
}
