// Creates users.
import type { Role } from '../../core/domain/access/permissions.ts';
import { refuse } from '../../core/domain/errors.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { find, insert } from '../../core/store/query/records.ts';
import type { UserRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { oidcUserId, validateOidcIdentity } from './oidc-user-id.ts';

type Input = { name: string; role: Role; oidc?: UserRecord['oidc'] };

/**
 * Creates a user; `oidc` is its identity at the identity provider. Throws `name_taken` if another user has the
 * identity.
 */
export async function createUser(work: Work, { name, role, oidc }: Input): Promise<UserRecord> {
  const identity = oidc ? validateOidcIdentity(oidc) : null;
  const holder = identity && (await find(work, 'users', oidcUserId(identity)));

  if (holder)
    refuse('name_taken', `User ${holder._id} already has this OpenID Connect identity.`, { userId: holder._id });

  return insertUser(work, { name: validateName(name), role, oidc: identity });
}

/** Inserts a user and an audit record. The record omits the name, so that the name can be erased later. */
export async function insertUser(work: Work, user: Pick<UserRecord, 'name' | 'role' | 'oidc'>): Promise<UserRecord> {
  const _id = user.oidc ? oidcUserId(user.oidc) : work.newId('usr');
  const record = await insert(work, 'users', { _id, ...user, disabled: false, createdAt: work.now });
  work.audit({
    action: 'user.created',
    summary: `User ${_id} with the role ${user.role} was created.`,
    changes: { user: { from: null, to: { id: _id, role: user.role } } },
  });
  return record;
}
