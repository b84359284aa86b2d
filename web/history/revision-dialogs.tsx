// Dialogs for the revision of a released version.
import { ReleaseImpact } from '../bom/release-impact.tsx';
import {
  HistoryObsoleteDocument,
  HistoryTakeBackDocument,
  HistoryUpdateRevisionDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import type { RevisionWithPermissions } from './version-actions.ts';

type DialogProps = { versionId: string; revision: RevisionWithPermissions; onClose: () => void };

export function EditRevisionDialog({ revision, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Comment of revision ${revision.label}`}
      submitLabel="Save"
      onClose={onClose}
      onSubmit={(form) =>
        execute(
          HistoryUpdateRevisionDocument,
          { id: revision.id, comment: formValue(form, 'comment') ?? null },
          { ifMatch: `"${revision.etag}"` },
        )
      }
    >
      <label>
        Comment
        <textarea name="comment" rows={3} defaultValue={revision.comment ?? ''} autofocus />
      </label>
    </FormDialog>
  );
}

export function ObsoleteDialog({ versionId, revision: { id, label }, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Make revision ${label} obsolete`}
      help="guide#releases"
      size="wide"
      submitLabel="Make obsolete"
      danger
      onClose={onClose}
      onSubmit={async () => {
        await execute(HistoryObsoleteDocument, { id });
        showSuccess(`Made revision ${label} obsolete.`);
      }}
    >
      <p>The revision stays readable. References pinned to the revision do not change.</p>
      <ReleaseImpact versionId={versionId} action="obsolete" />
    </FormDialog>
  );
}

export function TakeBackDialog({ versionId, revision: { id, label }, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Take back revision ${label}`}
      size="wide"
      submitLabel="Take back"
      danger
      onClose={onClose}
      onSubmit={async () => {
        await execute(HistoryTakeBackDocument, { id });
        showSuccess(`Took back revision ${label}.`);
      }}
    >
      <p>The version becomes unreleased again. The label is not reused.</p>
      <ReleaseImpact versionId={versionId} action="take_back" />
    </FormDialog>
  );
}
