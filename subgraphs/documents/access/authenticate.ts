// Authenticates bearer tokens and browser sessions.
import type { Actor } from '../../core/domain/access/actor.ts';
import { lesserRole, type Role } from '../../core/domain/access/permissions.ts';
import { hashSessionSecret } from '../../core/domain/access/session.ts';
import { tokenMatches, tokenPrefix } from '../../core/domain/access/token.ts';
import { DomainError } from '../../core/domain/errors.ts';
import { find } from '../../core/store/query/records.ts';
import type { TokenRecord } from '../../core/store/schema/collections.ts';
import { sessionByHash } from '../../core/store/sessions.ts';
import { isActive, recordTokenUse, tokenByPrefix } from '../../core/store/tokens.ts';
import type { Services } from '../../core/work.ts';
import { toDomainError } from '../../core/work.ts';
import { findOrCreateOidcUser } from './find-or-create-oidc-user.ts';
import { type IdentityProvider, looksLikeJwt } from './oidc.ts';

/**
 * The user of a valid credential. `expiresAt` is null if the credential never expires; `providerRole` is the role
 * claimed by an identity provider, or null; `setupRequired`: the credential is the token of the first start.
 */
export type Authenticated = {
  actor: Actor;
  expiresAt: Date | null;
  providerRole: Role | null;
  setupRequired?: boolean;
};

/**
 * The user, or why authentication failed. `missing`: there is no credential. `invalid`: the credential was never issued,
 * so it may be a guess. `inactive`: it is genuine, but expired, revoked, for another service or not verifiable now, or
 * its user is disabled. Clients get the same error for `invalid` and `inactive`.
 */
export type AuthenticationResult = Authenticated | { refused: 'missing' | 'invalid' | 'inactive' };

const HOUR = 3_600_000;

/** Authenticates an Authorization header that contains a token of this service or of the identity provider. */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
  provider: IdentityProvider | null = null,
): Promise<AuthenticationResult> {
  const credential = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!credential) return { refused: 'missing' };
  try {
    return await (provider && looksLikeJwt(credential)
      ? authenticateOidc(services, provider, credential)
      : authenticateToken(services, credential));
  } catch (error) {
    throw toDomainError(error);
  }
}

/**
 * Authenticates the secret of a browser session. A session ends with the token that started it. An unknown secret is
 * `inactive`, never `invalid`: secrets are too long to guess.
 */
export async function authenticateSession(services: Services, secret: string): Promise<AuthenticationResult> {
  const sha256 = hashSessionSecret(secret);
  if (!sha256) return { refused: 'inactive' };
  try {
    return await findSessionHolder(services, sha256);
  } catch (error) {
    throw toDomainError(error);
  }
}

async function authenticateToken(services: Services, token: string): Promise<AuthenticationResult> {
  const scope = { db: services.mongo.db };
  const prefix = tokenPrefix(token);
  const record = prefix ? await tokenByPrefix(scope, prefix) : null;
  if (!tokenMatches(token, record?.sha256) || !record) return { refused: 'invalid' };

  return findTokenHolder(services, record, services.clock(), 'token');
}

async function findSessionHolder(services: Services, sha256: string): Promise<AuthenticationResult> {
  const scope = { db: services.mongo.db };
  const now = services.clock();
  const session = await sessionByHash(scope, sha256);
  if (!session || session.expiresAt <= now) return { refused: 'inactive' };
  const { userId, tokenId, role: providerRole, expiresAt } = session;
  if (tokenId !== null) {
    const token = await find(scope, 'tokens', tokenId);
    const holder: AuthenticationResult = token
      ? await findTokenHolder(services, token, now, 'session')
      : { refused: 'inactive' };
    return 'actor' in holder ? { ...holder, expiresAt } : holder;
  }

  const user = await find(scope, 'users', userId);
  if (!user || user.disabled) return { refused: 'inactive' };
  return {
    actor: { id: user._id, name: user.name, role: providerRole ?? user.role, tokenId: null, via: 'session' },
    expiresAt,
    providerRole,
  };
}

async function findTokenHolder(
  services: Services,
  token: TokenRecord,
  now: Date,
  via: Actor['via'],
): Promise<AuthenticationResult> {
  const user = await find({ db: services.mongo.db }, 'users', token.userId);
  const role = user && lesserRole(token.role, user.role);
  if (!role || user.disabled || !isActive(token, now)) return { refused: 'inactive' };
  if (!token.lastUsedAt || now.getTime() - token.lastUsedAt.getTime() > HOUR)
    await tryRecordTokenUse(services, token._id, now);
  return {
    actor: { id: user._id, name: user.name, role, tokenId: token._id, via },
    expiresAt: token.expiresAt,
    providerRole: null,
    ...(token.firstStart ? { setupRequired: true } : {}),
  };
}

// A full disk must not prevent reads, so a failure to store the time of use is only logged.
async function tryRecordTokenUse(services: Services, tokenId: string, now: Date): Promise<void> {
  try {
    await recordTokenUse({ db: services.mongo.db }, tokenId, now);
  } catch (error) {
    const domainError = toDomainError(error);
    if (!(domainError instanceof DomainError && domainError.code === 'storage_full')) throw error;
    services.log.warn({ err: error, tokenId }, 'could not record the last use of a token, because the disk is full');
  }
}

async function authenticateOidc(
  services: Services,
  provider: IdentityProvider,
  credential: string,
): Promise<AuthenticationResult> {
  const identity = await provider.verify(credential);
  if (typeof identity === 'string') return { refused: identity };

  const user = await findOrCreateOidcUser(services, identity, provider.autocreate);
  if (!user || user.disabled) return { refused: 'inactive' };
  const { role: providerRole, expiresAt } = identity;
  return {
    actor: { id: user._id, name: user.name, role: providerRole ?? user.role, tokenId: null, via: 'oidc' },
    expiresAt,
    providerRole,
  };
}
