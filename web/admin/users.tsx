// The list of users.
import { useState } from 'preact/hooks';
import {
  CreateUserDocument,
  ListTokensDocument,
  ListUsersDocument,
  type ListUsersQuery,
  UpdateUserDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { urlFor } from '../shell/router.ts';
import { currentUser } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { QueryView } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { runWithToast, showSuccess, showUndoable } from '../ui/toasts.tsx';
import { NewToken } from './new-token.tsx';
import { describeRole, parseRole, ROLES, type Role } from './roles.ts';

type User = ListUsersQuery['users']['items'][number];
type NewTokenUser = { id: string; name: string; role: string };
type TokenFor = { user: NewTokenUser; purpose?: string };

/** All users with their roles; they can be created, blocked and given tokens. */
export function Users() {
  const result = useQuery(ListUsersDocument, {}, ({ type }) => type.startsWith('user.'));
  const [adding, setAdding] = useState(false);
  const [tokenFor, setTokenFor] = useState<TokenFor | null>(null);
  const tokens = useQuery(ListTokensDocument, {}, ({ type }) => type.startsWith('token.'));
  const lastActive = new Map<string, string>();
  for (const { user, lastUsedAt } of tokens.data?.tokens.items ?? [])
    if (lastUsedAt && lastUsedAt > (lastActive.get(user.id) ?? '')) lastActive.set(user.id, lastUsedAt);
  return (
    <section aria-label="Users">
      <div class="row">
        <h1>Users</h1>
        <ActionButton class="primary end" icon="plus" onClick={() => setAdding(true)}>
          New user
        </ActionButton>
      </div>
      <QueryView query={result}>
        {({ users }) => (
          <Table columns={['Name', 'Role', 'Sign-in', 'Token last used', 'Created']} hasActions>
            {users.items.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                lastActive={lastActive.get(user.id)}
                onToken={() => setTokenFor({ user })}
              />
            ))}
          </Table>
        )}
      </QueryView>
      {adding && (
        <NewUser
          onClose={() => setAdding(false)}
          onCreated={(user) => setTokenFor({ user, purpose: 'First sign-in' })}
        />
      )}
      {tokenFor && <NewToken {...tokenFor} onClose={() => setTokenFor(null)} />}
    </section>
  );
}

type RowProps = { user: User; lastActive: string | undefined; onToken: () => void };

function UserRow({ user, lastActive, onToken }: RowProps) {
  const { id, name, role, disabled, oidc, createdAt } = user;
  const changePermission = {
    allowed: id !== currentUser.value?.id,
    message: 'You cannot change your own role or block yourself. Ask another administrator.',
  };
  const change = (changes: { role?: Role; disabled?: boolean }, done: string) =>
    runWithToast(() => execute(UpdateUserDocument, { id, ...changes }), done);
  const changeRole = async (newRole: Role) => {
    const undo = () => void change({ role }, `Role of ${name} changed back to ${role}.`);
    if (await runWithToast(() => execute(UpdateUserDocument, { id, role: newRole })))
      showUndoable(`Role of ${name} changed to ${newRole}.`, undo);
  };
  return (
    <tr>
      <td>
        <strong title={id}>{name}</strong> {disabled && <span class="mark bad">blocked</span>}
      </td>
      <td>
        <select
          aria-label={`Role of ${name}`}
          value={role}
          disabled={!changePermission.allowed}
          onChange={({ currentTarget: { value } }) => {
            const newRole = parseRole(value);
            if (newRole) void changeRole(newRole);
          }}
        >
          {ROLES.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </td>
      <td>
        {oidc ? (
          <span title={oidc.subject}>{new URL(oidc.issuer).host}</span>
        ) : (
          <a href={`${urlFor.admin('tokens')}?user=${id}`}>tokens</a>
        )}
      </td>
      <td>{lastActive ? <Time at={lastActive} /> : <span class="quiet">never</span>}</td>
      <td>
        <Time at={createdAt} />
      </td>
      <td>
        <div class="row end">
          <ActionButton permission={{ allowed: !disabled, message: `${name} is blocked.` }} onClick={onToken}>
            New token
          </ActionButton>
          <ActionButton
            permission={changePermission}
            onClick={() =>
              void change(
                { disabled: !disabled },
                disabled ? `${name} unblocked.` : `${name} blocked and signed out everywhere.`,
              )
            }
          >
            {disabled ? 'Unblock' : 'Block'}
          </ActionButton>
        </div>
      </td>
    </tr>
  );
}

function NewUser({ onClose, onCreated }: { onClose: () => void; onCreated: (user: NewTokenUser) => void }) {
  return (
    <FormDialog
      title="New user"
      help="guide#administration"
      submitLabel="Create"
      onClose={onClose}
      onSubmit={async (form) => {
        const role = parseRole(formValue(form, 'role')) ?? 'viewer';
        const { createUser } = await execute(CreateUserDocument, { name: formValue(form, 'name') ?? '', role });
        showSuccess(`User ${createUser.name} created.`);
        onCreated({ ...createUser, role });
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
              {describeRole(role)}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}
