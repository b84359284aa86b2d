import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { signIn, signInError } from './session.ts';

/** Asks for a token; it is exchanged for a session and not kept. */
export function SignIn() {
  const [busy, setBusy] = useState(false);
  const token = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => token.current?.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const given = new FormData(event.currentTarget).get('token');
    setBusy(true);
    await signIn(typeof given === 'string' ? given : '');
    setBusy(false);
  };
  return (
    <form onSubmit={submit}>
      <h1>
        <Icon name="cube" /> PDM
      </h1>
      <p>Documents and versions of engineering data.</p>
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
        The first token stands in the terminal where the service was first started, and in the file{' '}
        <code>first-token</code> of its data folder. Others are given by an administrator, under Administration.
      </p>
    </form>
  );
}

/** Asks for it in front of everything that is open, and covers that meanwhile. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} class="sign-in again" aria-label="Sign in again" onCancel={(event) => event.preventDefault()}>
      <SignIn />
    </dialog>
  );
}
