// The dialogs of a draft or version itself.
import {
  HistoryCopyDocumentDocument,
  HistoryEditVersionDocument,
  HistoryMakeVersionDocument,
} from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import { nameOf, type VersionWithDeeds } from './version-deeds.ts';

type DialogProps = { version: VersionWithDeeds; onClose: () => void };

export function MakeVersionDialog({ version, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Make a version of ${nameOf(version)}`}
      deed="Make the version"
      onClose={onClose}
      onSubmit={async (form) => {
        const said = { name: textOf(form, 'name'), comment: textOf(form, 'comment') };
        const { makeVersion } = await ask(HistoryMakeVersionDocument, { workspaceId: version.workspace.id, ...said });
        noteDone(`v${makeVersion.n} is made.`);
      }}
    >
      <p>The files of the draft are frozen as the next version. The draft goes on from there.</p>
      <Said />
    </FormDialog>
  );
}

export function EditVersionDialog({ version, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`Name and comment of ${nameOf(version)}`}
      deed="Save"
      onClose={onClose}
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
}

export function CopyDialog({ version, onClose }: DialogProps) {
  return (
    <FormDialog
      title={`New document from ${version.document.number} ${nameOf(version)}`}
      deed="Copy"
      onClose={onClose}
      onSubmit={async (form) => {
        const copy = {
          id: version.document.id,
          versionId: version.id,
          name: textOf(form, 'name'),
          number: textOf(form, 'number'),
        };
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
}

function Said({
  name = '',
  comment = '',
  nameNeeded = false,
}: {
  name?: string;
  comment?: string | null;
  nameNeeded?: boolean;
}) {
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
