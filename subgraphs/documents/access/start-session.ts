import { sessionExpiry, hashSessionSecret } from '../../core/domain/access/session.ts';
import { refuse } from '../../core/domain/errors.ts';
import { insert } from '../../core/store/query/records.ts';
import type { SessionRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import type { Authenticated } from './authenticate.ts';
import { endSession } from './end-session.ts';

type Input = Pick<Authenticated, 'expiresAt' | 'providerRole'> & { secret: string; previousSecret: string | null };

/**
 * Signs the one who asks in from a browser, under a secret that only the browser keeps: for 12 hours, and no longer than what he signed in with is
 * good. The session that the browser had before (`earlier`: its secret) ends.
 */
export async function startSession(
  work: Work,
  { secret, previousSecret: earlier, expiresAt, providerRole }: Input,
): Promise<SessionRecord> {
  const sha256 = hashSessionSecret(secret);
  if (!sha256) throw new Error('The secret of a session is not one that newSessionSecret made');
  const { id: userId, tokenId } = work.actor;
  const record: SessionRecord = {
    _id: work.newId('ses'),
    sha256,
    userId,
    tokenId,
    role: providerRole,
    createdAt: work.now,
    expiresAt: sessionExpiry(work.now, expiresAt),
  };
  if (record.expiresAt <= work.now) refuse('unauthenticated', 'The token expires at this moment. Take a fresh one.');

  if (earlier) await endSession(work, { secret: earlier });
  await insert(work, 'sessions', record);
  work.audit({
    action: 'session.started',
    summary: 'Somebody signed in from a browser.',
    changes: {
      session: { from: null, to: { id: record._id, userId, tokenId, expiresAt: record.expiresAt.toISOString() } },
    },
  });
  return record;
}
