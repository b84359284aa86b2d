// Filters the audit log by user.
import { useEffect, useState } from 'preact/hooks';
import { ListUsersDocument, type ListUsersQuery } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import type { Choice } from '../ui/choices.ts';
import { ChoiceField } from '../ui/combobox.tsx';
import { showError } from '../ui/toasts.tsx';

type User = ListUsersQuery['users']['items'][number];
type ActorFilterProps = { id: string; onPick: (id: string) => void };

const ALL_USERS: Choice = { id: '', label: 'all users' };
const SYSTEM: Choice = { id: 'system', label: 'the service' };

/** Chooses one of all users by name, or the service itself. */
export function ActorFilter({ id, onPick }: ActorFilterProps) {
  const [users, setUsers] = useState<readonly User[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    readAllUsers(controller.signal).then(setUsers, (error: unknown) => !controller.signal.aborted && showError(error));
    return () => controller.abort();
  }, []);
  const userChoices = users.map(
    ({ id, name, disabled }): Choice => ({ id, label: name, hint: disabled ? 'blocked' : undefined }),
  );
  return (
    <ChoiceField
      label="User"
      choices={[ALL_USERS, SYSTEM, ...userChoices]}
      id={id}
      onPick={onPick}
      emptyMessage="No matching user."
    />
  );
}

async function readAllUsers(signal: AbortSignal): Promise<User[]> {
  const users: User[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { users: page }: ListUsersQuery = await execute(ListUsersDocument, { cursor }, { signal });
    users.push(...page.items);
    cursor = page.nextCursor ?? null;
  }
  return users.sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
}
