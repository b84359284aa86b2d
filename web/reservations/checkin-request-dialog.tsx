import { formatUntil } from '../document/version-label.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { requestCheckin } from './my-reservations.ts';

type RequestProps = {
  workspaceId: string;
  reservation: { by: { name: string }; expiresAt: string; note?: string | null };
  /** The message of the user's earlier request, if any. */
  previousNote?: string | null;
  onClose: () => void;
};

/** Asks the holder of a reservation to check in the draft. */
export function CheckinRequestDialog({
  workspaceId,
  reservation: { by, expiresAt, note },
  previousNote,
  onClose,
}: RequestProps) {
  const submit = async (form: FormData) => {
    await requestCheckin(workspaceId, formValue(form, 'note') ?? null);
    showSuccess(`Request sent to ${by.name}. You will be notified when the draft is available.`);
  };
  return (
    <FormDialog
      title={`Request check-in from ${by.name}`}
      submitLabel="Send request"
      onClose={onClose}
      onSubmit={submit}
    >
      <p>
        {by.name} has checked out this draft {formatUntil(expiresAt)}
        {note && ` (“${note}”)`}. {by.name} is notified now and sees your request until the draft is checked in.
      </p>
      <label>
        Message
        <input name="note" maxLength={200} defaultValue={previousNote ?? ''} autofocus />
      </label>
    </FormDialog>
  );
}
