// Ends browser sessions.
import { hashSessionSecret } from '../../core/domain/access/session.ts';
import { get, remove } from '../../core/store/query/records.ts';
import type { SessionRecord } from '../../core/store/schema/collections.ts';
import { sessionByHash } from '../../core/store/sessions.ts';
import type { Work } from '../../core/work.ts';
import { invalidateCredentials } from './credential-cache.ts';

/**
 * Ends the session with this secret, immediately in this process and within 5 seconds in others. Does nothing if it has
 * ended.
 */
export async function endSession(work: Work, { secret }: { secret: string }): Promise<void> {
  const sha256 = hashSessionSecret(secret);
  const session = sha256 ? await sessionByHash(work, sha256) : null;
  if (session) await removeSession(work, session);
  else work.unchanged();
}

/** Ends the session with this id, like `endSession`. Throws `not_found`. */
export async function revokeSession(work: Work, { id }: { id: string }): Promise<boolean> {
  await removeSession(work, await get(work, 'sessions', id));
  return true;
}

async function removeSession(work: Work, { _id: id, userId, tokenId }: SessionRecord): Promise<void> {
  await remove(work, 'sessions', id);
  work.audit({
    action: 'session.ended',
    summary: 'A browser session was ended.',
    changes: { session: { from: { id, userId, tokenId }, to: null } },
  });
  work.afterCommit(() => invalidateCredentials(work.services));
}
