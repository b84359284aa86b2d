import { useState } from 'preact/hooks';
import { CreateTokenDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { Dialog, FormDialog, textOf } from '../ui/dialog.tsx';
import { attempt } from '../ui/notes.tsx';
import { ROLES, roleOf, roleWords } from './roles.ts';

type NewTokenProps = { user: { id: string; name: string; role: string }; onClose: () => void };

/** Makes a token for somebody and shows it this once. */
export function NewToken({ user, onClose }: NewTokenProps) {
  const [token, setToken] = useState<string | null>(null);
  if (token)
    return (
      <Dialog title={`The token of ${user.name}`} onClose={onClose}>
        <p>It is shown this once and kept nowhere. Give it to them by a way that nobody else reads.</p>
        <label>
          Token
          <input class="mono" readOnly value={token} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
        <div class="deeds">
          <button
            type="button"
            onClick={() => void attempt(() => navigator.clipboard.writeText(token), 'The token is on the clipboard.')}
          >
            Copy
          </button>
          <button type="button" class="primary" onClick={onClose}>
            I have it
          </button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={`New token for ${user.name}`}
      deed="Make"
      onClose={onClose}
      onDone={() => {}} // the token is shown instead
      onSubmit={async (form) => {
        const days = textOf(form, 'days');
        const { createToken } = await ask(CreateTokenDocument, {
          name: textOf(form, 'name') ?? '',
          userId: user.id,
          role: roleOf(textOf(form, 'role')),
          expiresInDays: days === 'never' ? null : Number(days),
        });
        setToken(createToken.token);
      }}
    >
      <label>
        What it is for
        <input name="name" required maxLength={200} placeholder="Notebook, CAD add-in…" />
      </label>
      <label>
        May do at most
        <select name="role" defaultValue={user.role}>
          {ROLES.map((role) => (
            <option key={role} value={role} selected={role === user.role}>
              {roleWords(role)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Ends after
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
