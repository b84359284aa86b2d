// The deeds of the head: what comes next for the draft or version that is shown, and the menu of the document.
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  ArchiveDocumentDocument,
  CopyDocumentWholeDocument,
  DeleteDocumentDocument,
  EditDocumentDocument,
  MakeVersionHereDocument,
  UnarchiveDocumentDocument,
} from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { useOffer } from '../shell/palette.tsx';
import { Deed, type Permitted } from '../ui/deed.tsx';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { Menu, type Spot } from '../ui/menu.tsx';
import { attempt, noteDone, noteProblem } from '../ui/notes.tsx';
import { PickFiles } from '../upload/drop.tsx';
import type { Shown } from './document-page.tsx';
import { mayUpload, useTakeFiles } from './drop-on-draft.tsx';
import { ReleaseDialog } from './release-dialog.tsx';

type Asked = 'version' | 'release' | 'details' | 'copy' | 'delete';

export function DocumentDeeds(shown: Shown) {
  const { document, version, reload } = shown;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [menu, setMenu] = useState<Spot | null>(null);
  const takeFiles = useTakeFiles();
  const box = useRef<HTMLDivElement>(null);
  const justReleased = useRef(false);
  const isReleased = version.releasedAs !== null;
  useEffect(() => {
    // the button that was pressed is gone: on with what stands beside it
    if (!justReleased.current || !isReleased || asked !== null) return;
    justReleased.current = false;
    if (globalThis.document.activeElement === globalThis.document.body) box.current?.querySelector('button')?.focus();
  }, [isReleased, asked]);
  const onReleased = () => {
    justReleased.current = true;
    reload();
  };
  const can = document.permissions;
  const isDraft = version.type === 'draft';
  const workspace = document.workspaces.find(({ id }) => id === version.workspaceId);
  const mayMake = workspace?.permissions.canMakeVersion ?? { allowed: false };
  const deed = (may: Permitted, run: () => void) => () =>
    may.allowed ? run() : noteProblem(may.message ?? 'This is not possible now.');
  useOffer('document', [
    ...(isDraft
      ? [
          {
            id: `make-version-${version.id}`,
            label: `Make a version of ${document.number}`,
            icon: 'plus' as const,
            run: deed(mayMake, () => setAsked('version')),
          },
        ]
      : [
          {
            id: `release-${version.id}`,
            label: `Release v${version.n} of ${document.number}`,
            icon: 'release' as const,
            run: deed(version.permissions.canRelease, () => setAsked('release')),
          },
        ]),
    {
      id: `copy-${document.id}`,
      label: `Copy ${document.number}`,
      icon: 'copy',
      run: deed(can.canCopy, () => setAsked('copy')),
    },
    {
      id: `details-${document.id}`,
      label: `Name and description of ${document.number}`,
      icon: 'edit',
      run: deed(can.canEdit, () => setAsked('details')),
    },
  ]);
  const archive = () =>
    attempt(
      async () => {
        await (document.archived
          ? ask(UnarchiveDocumentDocument, { id: document.id })
          : ask(ArchiveDocumentDocument, { id: document.id }));
        reload();
      },
      document.archived
        ? `${document.number} is back.`
        : `${document.number} is archived. It is found with “Archived” ticked.`,
    );

  return (
    <div ref={box} class="document-deeds">
      {isDraft && <PickFiles label="Upload" several may={mayUpload(shown)} onFiles={takeFiles} />}
      {isDraft && (
        <Deed class="primary" may={mayMake} onClick={() => setAsked('version')}>
          Make version
        </Deed>
      )}
      {!isDraft && !version.releasedAs && (
        <Deed class="primary" may={version.permissions.canRelease} onClick={() => setAsked('release')}>
          Release
        </Deed>
      )}
      <Deed
        class="bare"
        icon="more"
        onClick={() => {
          const { right, bottom } = globalThis.document.querySelector('.document-deeds')?.getBoundingClientRect() ?? {
            right: 0,
            bottom: 0,
          };
          setMenu({ x: right, y: bottom });
        }}
      >
        <span class="visually-hidden">More to do with the document</span>
      </Deed>
      {menu && (
        <Menu
          label={`What to do with ${document.number}`}
          spot={menu}
          onClose={() => setMenu(null)}
          groups={[
            [
              {
                id: 'details',
                label: 'Name and description…',
                icon: 'edit',
                may: can.canEdit,
                run: () => setAsked('details'),
              },
              { id: 'copy', label: 'Copy…', icon: 'copy', may: can.canCopy, run: () => setAsked('copy') },
            ],
            [
              {
                id: 'archive',
                label: document.archived ? 'Bring back from the archive' : 'Archive',
                icon: 'archive',
                may: document.archived ? can.canUnarchive : can.canArchive,
                run: () => void archive(),
              },
              {
                id: 'delete',
                label: 'Delete…',
                icon: 'trash',
                may: can.canDelete,
                danger: true,
                run: () => setAsked('delete'),
              },
            ],
          ]}
        />
      )}
      {asked === 'release' && (
        <ReleaseDialog versionId={version.id} onReleased={onReleased} onClose={() => setAsked(null)} />
      )}
      {asked && asked !== 'release' && <Question asked={asked} {...shown} onClose={() => setAsked(null)} />}
    </div>
  );
}

