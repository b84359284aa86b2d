// Completes the first start: names the first administrator and replaces the first token with a personal one.
import { rmSync } from 'node:fs';
import { generateToken, tokenExpiry } from '../../core/domain/access/token.ts';
import { refuse } from '../../core/domain/errors.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { find } from '../../core/store/query/records.ts';
import type { TokenRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { issueToken } from './issue-token.ts';
import { revokeToken } from './revoke-token.ts';
import { updateUser } from './update-user.ts';

/**
 * Gives the first administrator a name and a token that expires after 90 days, revokes the token of the first start and
 * deletes its file. The result contains the new token, which is never returned again. Throws `forbidden` unless the
 * caller signed in with the token of the first start.
 */
export async function completeSetup(work: Work, { name }: { name: string }): Promise<TokenRecord & { token: string }> {
  const { id: userId, tokenId } = work.actor;
  const first = tokenId === null ? null : await find(work, 'tokens', tokenId);
  // Of concurrent set-ups, all but one read here, in their next run, that the token was revoked.
  if (!first?.firstStart || first.revokedAt)
    refuse('forbidden', 'Only the token of the first start can set up the first administrator. Use POST /users.');

  const { role } = await updateUser(work, { id: userId, name: validateName(name) });
  await revokeToken(work, { id: first._id });
  const expiresAt = tokenExpiry(role, undefined, work.now);
  work.neverReplay();
  work.afterCommit(() => rmSync(work.services.firstTokenFile, { force: true }));
  return issueToken(work, { userId, role, name: 'set-up', token: generateToken(), expiresAt });
}
