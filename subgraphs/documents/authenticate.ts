import { lesserRole } from '../core/domain/permissions.ts';
import { tokenMatches, tokenPrefix } from '../core/domain/token.ts';
import { find } from '../core/store/records.ts';
import { isGood, noteUse, tokenByPrefix } from '../core/store/tokens.ts';
import type { Actor, Services } from '../core/work.ts';
import { asRefusal } from '../core/work.ts';
import { type IdentityProvider, looksLikeJwt } from './oidc.ts';
import { oidcUser } from './oidc-user.ts';

/**
 * What came of a sign-in. `wrong`: a credential that was never one of ours, perhaps a guess. `ended`: one that was genuine, and is expired,
 * revoked, meant for another service, or its user disabled. Strangers are told the same about both.
 */
export type SignIn = { actor: Actor } | { refused: 'missing' | 'wrong' | 'ended' };

const HOUR = 3_600_000;

/** Finds out whose credential an Authorization header holds: a token of this service, or one of the identity provider. */
export async function authenticate(services: Services, authorization: string | undefined, provider: IdentityProvider | null = null): Promise<SignIn> {
  const credential = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!credential) return { refused: 'missing' };
  try {
    return await (provider && looksLikeJwt(credential) ? ofProvider(services, provider, credential) : ofToken(services, credential));
  } catch (error) {
    throw asRefusal(error);
  }
}

async function ofToken(services: Services, token: string): Promise<SignIn> {
  const scope = { db: services.mongo.db };
  const now = services.clock();
  const prefix = tokenPrefix(token);
  const record = prefix ? await tokenByPrefix(scope, prefix) : null;
  if (!tokenMatches(token, record?.sha256) || !record) return { refused: 'wrong' };

  const user = await find(scope, 'users', record.userId);
  const role = user && lesserRole(record.role, user.role);
  if (!role || user.disabled || !isGood(record, now)) return { refused: 'ended' };
  if (!record.lastUsedAt || now.getTime() - record.lastUsedAt.getTime() > HOUR) await noteUse(scope, record._id, now);
  return { actor: { id: user._id, name: user.name, role, tokenId: record._id, via: 'token' } };
}

async function ofProvider(services: Services, provider: IdentityProvider, credential: string): Promise<SignIn> {
  const identity = await provider.verify(credential);
  if (typeof identity === 'string') return { refused: identity };

  const user = await oidcUser(services, identity, provider.autocreate);
  if (!user || user.disabled) return { refused: 'ended' };
  return { actor: { id: user._id, name: user.name, role: identity.role ?? user.role, tokenId: null, via: 'oidc' } };
}