type QuestionProps = Shown & { asked: Exclude<Asked, 'release'>; onClose: () => void };

function Question({ asked, document, version, reload, onClose }: QuestionProps) {
  const { id, number } = document;
  if (asked === 'version') {
    const submit = async (form: FormData) => {
      const said = { name: textOf(form, 'name'), comment: textOf(form, 'comment') };
      const { makeVersion } = await ask(MakeVersionHereDocument, { workspaceId: version.workspaceId, ...said });
      reload();
      const at = addressOf.document(id, '', { version: makeVersion.id });
      noteDone(`v${makeVersion.n} is made.`, { label: 'Show it', run: () => go(at) });
    };
    return (
      <FormDialog title={`Make a version of ${number}`} deed="Make version" onClose={onClose} onSubmit={submit}>
        <p>Freezes the draft of {version.workspace.name} as it is now. The draft stays and goes on from there.</p>
        <label>
          Name
          <input name="name" maxLength={200} placeholder="V and its number" autofocus />
        </label>
        <label>
          What changed
          <textarea name="comment" rows={3} maxLength={4000} />
        </label>
      </FormDialog>
    );
  }
  if (asked === 'details') {
    const submit = async (form: FormData) => {
      const changed = { name: textOf(form, 'name'), description: textOf(form, 'description') ?? null };
      await ask(EditDocumentDocument, { id, ...changed }, { ifMatch: `"${document.etag}"` });
      reload();
    };
    return (
      <FormDialog title={`Name and description of ${number}`} deed="Save" onClose={onClose} onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={200} defaultValue={document.name} autofocus />
        </label>
        <label>
          Description
          <textarea name="description" rows={4} maxLength={4000} defaultValue={document.description ?? ''} />
        </label>
      </FormDialog>
    );
  }
  if (asked === 'copy') {
    const submit = async (form: FormData) => {
      const copy = { id, versionId: version.id, name: textOf(form, 'name'), number: textOf(form, 'number') };
      const { copyDocument } = await ask(CopyDocumentWholeDocument, copy);
      go(addressOf.document(copyDocument.id));
      noteDone(`${copyDocument.number} is a copy of ${number}.`);
    };
    return (
      <FormDialog title={`Copy ${number}`} deed="Copy" onClose={onClose} onSubmit={submit}>
        <p>
          A document of its own, with the files of{' '}
          {version.type === 'draft' ? `the draft of ${version.workspace.name}` : `v${version.n}`} and a history that
          begins anew.
        </p>
        <label>
          Name
          <input name="name" maxLength={200} defaultValue={document.name} autofocus />
        </label>
        <label>
          Number
          <input name="number" maxLength={40} placeholder="the next of its kind" />
        </label>
      </FormDialog>
    );
  }
  const submit = async () => {
    await ask(DeleteDocumentDocument, { id });
    go(addressOf.documents(document.folder?.id), { replace: true });
    noteDone(`${number} is deleted.`);
  };
  return (
    <FormDialog title={`Delete ${number}?`} deed="Delete" danger onClose={onClose} onSubmit={submit}>
      <p>
        “{document.name}” goes with its drafts, versions and files. This cannot be undone; the number is never given
        again. To keep it out of sight, archive it instead.
      </p>
    </FormDialog>
  );
}
