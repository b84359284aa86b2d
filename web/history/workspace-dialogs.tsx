// The dialogs of a workspace itself; content-dialogs.tsx has those that move what is in it.
import {
  HistoryCheckoutDocument,
  HistoryDeleteWorkspaceDocument,
  HistoryEditWorkspaceDocument,
} from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import { nameOf, type VersionWithDeeds } from './version-deeds.ts';

type DialogProps = { version: VersionWithDeeds; onClose: () => void };

export function CheckOutDialog({ version, onClose }: DialogProps) {
  const { workspace } = version;
  return (
    <FormDialog
      title={`Check out ${nameOf(version)}`}
      deed="Check out"
      onClose={onClose}
      onSubmit={async (form) => {
        await ask(HistoryCheckoutDocument, { id: workspace.id, note: textOf(form, 'note') });
        noteDone(`${workspace.name} is yours until you check it in.`);
      }}
    >
      <p>Others can read the draft but not change it until you check it in, or the reservation ends.</p>
      <label>
        Note for others
        <input name="note" maxLength={200} autofocus />
      </label>
    </FormDialog>
  );
}

export function EditWorkspaceDialog({ version: { workspace }, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Workspace ${workspace.name}`}
      deed="Save"
      onClose={onClose}
      onSubmit={(form) =>
        ask(
          HistoryEditWorkspaceDocument,
          { id: workspace.id, name: textOf(form, 'name'), description: textOf(form, 'description') ?? null },
          { ifMatch: `"${workspace.etag}"` },
        )
      }
    >
      <label>
        Name
        <input name="name" required defaultValue={workspace.name} autofocus />
      </label>
      <label>
        What it is for
        <textarea name="description" rows={2} defaultValue={workspace.description ?? ''} />
      </label>
    </FormDialog>
  );
}

export function DeleteWorkspaceDialog({ version: { document, workspace }, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Delete the workspace ${workspace.name}`}
      deed="Delete"
      danger
      onClose={onClose}
      onSubmit={async () => {
        await ask(HistoryDeleteWorkspaceDocument, { id: workspace.id });
        go(addressOf.document(document.id, 'history'), { replace: true });
        noteDone(`The workspace ${workspace.name} is deleted.`);
      }}
    >
      <p>Its draft goes with it, and the files that only the draft holds.</p>
    </FormDialog>
  );
}
