import type { Role } from '../core/domain/permissions.ts';
import { checkedName } from '../core/domain/text.ts';
import { newToken, tokenHash, tokenPrefix } from '../core/domain/token.ts';
import type { TokenRecord } from '../core/store/collections.ts';
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

/** A user of this role with a token that ends after `days` (null: never). The token is told here and never again. */
export function issueTokenTo(services: Services, given: { role: Role; name: string; days: number | null }): Promise<string> {
  return inTransaction(services, asService('operator'), makeUserWithToken, given);
}

async function makeUserWithToken(work: Work, { role, name, days }: { role: Role; name: string; days: number | null }): Promise<string> {
  const userId = work.newId('usr');
  await insert(work, 'users', { _id: userId, name: checkedName(name), role, createdAt: work.now });
  work.audit({ action: 'user.created', summary: `A user with the role ${role} was made.`, changes: { user: { from: null, to: userId } } });
  const expiresAt = days === null ? null : new Date(work.now.getTime() + days * DAY);
  return issueToken(work, { userId, role, name, token: newToken(), expiresAt });
}

const DAY = 86_400_000;

async function makeAdministrator(work: Work, given: string | null): Promise<string | null> {
  if (!(await noUsers(work))) {
    work.unchanged();
    return null;
  }
  const userId = work.newId('usr');
  await insert(work, 'users', { _id: userId, name: 'Administrator', role: 'admin', createdAt: work.now });
  work.audit({ action: 'user.created', summary: 'The first administrator was made.', changes: { user: { from: null, to: userId } } });
  return issueToken(work, { userId, role: 'admin', name: 'first token', token: given ?? newToken(), expiresAt: null });
}

async function renewEngineToken(work: Work): Promise<string> {
  await ensureUser(work, { _id: ENGINE_USER, name: 'Built-in engine', role: 'worker', createdAt: work.now });
  await revokeNamed(work, ENGINE_USER, 'scheduler', work.now);
  return issueToken(work, { userId: ENGINE_USER, role: 'worker', name: 'scheduler', token: newToken(), expiresAt: null });
}

type Issued = Pick<TokenRecord, 'userId' | 'role' | 'name' | 'expiresAt'> & { token: string };

async function issueToken(work: Work, { token, ...issued }: Issued): Promise<string> {
  const { role, name, userId } = issued;
  const prefix = tokenPrefix(token) ?? '';
  const _id = work.newId('tok');
  await insert(work, 'tokens', {
    _id,
    prefix,
    sha256: tokenHash(token),
    ...issued,
    createdAt: work.now,
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
