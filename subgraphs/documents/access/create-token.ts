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
 * Makes a token for a user (the one who asks, if none is named), with the user's role or a lesser one. The answer holds the token itself,
 * which is told here and never again. Refuses a role beyond the user's and a disabled user.
 */
export async function createToken(
  work: Work,
  { name, userId, role: asked, expiresInDays }: Input,
): Promise<TokenRecord & { token: string }> {
  const user = await get(work, 'users', userId ?? work.actor.id);

  const role = asked ?? user.role;
  if (user.disabled) fault('/userId', `User ${user._id} is disabled.`);
  if (!isRoleWithin(role, user.role))
    fault('/role', `A user with the role ${user.role} cannot have a token with the role ${role}.`);
  const expiresAt = tokenExpiry(role, expiresInDays, work.now);

  work.neverReplay();
  return issueToken(work, { userId: user._id, role, name: validateName(name), token: generateToken(), expiresAt });
}

function fault(path: string, message: string): never {
  return refuse('validation_failed', message, { errors: [{ path, message }] });
}
