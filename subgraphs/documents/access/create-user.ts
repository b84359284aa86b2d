import type { Role } from '../../core/domain/access/permissions.ts';
import { refuse } from '../../core/domain/errors.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { find, insert } from '../../core/store/query/records.ts';
import type { UserRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { validateOidcIdentity as validateOidcIdentity, oidcUserId } from './oidc-user-id.ts';

type Input = { name: string; role: Role; oidc?: UserRecord['oidc'] };

/** Makes a user; `oidc` says who it is to the identity provider. Refuses the identity of a user there is (`name_taken`). */
export async function createUser(work: Work, { name, role, oidc }: Input): Promise<UserRecord> {
  const identity = oidc ? validateOidcIdentity(oidc) : null;
  const holder = identity && (await find(work, 'users', oidcUserId(identity)));

  if (holder) refuse('name_taken', `User ${holder._id} has this identity.`, { userId: holder._id });

  return insertUser(work, { name: validateName(name), role, oidc: identity });
}

/** Stores a user and records that, without the name: it is no part of the audit chain, so that it can be blotted out. */
export async function insertUser(work: Work, user: Pick<UserRecord, 'name' | 'role' | 'oidc'>): Promise<UserRecord> {
  const _id = user.oidc ? oidcUserId(user.oidc) : work.newId('usr');
  const record = await insert(work, 'users', { _id, ...user, disabled: false, createdAt: work.now });
  work.audit({
    action: 'user.created',
    summary: `User ${_id} with the role ${user.role} was made.`,
    changes: { user: { from: null, to: { id: _id, role: user.role } } },
  });
  return record;
}
