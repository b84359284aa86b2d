// The dialogs of the deeds on a draft or version; workspace-dialogs.tsx has those that move content.
import { ReleaseImpact } from '../bom/release-impact.tsx';
import { ReleaseDialog } from '../document/release-dialog.tsx';
import {
  HistoryCheckoutDocument,
  HistoryCopyDocumentDocument,
  HistoryDeleteWorkspaceDocument,
  HistoryEditRevisionDocument,
  HistoryEditVersionDocument,
  HistoryEditWorkspaceDocument,
  HistoryMakeVersionDocument,
  HistoryObsoleteDocument,
  HistoryTakeBackDocument,
} from '../generated/operations.ts';
import { AskForDialog } from '../reservations/ask-for-dialog.tsx';
import { addressOf, go } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import type { DeedName, RevisionWithDeeds, VersionWithDeeds } from './version-deeds.ts';
import { IntoWorkspaceDialog, NewWorkspaceDialog, UndoDialog } from './workspace-dialogs.tsx';

export type OpenDeed = { name: DeedName; version: VersionWithDeeds; revision: RevisionWithDeeds | null };

/** The dialog of a deed; deeds without questions have none. */
export function DeedDialog({ deed: { name, version, revision }, onClose }: { deed: OpenDeed; onClose: () => void }) {
  const title = version.n === null ? `the draft of ${version.workspace.name}` : `v${version.n}`;
  const props = { onClose };
  switch (name) {
    case 'newWorkspace':
      return <NewWorkspaceDialog version={version} {...props} />;
    case 'restore':
    case 'takeOver':
      return <IntoWorkspaceDialog version={version} deed={name} {...props} />;
    case 'undo':
      return <UndoDialog version={version} {...props} />;
    case 'makeVersion':
      return (
        <FormDialog
          {...props}
          title={`Make a version of ${title}`}
          deed="Make the version"
          onSubmit={async (form) => {
            const { makeVersion } = await ask(HistoryMakeVersionDocument, { workspaceId: version.workspace.id, ...saidIn(form) });
            noteDone(`v${makeVersion.n} is made.`);
          }}
        >
          <p>The files of the draft are frozen as the next version. The draft goes on from there.</p>
          <Said />
        </FormDialog>
      );
    case 'edit':
      return (
        <FormDialog
          {...props}
          title={`Name and comment of ${title}`}
          deed="Save"
          onSubmit={(form) =>
            ask(
              HistoryEditVersionDocument,
              { id: version.id, name: textOf(form, 'name'), comment: textOf(form, 'comment') ?? null },
              { ifMatch: `"${version.etag}"` },
            )
          }
        >
          <Said name={version.name} comment={version.comment} nameNeeded />
        </FormDialog>
      );
    case 'release':
      return <ReleaseDialog versionId={version.id} {...props} />;
    case 'editRevision':
      return (
        <FormDialog
          {...props}
          title={`Comment of revision ${revision?.label}`}
          deed="Save"
          onSubmit={async (form) =>
            revision &&
            ask(HistoryEditRevisionDocument, { id: revision.id, comment: textOf(form, 'comment') ?? null }, { ifMatch: `"${revision.etag}"` })
          }
        >
          <label>
            Comment
            <textarea name="comment" rows={3} defaultValue={revision?.comment ?? ''} autofocus />
          </label>
        </FormDialog>
      );
    case 'obsolete':
      return (
        <FormDialog
          {...props}
          title={`Make revision ${revision?.label} obsolete`}
          wide
          deed="Make obsolete"
          danger
          onSubmit={async () => {
            if (revision) await ask(HistoryObsoleteDocument, { id: revision.id });
            noteDone(`Revision ${revision?.label} is obsolete.`);
          }}
        >
          <p>It stays readable, and whoever names it keeps it.</p>
          <ReleaseImpact versionId={version.id} deed="obsolete" />
        </FormDialog>
      );
    case 'takeBack':
      return (
        <FormDialog
          {...props}
          title={`Take revision ${revision?.label} back`}
          wide
          deed="Take back"
          danger
          onSubmit={async () => {
            if (revision) await ask(HistoryTakeBackDocument, { id: revision.id });
            noteDone(`Revision ${revision?.label} was taken back.`);
          }}
        >
          <p>The version stays, unreleased again. Its label is not given a second time.</p>
          <ReleaseImpact versionId={version.id} deed="take-back" />
        </FormDialog>
      );
    case 'checkOut':
      return (
        <FormDialog
          {...props}
          title={`Check out ${title}`}
          deed="Check out"
          onSubmit={async (form) => {
            await ask(HistoryCheckoutDocument, { id: version.workspace.id, note: textOf(form, 'note') });
            noteDone(`${version.workspace.name} is yours until you check it in.`);
          }}
        >
          <p>Others can read the draft but not change it until you check it in, or the reservation ends.</p>
          <label>
            Note for others
            <input name="note" maxLength={200} autofocus />
          </label>
        </FormDialog>
      );
    case 'askFor': {
      const { workspace } = version;
      return workspace.reservation && <AskForDialog workspace={workspace} reservation={workspace.reservation} {...props} />;
    }
    case 'copy':
      return (
        <FormDialog
          {...props}
          title={`New document from ${version.document.number} ${title}`}
          deed="Copy"
          onSubmit={async (form) => {
            const copy = { id: version.document.id, versionId: version.id, name: textOf(form, 'name'), number: textOf(form, 'number') };
            const { copyDocument } = await ask(HistoryCopyDocumentDocument, copy);
            go(addressOf.document(copyDocument.id));
            noteDone(`${copyDocument.number} was made.`);
          }}
        >
          <p>A document of its own with these files and a history that begins anew.</p>
          <label>
            Name
            <input name="name" placeholder="as this one" autofocus />
          </label>
          <label>
            Number
            <input name="number" placeholder="the next free one" />
          </label>
        </FormDialog>
      );
    case 'renameWorkspace':
      return (
        <FormDialog
          {...props}
          title={`Workspace ${version.workspace.name}`}
          deed="Save"
          onSubmit={(form) =>
            ask(
              HistoryEditWorkspaceDocument,
              { id: version.workspace.id, name: textOf(form, 'name'), description: textOf(form, 'description') ?? null },
              { ifMatch: `"${version.workspace.etag}"` },
            )
          }
        >
          <label>
            Name
            <input name="name" required defaultValue={version.workspace.name} autofocus />
          </label>
          <label>
            What it is for
            <textarea name="description" rows={2} defaultValue={version.workspace.description ?? ''} />
          </label>
        </FormDialog>
      );
    case 'deleteWorkspace':
      return (
        <FormDialog
          {...props}
          title={`Delete the workspace ${version.workspace.name}`}
          deed="Delete"
          danger
          onSubmit={async () => {
            await ask(HistoryDeleteWorkspaceDocument, { id: version.workspace.id });
            go(addressOf.document(version.document.id, 'history'), { replace: true });
            noteDone(`The workspace ${version.workspace.name} is deleted.`);
          }}
        >
          <p>Its draft goes with it, and the files that only the draft holds.</p>
        </FormDialog>
      );
    default:
      return null;
  }
}

const saidIn = (form: FormData) => ({ name: textOf(form, 'name'), comment: textOf(form, 'comment') });

function Said({ name = '', comment = '', nameNeeded = false }: { name?: string; comment?: string | null; nameNeeded?: boolean }) {
  return (
    <>
      <label>
        Name
        <input name="name" defaultValue={name} required={nameNeeded} autofocus />
      </label>
      <label>
        Comment
        <textarea name="comment" rows={3} defaultValue={comment ?? ''} />
      </label>
    </>
  );
}
