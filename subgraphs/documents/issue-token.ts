import type { Role } from '../core/domain/permissions.ts';
import { newToken, tokenHash, tokenPrefix } from '../core/domain/token.ts';
import { insert } from '../core/store/records.ts';
import { revokeNamed } from '../core/store/tokens.ts';
import { ensureUser, noUsers } from '../core/store/users.ts';
import type { Actor, Services, Work } from '../core/work.ts';
import { inTransaction } from '../core/work.ts';

/** The service itself, as an actor. */
export const SERVICE: Actor = { id: 'system', name: 'the service', role: 'system', tokenId: null, via: 'system' };

const ENGINE_USER = 'usr_built_in_engine';

/**
 * At the first start: makes the administrator and a token that never expires (the given one, or a random one). Null when there is
 * a user already. The token is told here and never again.
 */
export function firstStart(services: Services, given: string | null): Promise<string | null> {
  return inTransaction(services, asService('first-start'), makeAdministrator, given);
}

/** A fresh token for the scheduler that this process starts; the one of the last start ends. */
export function issueEngineToken(services: Services): Promise<string> {
  return inTransaction(services, asService('start'), renewEngineToken, undefined);
}

async function makeAdministrator(work: Work, given: string | null): Promise<string | null> {
  if (!(await noUsers(work))) {
    work.unchanged();
    return null;
  }
  const userId = work.newId('usr');
  await insert(work, 'users', { _id: userId, name: 'Administrator', role: 'admin', createdAt: work.now });
  work.audit({ action: 'user.created', summary: 'The first administrator was made.', changes: { user: { from: null, to: userId } } });
  return issueToken(work, { userId, role: 'admin', name: 'first token', token: given ?? newToken() });
}

async function renewEngineToken(work: Work): Promise<string> {
  await ensureUser(work, { _id: ENGINE_USER, name: 'Built-in engine', role: 'worker', createdAt: work.now });
  await revokeNamed(work, ENGINE_USER, 'scheduler', work.now);
  return issueToken(work, { userId: ENGINE_USER, role: 'worker', name: 'scheduler', token: newToken() });
}

async function issueToken(work: Work, { userId, role, name, token }: { userId: string; role: Role; name: string; token: string }): Promise<string> {
  const prefix = tokenPrefix(token) ?? '';
  const _id = work.newId('tok');
  await insert(work, 'tokens', {
    _id,
    prefix,
    sha256: tokenHash(token),
    userId,
    role,
    name,
    createdAt: work.now,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  });
  work.audit({
    action: 'token.created',
    summary: `Token ${prefix} "${name}" with the role ${role} was issued.`,
    changes: { token: { from: null, to: { id: _id, prefix, role, userId } } },
  });
  return token;
}

function asService(requestId: string) {
  return { actor: SERVICE, requestId };
}
