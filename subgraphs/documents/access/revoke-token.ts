// Revokes tokens.
import { isRoleWithin } from '../../core/domain/access/permissions.ts';
import { notFound, refuse } from '../../core/domain/errors.ts';
import { change, find } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';
import { invalidateCredentials } from './credential-cache.ts';
import { canManageTokensOf } from './list-tokens.ts';

/**
 * Revokes a token, immediately in this process and within 5 seconds in others. Does nothing if it is already revoked.
 * Throws `not_found` for tokens of other users, unless the caller is an administrator, and `forbidden` if the token has
 * a higher role than the caller, so that a stolen token of a lesser role cannot lock out others.
 */
export async function revokeToken(work: Work, { id }: { id: string }): Promise<boolean> {
  const token = await find(work, 'tokens', id);

  if (!token || !canManageTokensOf(work.actor, token.userId)) throw notFound('token', id);
  const { role } = work.actor;
  if (role !== 'system' && !isRoleWithin(token.role, role))
    refuse('forbidden', `A caller with the role ${role} cannot revoke a token with the role ${token.role}.`);
  if (token.revokedAt) {
    work.unchanged();
    return true;
  }

  await change(work, 'tokens', id, { revokedAt: work.now });
  work.audit({
    action: 'token.revoked',
    summary: `Token ${token.prefix} was revoked.`,
    changes: { token: { from: { id, prefix: token.prefix, role: token.role, userId: token.userId }, to: null } },
  });
  work.afterCommit(() => invalidateCredentials(work.services));
  return true;
}
