import { useEffect, useState } from 'preact/hooks';
import { ListUsersDocument, type ListUsersQuery } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import type { Choice } from '../ui/choices.ts';
import { Choose } from '../ui/combobox.tsx';
import { noteProblem } from '../ui/notes.tsx';

type User = ListUsersQuery['users']['items'][number];
type WhoProps = { id: string; onPick: (id: string) => void };

const EVERYBODY: Choice = { id: '', label: 'everybody' };
const THE_SERVICE: Choice = { id: 'system', label: 'the service' };

/** Chooses one of all users by name, or the service itself; an id of nobody who is there stands for itself. */
export function Who({ id, onPick }: WhoProps) {
  const [users, setUsers] = useState<readonly User[]>([]);
  useEffect(() => {
    const gone = new AbortController();
    everybody(gone.signal).then(setUsers, (error: unknown) => !gone.signal.aborted && noteProblem(error));
    return () => gone.abort();
  }, []);
  const people = users.map(
    ({ id, name, disabled }): Choice => ({ id, label: name, hint: disabled ? 'blocked' : undefined }),
  );
  return (
    <Choose
      label="Who"
      choices={[EVERYBODY, THE_SERVICE, ...people]}
      id={id}
      onPick={onPick}
      none="Nobody is called so."
    />
  );
}

async function everybody(signal: AbortSignal): Promise<User[]> {
  const found: User[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { users }: ListUsersQuery = await ask(ListUsersDocument, { cursor }, { signal });
    found.push(...users.items);
    cursor = users.nextCursor ?? null;
  }
  return found.sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
}
