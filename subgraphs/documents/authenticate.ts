import { DomainError } from '../core/domain/errors.ts';
import { tokenMatches, tokenPrefix } from '../core/domain/token.ts';
import type { TokenRecord } from '../core/store/collections.ts';
import { find } from '../core/store/records.ts';
import { noteUse, tokenByPrefix } from '../core/store/tokens.ts';
import type { Actor, Services } from '../core/work.ts';
import { asRefusal } from '../core/work.ts';

const HOUR = 3_600_000;

/**
 * Who a bearer token belongs to. Refuses with `unauthenticated` a missing, malformed, unknown, expired or revoked one, all in the
 * same words, so that nothing is told about which it was.
 */
export async function authenticate(services: Services, authorization: string | undefined): Promise<Actor> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!token) throw unauthenticated('Send a token: Authorization: Bearer pdm_…');
  try {
    return await ownerOf(services, token);
  } catch (error) {
    throw asRefusal(error);
  }
}

async function ownerOf(services: Services, token: string): Promise<Actor> {
  const scope = { db: services.mongo.db };
  const now = services.clock();
  const prefix = tokenPrefix(token);
  const record = prefix ? await tokenByPrefix(scope, prefix) : null;
  if (!tokenMatches(token, record?.sha256) || !record || !isGood(record, now)) throw unauthenticated('The token is unknown, expired or revoked.');
  if (!record.lastUsedAt || now.getTime() - record.lastUsedAt.getTime() > HOUR) await noteUse(scope, record._id, now);
  const user = await find(scope, 'users', record.userId);
  return { id: record.userId, name: user?.name ?? record.name, role: record.role, tokenId: record._id, via: 'token' };
}

function isGood({ expiresAt, revokedAt }: TokenRecord, now: Date): boolean {
  return !revokedAt && (!expiresAt || expiresAt > now);
}

function unauthenticated(message: string): DomainError {
  return new DomainError('unauthenticated', message);
}
