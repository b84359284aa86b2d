import { DeleteFolderHereDocument, MakeFolderDocument, RenameFolderDocument } from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import { type FolderOf, type FolderRow, possibleParents } from './folder-rows.ts';
import { moveDocuments, moveFolder } from './moving.ts';

/** What is asked about a folder; `create` makes one inside it, null at the top. */
export type FolderDeed =
  | { name: 'create'; folder: FolderOf | null }
  | { name: 'rename' | 'move' | 'delete'; folder: FolderOf };
type DialogProps = { deed: FolderDeed; rows: readonly FolderRow[]; onClose: () => void; onDone: () => void };

export function FolderDialog({ deed, rows, onClose, onDone }: DialogProps) {
  const { folder } = deed;
  if (deed.name === 'create') {
    const submit = async (form: FormData) => {
      const { createFolder } = await ask(MakeFolderDocument, {
        name: textOf(form, 'name') ?? '',
        parentId: folder?.id ?? null,
      });
      onDone();
      go(addressOf.documents(createFolder.id));
    };
    return (
      <FormDialog
        title={folder ? `New folder in ${folder.name}` : 'New folder'}
        deed="Create"
        onClose={onClose}
        onSubmit={submit}
      >
        <NameField />
      </FormDialog>
    );
  }
  if (deed.name === 'rename') {
    const submit = async (form: FormData) => {
      await ask(RenameFolderDocument, { id: deed.folder.id, name: textOf(form, 'name') });
      onDone();
    };
    return (
      <FormDialog title={`Rename ${deed.folder.name}`} deed="Rename" onClose={onClose} onSubmit={submit}>
        <NameField given={deed.folder.name} />
      </FormDialog>
    );
  }
  if (deed.name === 'move') {
    const parents = possibleParents(rows, deed.folder.id);
    const submit = async (form: FormData) => {
      const to = parents.find((row) => row.folder.id === textOf(form, 'folder'))?.folder;
      if (await moveFolder(deed.folder.id, to ?? { id: null, name: 'the top' })) onDone();
    };
    return (
      <FormDialog title={`Move the folder ${deed.folder.name}`} deed="Move" onClose={onClose} onSubmit={submit}>
        <FolderField rows={parents} none="(the top)" chosen={deed.folder.parentId} />
      </FormDialog>
    );
  }
  const submit = async () => {
    await ask(DeleteFolderHereDocument, { id: deed.folder.id });
    noteDone(`The folder ${deed.folder.name} is deleted.`);
    onDone();
    if (location.pathname === addressOf.documents(deed.folder.id))
      go(addressOf.documents(deed.folder.parentId), { replace: true });
  };
  return (
    <FormDialog
      title={`Delete the folder ${deed.folder.name}?`}
      deed="Delete"
      danger
      onClose={onClose}
      onSubmit={submit}
    >
      <p>Only an empty folder can be deleted; documents are never deleted with it.</p>
    </FormDialog>
  );
}

type MoveProps = {
  ids: readonly string[];
  rows: readonly FolderRow[];
  from: string | null;
  onClose: () => void;
  onDone: () => void;
};

/** Moves the chosen documents by keyboard: what dragging them onto a folder does. */
export function MoveDialog({ ids, rows, from, onClose, onDone }: MoveProps) {
  const submit = async (form: FormData) => {
    const to = rows.find((row) => row.folder.id === textOf(form, 'folder'))?.folder;
    if (await moveDocuments(ids, to ?? { id: null, name: 'Unfiled' })) onDone();
  };
  return (
    <FormDialog
      title={ids.length === 1 ? 'Move the document' : `Move ${ids.length} documents`}
      deed="Move"
      onClose={onClose}
      onSubmit={submit}
    >
      <FolderField rows={rows} none="Unfiled" chosen={from} />
    </FormDialog>
  );
}

function NameField({ given = '' }: { given?: string }) {
  return (
    <label>
      Name
      <input name="name" required maxLength={200} defaultValue={given} autofocus />
    </label>
  );
}

/** A choice of folders by their paths. */
export function FolderField({
  rows,
  none,
  chosen,
}: {
  rows: readonly FolderRow[];
  none: string;
  chosen: string | null;
}) {
  return (
    <label>
      Folder
      <select name="folder" defaultValue={chosen ?? ''}>
        <option value="" selected={chosen === null || chosen === 'unfiled'}>
          {none}
        </option>
        {rows.map(({ folder, level }) => (
          <option key={folder.id} value={folder.id} selected={folder.id === chosen}>
            {'\u2003'.repeat(level - 1) + folder.name}
          </option>
        ))}
      </select>
    </label>
  );
}
