// The list of tokens.
import { useState } from 'preact/hooks';
import { ListTokensDocument, RevokeTokenDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { navigate, route, withQuery } from '../shell/router.ts';
import { isAdmin } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { EmptyState, QueryView } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { showSuccess } from '../ui/toasts.tsx';

/** The tokens of the user, or of all users for administrators. Revoking takes effect immediately. */
export function Tokens() {
  const { query } = route.value;
  const userId = query.get('user') ?? undefined;
  const includeInactive = query.get('ended') === 'yes';
  const result = useQuery(ListTokensDocument, { userId, includeInactive }, ({ type }) => type.startsWith('token.'));
  const [revoked, setRevoked] = useState<{ id: string; name: string } | null>(null);
  return (
    <section aria-label="Tokens">
      <div class="row">
        <h1>{isAdmin() ? 'Tokens' : 'My tokens'}</h1>
        {userId && <a href={withQuery({ user: null })}>Show all users</a>}
        <label class="inline">
          <input
            type="checkbox"
            checked={includeInactive}
            onChange={() => navigate(withQuery({ ended: includeInactive ? null : 'yes' }))}
          />
          Include expired and revoked
        </label>
      </div>
      <QueryView query={result}>
        {({ tokens }) =>
          tokens.items.length === 0 ? (
            <EmptyState>No tokens.</EmptyState>
          ) : (
            <Table columns={['Purpose', 'User', 'Role', 'Last used', 'Expires']} hasActions>
              {tokens.items.map(({ id, name, prefix, user, role, lastUsedAt, expiresAt, revokedAt }) => (
                <tr key={id}>
                  <td>
                    <strong>{name}</strong>
                    <div class="quiet mono">{prefix}…</div>
                  </td>
                  <td>{user.name}</td>
                  <td>{role}</td>
                  <td>{lastUsedAt ? <Time at={lastUsedAt} /> : <span class="quiet">never</span>}</td>
                  <td>{revokedAt ? <span class="mark bad">revoked</span> : <Expiry at={expiresAt} />}</td>
                  <td>
                    <ActionButton
                      class="end"
                      permission={{ allowed: !revokedAt, message: 'The token is already revoked.' }}
                      onClick={() => setRevoked({ id, name })}
                    >
                      Revoke…
                    </ActionButton>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </QueryView>
      {revoked && (
        <FormDialog
          title={`Revoke the token “${revoked.name}”?`}
          submitLabel="Revoke"
          danger
          onClose={() => setRevoked(null)}
          onSubmit={async () => {
            await execute(RevokeTokenDocument, { id: revoked.id });
            showSuccess(`Token “${revoked.name}” revoked.`);
            result.reload();
          }}
        >
          <p>It stops working immediately. Programs and sessions that use it are signed out.</p>
        </FormDialog>
      )}
    </section>
  );
}

function Expiry({ at }: { at: string | null }) {
  return at ? <Time at={at} /> : 'never';
}
