import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { signIn, signInError } from './session.ts';

/** Signs in with a token, which is exchanged for a session and not stored. */
export function SignIn() {
  const [busy, setBusy] = useState(false);
  const token = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => token.current?.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const token = new FormData(event.currentTarget).get('token');
    setBusy(true);
    await signIn(typeof token === 'string' ? token : '');
    setBusy(false);
  };
  return (
    <form onSubmit={submit}>
      <h1>
        <Icon name="cube" /> PDM
      </h1>
      <p>Product data management: documents, versions and bills of materials.</p>
      <label>
        Token
        <input
          ref={token}
          name="token"
          type="password"
          required
          autocomplete="current-password"
          spellcheck={false}
          placeholder="pdm_…"
        />
      </label>
      {signInError.value && (
        <p class="problem" role="alert">
          {signInError.value}
        </p>
      )}
      <button type="submit" class="primary" disabled={busy}>
        Sign in
      </button>
      <p class="hint">
        Ask an administrator for a token. If nobody has signed in yet, open the link in the terminal where the service
        was started.
      </p>
    </form>
  );
}

/** A dialog over the current view that asks the user to sign in again. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} class="sign-in again" aria-label="Sign in again" onCancel={(event) => event.preventDefault()}>
      <SignIn />
    </dialog>
  );
}
