import { ListTokensDocument, RevokeTokenDocument } from '../generated/operations.ts';
import { address, go, withQuery } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { isAdmin } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed } from '../ui/deed.tsx';
import { attempt } from '../ui/notes.tsx';
import { Answer, Nothing } from '../ui/state.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

/** Tokens and when they were used last; those of everybody for administrators. A token ends at once when it is revoked. */
export function Tokens() {
  const { query } = address.value;
  const userId = query.get('user') ?? undefined;
  const includeEnded = query.get('ended') === 'yes';
  const asked = useAsk(ListTokensDocument, { userId, includeEnded }, ({ type }) => type.startsWith('token.'));
  const revoke = (id: string, name: string) => {
    if (confirm(`Revoke the token "${name}"? Whoever uses it is refused from now on.`))
      void attempt(() => ask(RevokeTokenDocument, { id }), `The token "${name}" was revoked.`).then(asked.reload);
  };
  return (
    <section aria-label="Tokens">
      <div class="row">
        <h1>{isAdmin() ? 'Tokens' : 'My tokens'}</h1>
        {userId && <a href={withQuery({ user: null })}>of all users</a>}
        <label class="inline">
          <input
            type="checkbox"
            checked={includeEnded}
            onChange={() => go(withQuery({ ended: includeEnded ? null : 'yes' }))}
          />
          ended ones too
        </label>
      </div>
      <Answer of={asked}>
        {({ tokens }) =>
          tokens.items.length === 0 ? (
            <Nothing>There are no such tokens.</Nothing>
          ) : (
            <Table heads={['For', 'User', 'Role', 'Used', 'Ends']} deeds>
              {tokens.items.map(({ id, name, prefix, user, role, lastUsedAt, expiresAt, revokedAt }) => (
                <tr key={id}>
                  <td>
                    <strong>{name}</strong>
                    <div class="quiet mono">{prefix}…</div>
                  </td>
                  <td>{user.name}</td>
                  <td>{role}</td>
                  <td>{lastUsedAt ? <Time at={lastUsedAt} /> : <span class="quiet">never</span>}</td>
                  <td>
                    {revokedAt ? <span class="mark bad">revoked</span> : expiresAt ? <Time at={expiresAt} /> : 'never'}
                  </td>
                  <td>
                    <Deed
                      class="end"
                      may={{ allowed: !revokedAt, message: 'It has ended already.' }}
                      onClick={() => revoke(id, name)}
                    >
                      Revoke
                    </Deed>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Answer>
    </section>
  );
}
