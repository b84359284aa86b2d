// The dialogs that create a token and show it.
import { useState } from 'preact/hooks';
import { CreateTokenDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { describeRole, parseRole, ROLES } from './roles.ts';
import { TokenDialog } from './token-dialog.tsx';

type NewTokenProps = {
  user: { id: string; name: string; role: string };
  /** The default purpose. */
  purpose?: string;
  onClose: () => void;
};

/** Creates a token for a user and shows it once. */
export function NewToken({ user, purpose, onClose }: NewTokenProps) {
  const [token, setToken] = useState<string | null>(null);
  if (token)
    return (
      <TokenDialog title={`Token for ${user.name}`} token={token} onClose={onClose}>
        Copy the sign-in link or the token now; they won’t be shown again. Send them to the user privately.
      </TokenDialog>
    );
  return (
    <FormDialog
      title={`New token for ${user.name}`}
      help="guide#administration"
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
        <input name="name" required maxLength={200} defaultValue={purpose} placeholder="Notebook, CAD add-in…" />
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
          <option value="365">1 year</option>
          <option value="never">never</option>
        </select>
      </label>
    </FormDialog>
  );
}
