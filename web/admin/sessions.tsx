// The list of browser sessions.
import { useState } from 'preact/hooks';
import { ListSessionsDocument, RevokeSessionDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { formatNumber } from '../ui/format.ts';
import { QueryView } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { showSuccess } from '../ui/toasts.tsx';

/** The sessions of all users; ending one signs its browser out. */
export function Sessions() {
  const result = useQuery(ListSessionsDocument, {}, ({ type }) => type.startsWith('session.'));
  const [ending, setEnding] = useState<{ id: string; name: string } | null>(null);
  return (
    <section aria-label="Sessions">
      <h1>Sessions</h1>
      <QueryView query={result}>
        {({ sessions }) => (
          <>
            <Table columns={['User', 'Signed in', 'With', 'Ends']} hasActions>
              {sessions.items.map(({ id, user, token, createdAt, expiresAt }) => (
                <tr key={id}>
                  <td>
                    <strong>{user.name}</strong>
                  </td>
                  <td>
                    <Time at={createdAt} />
                  </td>
                  <td>{token ? `token “${token.name}”` : 'identity provider'}</td>
                  <td>
                    <Time at={expiresAt} />
                  </td>
                  <td>
                    <ActionButton
                      class="end"
                      subject={`of ${user.name}`}
                      onClick={() => setEnding({ id, name: user.name })}
                    >
                      End…
                    </ActionButton>
                  </td>
                </tr>
              ))}
            </Table>
            {sessions.nextCursor && (
              <p class="quiet">
                The newest {sessions.items.length} of {formatNumber(sessions.total ?? 0)} sessions.
              </p>
            )}
          </>
        )}
      </QueryView>
      {ending && (
        <FormDialog
          title={`End the session of ${ending.name}?`}
          submitLabel="End session"
          danger
          onClose={() => setEnding(null)}
          onSubmit={async () => {
            await execute(RevokeSessionDocument, { id: ending.id });
            showSuccess(`Session of ${ending.name} ended.`);
            result.reload();
          }}
        >
          <p>The browser is signed out. To prevent a new sign-in, also revoke the token or block the user.</p>
        </FormDialog>
      )}
    </section>
  );
}
