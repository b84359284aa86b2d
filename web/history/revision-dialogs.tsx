// The dialogs of the revision that a version was released as.
import { ReleaseImpact } from '../bom/release-impact.tsx';
import {
  HistoryEditRevisionDocument,
  HistoryObsoleteDocument,
  HistoryTakeBackDocument,
} from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import type { RevisionWithDeeds } from './version-deeds.ts';

type DialogProps = { versionId: string; revision: RevisionWithDeeds; onClose: () => void };

export function EditRevisionDialog({ revision, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Comment of revision ${revision.label}`}
      deed="Save"
      onClose={onClose}
      onSubmit={(form) =>
        ask(
          HistoryEditRevisionDocument,
          { id: revision.id, comment: textOf(form, 'comment') ?? null },
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
      wide
      deed="Make obsolete"
      danger
      onClose={onClose}
      onSubmit={async () => {
        await ask(HistoryObsoleteDocument, { id });
        noteDone(`Revision ${label} is obsolete.`);
      }}
    >
      <p>It stays readable, and whoever names it keeps it.</p>
      <ReleaseImpact versionId={versionId} deed="obsolete" />
    </FormDialog>
  );
}

export function TakeBackDialog({ versionId, revision: { id, label }, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Take revision ${label} back`}
      wide
      deed="Take back"
      danger
      onClose={onClose}
      onSubmit={async () => {
        await ask(HistoryTakeBackDocument, { id });
        noteDone(`Revision ${label} was taken back.`);
      }}
    >
      <p>The version stays, unreleased again. Its label is not given a second time.</p>
      <ReleaseImpact versionId={versionId} deed="take-back" />
    </FormDialog>
  );
}
