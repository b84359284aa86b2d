import { useState } from 'preact/hooks';
import { CreateDocumentDocument, type DocumentKind } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { KINDS } from './filter.ts';
import { FolderField } from './folder-dialogs.tsx';
import type { FolderRow } from './folder-rows.ts';

const KIND_DESCRIPTIONS: Record<DocumentKind, string> = {
  model: 'a part from a CAD file',
  assembly: 'a structure of other documents',
  code: 'a generator that creates documents; its code is in a Git repository',
};

type NewProps = { rows: readonly FolderRow[]; folderId: string | null; onClose: () => void };

/** Creates a document and opens it. */
export function NewDocument({ rows, folderId, onClose }: NewProps) {
  const [kind, setKind] = useState<DocumentKind>('model');
  const submit = async (form: FormData) => {
    const name = formValue(form, 'name') ?? '';
    const input = {
      kind,
      name,
      number: formValue(form, 'number'),
      folderId: formValue(form, 'folder') ?? null,
      description: formValue(form, 'description'),
    };
    const { createDocument } = await execute(CreateDocumentDocument, { input });
    showSuccess(`Created ${createDocument.number}.`);
    navigate(urlFor.document(createDocument.id));
  };
  return (
    <FormDialog
      help="guide#documents-and-folders"
      title="New document"
      submitLabel="Create"
      onClose={onClose}
      onSubmit={submit}
    >
      <fieldset class="kinds">
        <legend>Kind</legend>
        {KINDS.map((each) => (
          <label key={each} class="inline">
            <input type="radio" name="kind" value={each} checked={each === kind} onChange={() => setKind(each)} />
            <span>
              {each} <small>{KIND_DESCRIPTIONS[each]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        Name
        <input name="name" required maxLength={200} autofocus />
      </label>
      <label>
        Number
        <input name="number" maxLength={40} placeholder="Next free number" spellcheck={false} />
      </label>
      <FolderField rows={rows} emptyLabel="Unfiled" selected={folderId} />
      <label>
        Description
        <textarea name="description" rows={2} maxLength={4000} />
      </label>
    </FormDialog>
  );
}
