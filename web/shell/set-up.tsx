// The dialogs of the first start: name the administrator, then show the token that replaces the first token.
import { useState } from 'preact/hooks';
import { TokenDialog } from '../admin/token-dialog.tsx';
import { CompleteSetupDocument } from '../generated/operations.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { execute } from './api-client.ts';
import { setupRequired, signIn } from './session.ts';

/** Asks for the name of the first administrator after a sign-in with the first token, then shows the new token. */
export function SetUp() {
  const [created, setCreated] = useState<{ name: string; token: string } | null>(null);
  const [postponed, setPostponed] = useState(false);
  if (created)
    return (
      <TokenDialog title="Your token" token={created.token} onClose={() => setCreated(null)}>
        Signed in as {created.name}. Copy your token now; it won’t be shown again. You’ll need it to sign in.
      </TokenDialog>
    );
  if (!setupRequired.value || postponed) return null;
  return (
    <FormDialog
      title="Set up your account"
      submitLabel="Continue"
      onClose={() => setPostponed(true)}
      onDone={() => {}} // keeps this component to show the token
      onSubmit={async (form) => {
        const name = formValue(form, 'name') ?? '';
        const { completeSetup } = await execute(CompleteSetupDocument, { name });
        setCreated({ name, token: completeSetup.token });
        await signIn(completeSetup.token);
      }}
    >
      <p>
        You’re signed in with the token of the first start, which expires after 7 days. Enter your name to get a token
        of your own. The first token is then revoked.
      </p>
      <label>
        Your name
        <input name="name" required maxLength={200} autocomplete="name" />
      </label>
    </FormDialog>
  );
}
