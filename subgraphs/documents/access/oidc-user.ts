import { find } from '../../core/store/query/records.ts';
import type { UserRecord } from '../../core/store/schema/collections.ts';
import { inTransaction, type Services, type Work } from '../../core/work.ts';
import { insertUser } from './create-user.ts';
import { asService } from './issue-token.ts';
import type { VerifiedIdentity } from './oidc.ts';
import { oidcUserId } from './oidc-user-id.ts';

/**
 * The user that an identity belongs to. Without one: makes it, with the role it came with or as a viewer, or answers null
 * when users are not made by themselves.
 */
export async function oidcUser(
  services: Services,
  identity: VerifiedIdentity,
  autocreate: boolean,
): Promise<UserRecord | null> {
  const known = await find({ db: services.mongo.db }, 'users', oidcUserId(identity));
  if (known || !autocreate) return known;
  return inTransaction(services, asService('sign-in'), makeOidcUser, identity);
}

async function makeOidcUser(work: Work, { issuer, subject, name, role }: VerifiedIdentity): Promise<UserRecord> {
  const known = await find(work, 'users', oidcUserId({ issuer, subject }));
  if (known) {
    work.unchanged();
    return known;
  }
  return insertUser(work, { name, role: role ?? 'viewer', oidc: { issuer, subject } });
}
