import { CreateFolderDocument, DeleteFolderDocument, RenameFolderDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { type Folder, type FolderRow, possibleParents } from './folder-rows.ts';
import { type FolderOf, moveDocuments, moveFolder } from './move-items.ts';

/** A folder action that needs a dialog. `create` adds a subfolder of `folder`, or a top-level folder if null. */
export type FolderAction =
  | { name: 'create'; folder: Folder | null }
  | { name: 'rename' | 'move' | 'delete'; folder: Folder };
type DialogProps = { action: FolderAction; rows: readonly FolderRow[]; onClose: () => void; onDone: () => void };

export function FolderDialog({ action, rows, onClose, onDone }: DialogProps) {
  const { folder } = action;
  if (action.name === 'create') {
    const submit = async (form: FormData) => {
      const { createFolder } = await execute(CreateFolderDocument, {
        name: formValue(form, 'name') ?? '',
        parentId: folder?.id ?? null,
      });
      onDone();
      navigate(urlFor.documents(createFolder.id));
    };
    return (
      <FormDialog
        title={folder ? `New folder in ${folder.name}` : 'New folder'}
        submitLabel="Create"
        onClose={onClose}
        onSubmit={submit}
      >
        <NameField />
      </FormDialog>
    );
  }
  if (action.name === 'rename') {
    const submit = async (form: FormData) => {
      await execute(RenameFolderDocument, { id: action.folder.id, name: formValue(form, 'name') });
      onDone();
    };
    return (
      <FormDialog title={`Rename ${action.folder.name}`} submitLabel="Rename" onClose={onClose} onSubmit={submit}>
        <NameField initial={action.folder.name} />
      </FormDialog>
    );
  }
  if (action.name === 'move') {
    const parents = possibleParents(rows, action.folder.id);
    const submit = async (form: FormData) => {
      const to = parents.find((row) => row.folder.id === formValue(form, 'folder'))?.folder;
      if (await moveFolder(action.folder.id, to ?? { id: null, name: 'the top level' })) onDone();
    };
    return (
      <FormDialog title={`Move folder ${action.folder.name}`} submitLabel="Move" onClose={onClose} onSubmit={submit}>
        <FolderField rows={parents} emptyLabel="(top level)" selected={action.folder.parentId} />
      </FormDialog>
    );
  }
  const submit = async () => {
    await execute(DeleteFolderDocument, { id: action.folder.id });
    showSuccess(`Deleted folder ${action.folder.name}.`);
    onDone();
    if (location.pathname === urlFor.documents(action.folder.id))
      navigate(urlFor.documents(action.folder.parentId), { replace: true });
  };
  return (
    <FormDialog
      title={`Delete folder ${action.folder.name}?`}
      submitLabel="Delete"
      danger
      onClose={onClose}
      onSubmit={submit}
    >
      <p>Only empty folders can be deleted. Documents are never deleted with a folder.</p>
    </FormDialog>
  );
}

type MoveProps = {
  ids: readonly string[];
  rows: readonly FolderRow[];
  /** The folder that is selected first. */
  from: string | null;
  folderOf: FolderOf;
  onClose: () => void;
  onDone: () => void;
};

/** Moves the selected documents; the keyboard alternative to drag and drop. */
export function MoveDialog({ ids, rows, from, folderOf, onClose, onDone }: MoveProps) {
  const submit = async (form: FormData) => {
    const to = rows.find((row) => row.folder.id === formValue(form, 'folder'))?.folder;
    if (await moveDocuments(ids, to ?? { id: null, name: 'Unfiled' }, folderOf)) onDone();
  };
  return (
    <FormDialog
      title={ids.length === 1 ? 'Move document' : `Move ${ids.length} documents`}
      submitLabel="Move"
      onClose={onClose}
      onSubmit={submit}
    >
      <FolderField rows={rows} emptyLabel="Unfiled" selected={from} />
    </FormDialog>
  );
}

function NameField({ initial = '' }: { initial?: string }) {
  return (
    <label>
      Name
      <input name="name" required maxLength={200} defaultValue={initial} autofocus />
    </label>
  );
}

/** A select of folders, indented by level. `emptyLabel` is the option without a folder. */
export function FolderField({
  rows,
  emptyLabel,
  selected,
}: {
  rows: readonly FolderRow[];
  emptyLabel: string;
  selected: string | null;
}) {
  return (
    <label>
      Folder
      <select name="folder" defaultValue={selected ?? ''}>
        <option value="" selected={selected === null || selected === 'unfiled'}>
          {emptyLabel}
        </option>
        {rows.map(({ folder, level }) => (
          <option key={folder.id} value={folder.id} selected={folder.id === selected}>
            {'\u2003'.repeat(level - 1) + folder.name}
          </option>
        ))}
      </select>
    </label>
  );
}
