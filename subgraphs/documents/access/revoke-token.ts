import { isRoleWithin } from '../../core/domain/access/permissions.ts';
import { notFound, refuse } from '../../core/domain/errors.ts';
import { change, find } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';
import { canManageTokensOf } from './list-tokens.ts';
import { invalidateCredentials } from './credential-cache.ts';

/**
 * Ends a token: at once in this process, within 5 seconds in others. Somebody else's is as good as none (`not_found`), unless an
 * administrator asks; one that may do more than the token it is ended with is refused (`forbidden`), so that a lesser token in wrong hands
 * shuts nobody out. A token that was revoked already stays as it is.
 */
export async function revokeToken(work: Work, { id }: { id: string }): Promise<boolean> {
  const token = await find(work, 'tokens', id);

  if (!token || !canManageTokensOf(work.actor, token.userId)) throw notFound('token', id);
  const { role } = work.actor;
  if (role !== 'system' && !isRoleWithin(token.role, role))
    refuse('forbidden', `A token with the role ${role} cannot end one with the role ${token.role}.`);
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
