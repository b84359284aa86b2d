import { collection, type Scope, within } from './query/scope.ts';
import type { SessionRecord } from './schema/collections.ts';

/** Returns the session whose secret has this hash, or null. */
export function sessionByHash(scope: Scope, sha256: string): Promise<SessionRecord | null> {
  return collection(scope, 'sessions').findOne({ sha256: { $eq: sha256 } }, within(scope));
}
