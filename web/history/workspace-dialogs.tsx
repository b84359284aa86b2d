// Dialogs for a workspace; content-dialogs.tsx has those that replace the content of a draft.
import {
  HistoryCheckoutDocument,
  HistoryDeleteWorkspaceDocument,
  HistoryUpdateWorkspaceDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { type VersionWithPermissions, versionName } from './version-actions.ts';

type DialogProps = { version: VersionWithPermissions; onClose: () => void };

export function CheckOutDialog({ version, onClose }: DialogProps) {
  const { workspace } = version;
  return (
    <FormDialog
      title={`Check out ${versionName(version)}`}
      help="guide#check-out-and-check-in"
      submitLabel="Check out"
      onClose={onClose}
      onSubmit={async (form) => {
        await execute(HistoryCheckoutDocument, { id: workspace.id, note: formValue(form, 'note') });
        showSuccess(`Checked out ${workspace.name}.`);
      }}
    >
      <p>Only you can edit this draft until you check it in or the reservation expires. Others can still view it.</p>
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
      submitLabel="Save"
      onClose={onClose}
      onSubmit={(form) =>
        execute(
          HistoryUpdateWorkspaceDocument,
          { id: workspace.id, name: formValue(form, 'name'), description: formValue(form, 'description') ?? null },
          { ifMatch: `"${workspace.etag}"` },
        )
      }
    >
      <label>
        Name
        <input name="name" required defaultValue={workspace.name} autofocus />
      </label>
      <label>
        Description
        <textarea name="description" rows={2} defaultValue={workspace.description ?? ''} />
      </label>
    </FormDialog>
  );
}

export function DeleteWorkspaceDialog({ version: { document, workspace }, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Delete workspace ${workspace.name}`}
      submitLabel="Delete"
      danger
      onClose={onClose}
      onSubmit={async () => {
        await execute(HistoryDeleteWorkspaceDocument, { id: workspace.id });
        navigate(urlFor.document(document.id, 'history'), { replace: true });
        showSuccess(`Deleted workspace ${workspace.name}.`);
      }}
    >
      <p>Deletes the draft of the workspace, and the files that only this draft contains.</p>
    </FormDialog>
  );
}
