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

type Input = { id: string; name?: string | null; role?: Role | null; disabled?: boolean | null };

/**
 * Changes a user's name or role, disables it or lets it in again. Refuses to take the last administrator away. Two changes at once
 * cannot do it together either: both write the audit chain of access, so one of them is run again and sees the other.
 */
export async function updateUser(work: Work, { id, ...given }: Input): Promise<UserRecord> {
  assertNotNull(given);
  const user = await get(work, 'users', id);

  const before = { ...user, disabled: user.disabled === true };
  const wanted = {
    name: given.name == null ? before.name : validateName(given.name),
    role: given.role ?? before.role,
    disabled: given.disabled ?? before.disabled,
  };
  if (isAdministrator(before) && !isAdministrator(wanted) && !(await hasOtherAdministrator(work, id)))
    rejectLastAdministrator(wanted.disabled);
  const changed = (['name', 'role', 'disabled'] as const).filter((field) => wanted[field] !== before[field]);
  if (!changed.length) {
    work.unchanged();
    return user;
  }

  const after = await change(work, 'users', id, wanted);
  // a name is no part of the audit chain, so that it can be blotted out: that there is another one is all it says
  const changes = changesBetween(before, wanted, ['role', 'disabled']);
  work.audit({ action: 'user.updated', summary: `User ${id} was changed: ${changed.join(', ')}.`, changes });
  work.afterCommit(() => invalidateCredentials(work.services));
  return after;
}

function isAdministrator({ role, disabled }: Pick<UserRecord, 'role' | 'disabled'>): boolean {
  return role === 'admin' && !disabled;
}

function rejectLastAdministrator(disabled: boolean): never {
  const message = 'would leave the service without an administrator';
  return refuse('validation_failed', 'This is the last administrator. Make another user an administrator first.', {
    errors: [{ path: disabled ? '/disabled' : '/role', message }],
  });
}
