// Dialogs for a draft or version.
import {
  HistoryCopyDocumentDocument,
  HistoryCreateVersionDocument,
  HistoryUpdateVersionDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { type VersionWithPermissions, versionName } from './version-actions.ts';

type DialogProps = { version: VersionWithPermissions; onClose: () => void };

export function CreateVersionDialog({ version, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Create version of ${versionName(version)}`}
      help="guide#versions"
      submitLabel="Create version"
      onClose={onClose}
      onSubmit={async (form) => {
        const { createVersion } = await execute(HistoryCreateVersionDocument, {
          workspaceId: version.workspace.id,
          name: formValue(form, 'name'),
          comment: formValue(form, 'comment'),
        });
        showSuccess(`Created v${createVersion.n}.`);
      }}
    >
      <p>Saves the draft as the next immutable version. You can keep editing the draft afterwards.</p>
      <VersionFields />
    </FormDialog>
  );
}

export function EditVersionDialog({ version, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Name and comment of ${versionName(version)}`}
      submitLabel="Save"
      onClose={onClose}
      onSubmit={(form) =>
        execute(
          HistoryUpdateVersionDocument,
          { id: version.id, name: formValue(form, 'name'), comment: formValue(form, 'comment') ?? null },
          { ifMatch: `"${version.etag}"` },
        )
      }
    >
      <label>
        Name
        <input name="name" defaultValue={version.name} required autofocus />
      </label>
      <label>
        Comment
        <textarea name="comment" rows={3} defaultValue={version.comment ?? ''} />
      </label>
    </FormDialog>
  );
}

export function CopyDialog({ version, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Copy ${version.document.number} ${versionName(version)}`}
      submitLabel="Copy"
      onClose={onClose}
      onSubmit={async (form) => {
        const copy = {
          id: version.document.id,
          versionId: version.id,
          name: formValue(form, 'name'),
          number: formValue(form, 'number'),
        };
        const { copyDocument } = await execute(HistoryCopyDocumentDocument, copy);
        navigate(urlFor.document(copyDocument.id));
        showSuccess(`Created ${copyDocument.number}.`);
      }}
    >
      <p>Creates a document with the files of {versionName(version)}. Its history starts empty.</p>
      <label>
        Name
        <input name="name" placeholder="Same name" autofocus />
      </label>
      <label>
        Number
        <input name="number" placeholder="Next free number" />
      </label>
    </FormDialog>
  );
}

/** The fields of a new version: what changed; few versions need a name of their own. */
export function VersionFields() {
  return (
    <>
      <label>
        What changed
        <textarea name="comment" rows={3} maxLength={4000} autofocus />
      </label>
      <details>
        <summary>Name</summary>
        <label>
          Name
          <input name="name" maxLength={200} placeholder="e.g. V3 (default)" />
        </label>
      </details>
    </>
  );
}
