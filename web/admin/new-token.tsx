// The dialogs that create a token and show it.
import { useState } from 'preact/hooks';
import { CreateTokenDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { Dialog, FormDialog, formValue } from '../ui/dialog.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { describeRole, parseRole, ROLES } from './roles.ts';

type NewTokenProps = { user: { id: string; name: string; role: string }; onClose: () => void };

/** Creates a token for a user and shows it once. */
export function NewToken({ user, onClose }: NewTokenProps) {
  const [token, setToken] = useState<string | null>(null);
  if (token)
    return (
      <Dialog title={`Token of ${user.name}`} onClose={onClose}>
        <p>Copy it now; it won't be shown again. Send it to the user privately.</p>
        <label>
          Token
          <input class="mono" readOnly value={token} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
        <div class="actions">
          <button
            type="button"
            onClick={() => void runWithToast(() => navigator.clipboard.writeText(token), 'Token copied.')}
          >
            Copy
          </button>
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={`New token for ${user.name}`}
      submitLabel="Create"
      onClose={onClose}
      onDone={() => {}} // keeps the dialog open to show the token
      onSubmit={async (form) => {
        const days = formValue(form, 'days');
        const { createToken } = await execute(CreateTokenDocument, {
          name: formValue(form, 'name') ?? '',
          userId: user.id,
          role: parseRole(formValue(form, 'role')),
          expiresInDays: days === 'never' ? null : Number(days),
        });
        setToken(createToken.token);
      }}
    >
      <label>
        Purpose
        <input name="name" required maxLength={200} placeholder="Notebook, CAD add-in…" />
      </label>
      <label>
        Maximum role
        <select name="role" defaultValue={user.role}>
          {ROLES.map((role) => (
            <option key={role} value={role} selected={role === user.role}>
              {describeRole(role)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Expires after
        <select name="days">
          <option value="90">90 days</option>
          <option value="7">7 days</option>
          <option value="365">a year</option>
          <option value="never">never</option>
        </select>
      </label>
    </FormDialog>
  );
}
