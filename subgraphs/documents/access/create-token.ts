// Creates access tokens for users.
import { isRoleWithin, type Role } from '../../core/domain/access/permissions.ts';
import { generateToken, tokenExpiry } from '../../core/domain/access/token.ts';
import { refuse } from '../../core/domain/errors.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { get } from '../../core/store/query/records.ts';
import type { TokenRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { issueToken } from './issue-token.ts';

type Input = { name: string; userId?: string | null; role?: Role | null; expiresInDays?: number | null };

/**
 * Creates a token for a user (default: the caller) with the user's role or a lesser one. The result contains the token,
 * which is never returned again. Throws `validation_failed` for a role beyond the user's, a disabled user, or an
 * invalid expiry.
 */
export async function createToken(
  work: Work,
  { name, userId, role: requestedRole, expiresInDays }: Input,
): Promise<TokenRecord & { token: string }> {
  const user = await get(work, 'users', userId ?? work.actor.id);

  const role = requestedRole ?? user.role;
  if (user.disabled) rejectInput('/userId', `User ${user._id} is disabled.`);
  if (!isRoleWithin(role, user.role))
    rejectInput('/role', `A user with the role ${user.role} cannot have a token with the role ${role}.`);
  const expiresAt = tokenExpiry(role, expiresInDays, work.now);

  work.neverReplay();
  return issueToken(work, { userId: user._id, role, name: validateName(name), token: generateToken(), expiresAt });
}

function rejectInput(path: string, message: string): never {
  return refuse('validation_failed', message, { errors: [{ path, message }] });
}
