import { hashSessionSecret } from '../../core/domain/access/session.ts';
import { remove } from '../../core/store/query/records.ts';
import { sessionByHash } from '../../core/store/sessions.ts';
import type { Work } from '../../core/work.ts';
import { invalidateCredentials } from './credential-cache.ts';

/** Ends the session with this secret: at once in this process, within 5 seconds in others. One that has ended already stays so. */
export async function endSession(work: Work, { secret }: { secret: string }): Promise<void> {
  const sha256 = hashSessionSecret(secret);
  const session = sha256 ? await sessionByHash(work, sha256) : null;
  if (!session) {
    work.unchanged();
    return;
  }
  await remove(work, 'sessions', session._id);
  const { _id: id, userId, tokenId } = session;
  work.audit({
    action: 'session.ended',
    summary: 'Somebody signed out of a browser.',
    changes: { session: { from: { id, userId, tokenId }, to: null } },
  });
  work.afterCommit(() => invalidateCredentials(work.services));
}
