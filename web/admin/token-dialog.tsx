// The dialog that shows a new token once.
import type { ComponentChildren } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { runWithToast } from '../ui/toasts.tsx';

type Props = { title: string; token: string; onClose: () => void; children: ComponentChildren };

/** Shows a token with a copy button; `children` says what the token is for. */
export function TokenDialog({ title, token, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <label>
        Token
        <input class="mono" readOnly value={token} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <div class="actions">
        <button
          type="button"
          onClick={() =>
            void runWithToast(
              () => navigator.clipboard.writeText(`${location.origin}/#token=${token}`),
              'Sign-in link copied.',
            )
          }
        >
          Copy sign-in link
        </button>
        <button
          type="button"
          onClick={() => void runWithToast(() => navigator.clipboard.writeText(token), 'Token copied.')}
        >
          Copy token
        </button>
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
