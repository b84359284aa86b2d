import type { Actor } from '../../core/domain/access/actor.ts';
import type { Role } from '../../core/domain/access/permissions.ts';
import { generateToken, tokenExpiry, hashToken, tokenPrefix } from '../../core/domain/access/token.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { insert } from '../../core/store/query/records.ts';
import type { TokenRecord } from '../../core/store/schema/collections.ts';
import { revokeTokensNamed, tokenByPrefix } from '../../core/store/tokens.ts';
import { ensureUser, hasNoUsers } from '../../core/store/users.ts';
import type { Services, Work } from '../../core/work.ts';
import { inTransaction } from '../../core/work.ts';
import { insertUser } from './create-user.ts';

/** The service itself, as an actor. */
export const SERVICE_ACTOR: Actor = { id: 'system', name: 'the service', role: 'system', tokenId: null, via: 'system' };

const ENGINE_USER = 'usr_built_in_engine';

/**
 * At the first start: makes the administrator and a token that never expires (the given one, or a random one). Null when there is
 * a user already. The token is told here and never again.
 */
export function createAdministrator(services: Services, given: string | null): Promise<string | null> {
  return inTransaction(services, serviceRequest('first-start'), createAdministratorOnce, given);
}

/** A fresh token for the scheduler that this process starts; the one of the last start ends. */
export function issueEngineToken(services: Services): Promise<string> {
  return inTransaction(services, serviceRequest('start'), renewEngineToken, undefined);
}

/** Makes a token that the settings give to schedulers of their own good, unless it is already. */
export function acceptEngineToken(services: Services, token: string): Promise<void> {
  return inTransaction(services, serviceRequest('start'), acceptToken, token);
}

/** A user of this role with a token that ends after `days` (null: never). The token is told here and never again. */
export function issueTokenTo(
  services: Services,
  given: { role: Role; name: string; days: number | null },
): Promise<string> {
  return inTransaction(services, serviceRequest('operator'), createUserWithToken, given);
}

type TokenFields = Pick<TokenRecord, 'userId' | 'role' | 'name' | 'expiresAt'>;

/** Stores a token and records that; answers with the record and the token itself, which is kept nowhere. */
export async function issueToken(
  work: Work,
  { token, ...issued }: TokenFields & { token: string },
): Promise<TokenRecord & { token: string }> {
  const { role, userId } = issued;
  const prefix = tokenPrefix(token) ?? '';
  const record: TokenRecord = {
    _id: work.newId('tok'),
    prefix,
    sha256: hashToken(token),
    ...issued,
    createdAt: work.now,
    lastUsedAt: null,
    revokedAt: null,
  };
  await insert(work, 'tokens', record);
  work.audit({
    action: 'token.created',
    summary: `Token ${prefix} with the role ${role} was issued.`,
    changes: {
      token: {
        from: null,
        to: { id: record._id, prefix, role, userId, expiresAt: issued.expiresAt?.toISOString() ?? null },
      },
    },
  });
  return { ...record, token };
}

async function createUserWithToken(
  work: Work,
  { role, name, days }: { role: Role; name: string; days: number | null },
): Promise<string> {
  const user = await insertUser(work, { name: validateName(name), role, oidc: null });
  const { token } = await issueToken(work, {
    userId: user._id,
    role,
    name,
    token: generateToken(),
    expiresAt: tokenExpiry(role, days, work.now),
  });
  return token;
}

async function createAdministratorOnce(work: Work, given: string | null): Promise<string | null> {
  if (!(await hasNoUsers(work))) {
    work.unchanged();
    return null;
  }
  const { _id: userId, role } = await insertUser(work, { name: 'Administrator', role: 'admin', oidc: null });
  const { token } = await issueToken(work, {
    userId,
    role,
    name: 'first token',
    token: given ?? generateToken(),
    expiresAt: null,
  });
  return token;
}

async function acceptToken(work: Work, token: string): Promise<void> {
  if (await tokenByPrefix(work, tokenPrefix(token) ?? '')) {
    work.unchanged();
    return;
  }
  await ensureEngineUser(work);
  await issueToken(work, { userId: ENGINE_USER, role: 'worker', name: 'schedulers', token, expiresAt: null });
}

async function ensureEngineUser(work: Work): Promise<void> {
  await ensureUser(work, {
    _id: ENGINE_USER,
    name: 'Built-in engine',
    role: 'worker',
    disabled: false,
    oidc: null,
    createdAt: work.now,
  });
}

async function renewEngineToken(work: Work): Promise<string> {
  await ensureEngineUser(work);
  if (await revokeTokensNamed(work, ENGINE_USER, 'scheduler', work.now))
    work.audit({
      action: 'token.revoked',
      summary: 'The token that the built-in engine had since the last start was revoked.',
    });
  const { token } = await issueToken(work, {
    userId: ENGINE_USER,
    role: 'worker',
    name: 'scheduler',
    token: generateToken(),
    expiresAt: null,
  });
  return token;
}

/** What the service does by itself, as a request. */
export function serviceRequest(requestId: string) {
  return { actor: SERVICE_ACTOR, requestId };
}
