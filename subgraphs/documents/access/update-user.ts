// Updates, disables and enables users.
import type { Role } from '../../core/domain/access/permissions.ts';
import { changesBetween } from '../../core/domain/audit/audit-event.ts';
import { refuse } from '../../core/domain/errors.ts';
import { assertNotNull } from '../../core/domain/text/assert-not-null.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { change, get } from '../../core/store/query/records.ts';
import type { UserRecord } from '../../core/store/schema/collections.ts';
import { hasOtherAdministrator } from '../../core/store/users.ts';
import type { Work } from '../../core/work.ts';
import { invalidateCredentials } from './credential-cache.ts';
import { isSystemUser } from './issue-token.ts';

type Input = { id: string; name?: string | null; role?: Role | null; disabled?: boolean | null };

/**
 * Updates a user's name or role, or disables or enables the user. Throws `forbidden` for a user that the service
 * manages, and `validation_failed` if no enabled administrator would remain. Concurrent updates cannot bypass this: all
 * of them append to the audit chain `access`, so one of two is retried and reads the result of the other.
 */
export async function updateUser(work: Work, { id, ...input }: Input): Promise<UserRecord> {
  assertNotNull(input);
  const user = await get(work, 'users', id);
  if (isSystemUser(id)) refuse('forbidden', `The user ${user.name} is managed by the service and cannot be changed.`);

  const before = { ...user, disabled: user.disabled === true };
  const after = {
    name: input.name == null ? before.name : validateName(input.name),
    role: input.role ?? before.role,
    disabled: input.disabled ?? before.disabled,
  };
  if (isActiveAdministrator(before) && !isActiveAdministrator(after) && !(await hasOtherAdministrator(work, id)))
    rejectLastAdministrator(after.disabled);
  const changed = (['name', 'role', 'disabled'] as const).filter((field) => after[field] !== before[field]);
  if (!changed.length) {
    work.unchanged();
    return user;
  }

  // The audit record omits the name, so that it can be erased later.
  const changes = changesBetween(before, after, ['role', 'disabled']);
  work.audit({ action: 'user.updated', summary: `User ${id} was updated: ${changed.join(', ')}.`, changes });
  work.afterCommit(() => invalidateCredentials(work.services));
  return change(work, 'users', id, after);
}

function isActiveAdministrator({ role, disabled }: Pick<UserRecord, 'role' | 'disabled'>): boolean {
  return role === 'admin' && !disabled;
}

function rejectLastAdministrator(disabled: boolean): never {
  const message = 'would leave the service without an administrator';
  return refuse('validation_failed', 'This is the last administrator. Make another user an administrator first.', {
    errors: [{ path: disabled ? '/disabled' : '/role', message }],
  });
}
