// Finds or creates the user of an OpenID Connect identity.
import { find } from '../../core/store/query/records.ts';
import type { UserRecord } from '../../core/store/schema/collections.ts';
import { inTransaction, type Services, type Work } from '../../core/work.ts';
import { insertUser } from './create-user.ts';
import { serviceRequest } from './issue-token.ts';
import type { VerifiedIdentity } from './oidc.ts';
import { oidcUserId } from './oidc-user-id.ts';

/**
 * Returns the user with this identity. If there is none, creates it with the claimed role (default: viewer), or returns
 * null unless `autocreate`.
 */
export async function findOrCreateOidcUser(
  services: Services,
  identity: VerifiedIdentity,
  autocreate: boolean,
): Promise<UserRecord | null> {
  const user = await find({ db: services.mongo.db }, 'users', oidcUserId(identity));
  if (user || !autocreate) return user;
  return inTransaction(services, serviceRequest('sign-in'), createOidcUser, identity);
}

async function createOidcUser(work: Work, { issuer, subject, name, role }: VerifiedIdentity): Promise<UserRecord> {
  const user = await find(work, 'users', oidcUserId({ issuer, subject }));
  if (user) {
    work.unchanged();
    return user;
  }
  return insertUser(work, { name, role: role ?? 'viewer', oidc: { issuer, subject } });
}
