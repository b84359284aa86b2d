// Issues tokens: for new users, for the built-in scheduler and for external schedulers.
import type { Actor } from '../../core/domain/access/actor.ts';
import type { Role } from '../../core/domain/access/permissions.ts';
import { generateToken, hashToken, tokenExpiry, tokenPrefix } from '../../core/domain/access/token.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { insert } from '../../core/store/query/records.ts';
import type { TokenRecord } from '../../core/store/schema/collections.ts';
import { revokeTokensNamed, tokenByPrefix } from '../../core/store/tokens.ts';
import { ensureUser, hasNoUsers } from '../../core/store/users.ts';
import type { Services, Work } from '../../core/work.ts';
import { inTransaction } from '../../core/work.ts';
import { insertUser } from './create-user.ts';

/** The actor of changes that the service makes by itself. */
export const SERVICE_ACTOR: Actor = { id: 'system', name: 'the service', role: 'system', tokenId: null, via: 'system' };

// The user of all schedulers.
const ENGINE_USER = 'usr_built_in_engine';
// Each start revokes the built-in scheduler's token by its name, so the token of external schedulers has another name.
const BUILT_IN_SCHEDULER_TOKEN = 'scheduler';
const EXTERNAL_SCHEDULERS_TOKEN = 'schedulers';
const FIRST_TOKEN_DAYS = 7;

/** Returns whether the service manages this user itself, so that administrators cannot change it. */
export function isSystemUser(id: string): boolean {
  return id === ENGINE_USER;
}

/**
 * Creates the administrator with a token that expires after 7 days: the given one, or a random one if null. Returns the
 * token, of which only the hash is stored; null if there are users already.
 */
export function createAdministrator(services: Services, token: string | null): Promise<string | null> {
  return inTransaction(services, serviceRequest('first-start'), createAdministratorOnce, token);
}

/** Issues a token for the scheduler that this process starts, and revokes the token of the previous start. */
export function issueSchedulerToken(services: Services): Promise<string> {
  return inTransaction(services, serviceRequest('start'), renewSchedulerToken, undefined);
}

/** Registers the token configured for external schedulers, unless it is already registered. */
export function registerWorkerToken(services: Services, token: string): Promise<void> {
  return inTransaction(services, serviceRequest('start'), registerTokenOnce, token);
}

/**
 * Creates a user and a token that expires after `days` (null: never). Returns the token, of which only the hash is
 * stored.
 */
export function issueTokenTo(
  services: Services,
  user: { role: Role; name: string; days: number | null },
): Promise<string> {
  return inTransaction(services, serviceRequest('operator'), createUserWithToken, user);
}

type TokenFields = Pick<TokenRecord, 'userId' | 'role' | 'name' | 'expiresAt' | 'firstStart'>;

/** Inserts a token and an audit record. Returns the record with the token, of which only the hash is stored. */
export async function issueToken(
  work: Work,
  { token, ...fields }: TokenFields & { token: string },
): Promise<TokenRecord & { token: string }> {
  const { role, userId } = fields;
  const prefix = tokenPrefix(token) ?? '';
  const record: TokenRecord = {
    _id: work.newId('tok'),
    prefix,
    sha256: hashToken(token),
    ...fields,
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
        to: { id: record._id, prefix, role, userId, expiresAt: fields.expiresAt?.toISOString() ?? null },
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

async function createAdministratorOnce(work: Work, configuredToken: string | null): Promise<string | null> {
  if (!(await hasNoUsers(work))) {
    work.unchanged();
    return null;
  }
  const { _id: userId, role } = await insertUser(work, { name: 'Administrator', role: 'admin', oidc: null });
  const { token } = await issueToken(work, {
    userId,
    role,
    name: 'first token',
    token: configuredToken ?? generateToken(),
    expiresAt: tokenExpiry(role, FIRST_TOKEN_DAYS, work.now),
    firstStart: true,
  });
  return token;
}

async function registerTokenOnce(work: Work, token: string): Promise<void> {
  if (await tokenByPrefix(work, tokenPrefix(token) ?? '')) {
    work.unchanged();
    return;
  }
  await ensureEngineUser(work);
  await issueToken(work, {
    userId: ENGINE_USER,
    role: 'worker',
    name: EXTERNAL_SCHEDULERS_TOKEN,
    token,
    expiresAt: null,
  });
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

async function renewSchedulerToken(work: Work): Promise<string> {
  await ensureEngineUser(work);
  if (await revokeTokensNamed(work, ENGINE_USER, BUILT_IN_SCHEDULER_TOKEN, work.now))
    work.audit({
      action: 'token.revoked',
      summary: 'The built-in engine token of the previous start was revoked.',
    });
  const { token } = await issueToken(work, {
    userId: ENGINE_USER,
    role: 'worker',
    name: BUILT_IN_SCHEDULER_TOKEN,
    token: generateToken(),
    expiresAt: null,
  });
  return token;
}

/** The request context of changes that the service makes by itself. */
export function serviceRequest(requestId: string) {
  return { actor: SERVICE_ACTOR, requestId };
}
