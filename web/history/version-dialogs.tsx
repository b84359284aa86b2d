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
      <NameAndComment />
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
      <NameAndComment name={version.name} comment={version.comment} nameRequired />
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

function NameAndComment({
  name = '',
  comment = '',
  nameRequired = false,
}: {
  name?: string;
  comment?: string | null;
  nameRequired?: boolean;
}) {
  return (
    <>
      <label>
        Name
        <input name="name" defaultValue={name} required={nameRequired} autofocus />
      </label>
      <label>
        Comment
        <textarea name="comment" rows={3} defaultValue={comment ?? ''} />
      </label>
    </>
  );
}
