import { useEffect, useState } from 'preact/hooks';
import { ListUsersDocument, type ListUsersQuery } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { noteProblem } from '../ui/notes.tsx';

type User = ListUsersQuery['users']['items'][number];
type WhoProps = { id: string; onPick: (id: string) => void };

const THE_SERVICE = 'system';

/** Chooses one of all users by name, or the service itself; an id of nobody who is there stands for itself. */
export function Who({ id, onPick }: WhoProps) {
  const [users, setUsers] = useState<readonly User[]>([]);
  useEffect(() => {
    const gone = new AbortController();
    everybody(gone.signal).then(setUsers, (error: unknown) => !gone.signal.aborted && noteProblem(error));
    return () => gone.abort();
  }, []);
  const known = id === '' || id === THE_SERVICE || users.some((user) => user.id === id);
  return (
    <label class="inline">
      Who
      <select value={id} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        <option value="">everybody</option>
        {users.map(({ id, name, disabled }) => (
          <option key={id} value={id}>
            {disabled ? `${name} (blocked)` : name}
          </option>
        ))}
        <option value={THE_SERVICE}>the service</option>
        {!known && <option value={id}>{id}</option>}
      </select>
    </label>
  );
}

async function everybody(signal: AbortSignal): Promise<User[]> {
  const found: User[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { users }: ListUsersQuery = await ask(ListUsersDocument, { cursor }, { signal });
    found.push(...users.items);
    cursor = users.nextCursor ?? null;
  }
  return found.sort((one, other) => one.name.localeCompare(other.name));
}
