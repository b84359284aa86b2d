import { useState } from 'preact/hooks';
import {
  CreateUserDocument,
  ListUsersDocument,
  type ListUsersQuery,
  UpdateUserDocument,
} from '../generated/operations.ts';
import { addressOf } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { me } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed } from '../ui/deed.tsx';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { attempt, noteDone } from '../ui/notes.tsx';
import { Answer } from '../ui/state.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { NewToken } from './new-token.tsx';
import { ROLES, type Role, roleOf, roleWords } from './roles.ts';

type User = ListUsersQuery['users']['items'][number];

/** Who may sign in, and as what. */
export function Users() {
  const asked = useAsk(ListUsersDocument, {}, ({ type }) => type.startsWith('user.'));
  const [adding, setAdding] = useState(false);
  const [tokenFor, setTokenFor] = useState<User | null>(null);
  return (
    <section aria-label="Users">
      <div class="row">
        <h1>Users</h1>
        <Deed class="primary end" icon="plus" onClick={() => setAdding(true)}>
          New user
        </Deed>
      </div>
      <Answer of={asked}>
        {({ users }) => (
          <Table heads={['Name', 'Role', 'Signs in by', 'Since']} deeds>
            {users.items.map((user) => (
              <Line key={user.id} user={user} onToken={() => setTokenFor(user)} />
            ))}
          </Table>
        )}
      </Answer>
      {adding && <NewUser onClose={() => setAdding(false)} />}
      {tokenFor && <NewToken user={tokenFor} onClose={() => setTokenFor(null)} />}
    </section>
  );
}

function Line({ user, onToken }: { user: User; onToken: () => void }) {
  const { id, name, role, disabled, oidc, createdAt } = user;
  const notOneself = {
    allowed: id !== me.value?.id,
    message: 'Ask another administrator to change your own role or to block you.',
  };
  const change = (changes: { role?: Role; disabled?: boolean }, done: string) =>
    void attempt(() => ask(UpdateUserDocument, { id, ...changes }), done);
  return (
    <tr>
      <td>
        <strong>{name}</strong> {disabled && <span class="mark bad">blocked</span>}
        <div class="quiet mono">{id}</div>
      </td>
      <td>
        <select
          aria-label={`Role of ${name}`}
          value={role}
          disabled={!notOneself.allowed}
          onChange={({ currentTarget: { value } }) =>
            change({ role: roleOf(value) }, `${name} is ${roleWords(value)} now.`)
          }
        >
          {ROLES.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      </td>
      <td>
        {oidc ? (
          <span title={oidc.subject}>{new URL(oidc.issuer).host}</span>
        ) : (
          <a href={`${addressOf.admin('tokens')}?user=${id}`}>tokens</a>
        )}
      </td>
      <td>
        <Time at={createdAt} />
      </td>
      <td>
        <div class="row end">
          <Deed may={{ allowed: !disabled, message: `${name} is blocked.` }} onClick={onToken}>
            New token
          </Deed>
          <Deed
            may={notOneself}
            onClick={() =>
              change(
                { disabled: !disabled },
                disabled ? `${name} may sign in again.` : `${name} is signed out everywhere and may not sign in.`,
              )
            }
          >
            {disabled ? 'Unblock' : 'Block'}
          </Deed>
        </div>
      </td>
    </tr>
  );
}

function NewUser({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title="New user"
      deed="Create"
      onClose={onClose}
      onSubmit={async (form) => {
        const { createUser } = await ask(CreateUserDocument, {
          name: textOf(form, 'name') ?? '',
          role: roleOf(textOf(form, 'role')) ?? 'viewer',
        });
        noteDone(`${createUser.name} was created. To sign in they need a token.`);
      }}
    >
      <label>
        Name
        <input name="name" required maxLength={200} />
      </label>
      <label>
        Role
        <select name="role">
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {roleWords(role)}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}
