import { useState } from 'preact/hooks';
import { type DocumentKind, NewDocumentDocument } from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import { KINDS } from './filter.ts';
import { FolderField } from './folder-dialogs.tsx';
import type { FolderRow } from './folder-rows.ts';

const WORDS: Record<DocumentKind, string> = {
  model: 'a part, from a CAD file',
  assembly: 'a structure of other documents',
  code: 'a generator in a git repository, which makes documents',
};

type NewProps = { rows: readonly FolderRow[]; folderId: string | null; onClose: () => void };

/** Asks for what a new document needs, then shows it. */
export function NewDocument({ rows, folderId, onClose }: NewProps) {
  const [kind, setKind] = useState<DocumentKind>('model');
  const submit = async (form: FormData) => {
    const name = textOf(form, 'name') ?? '';
    const input = {
      kind,
      name,
      number: textOf(form, 'number'),
      folderId: textOf(form, 'folder') ?? null,
      description: textOf(form, 'description'),
    };
    const { createDocument } = await ask(NewDocumentDocument, { input });
    noteDone(`${createDocument.number} is made.`);
    go(addressOf.document(createDocument.id));
  };
  return (
    <FormDialog title="New document" deed="Create" onClose={onClose} onSubmit={submit}>
      <fieldset class="kinds">
        <legend>Kind</legend>
        {KINDS.map((each) => (
          <label key={each} class="inline">
            <input type="radio" name="kind" value={each} checked={each === kind} onChange={() => setKind(each)} />
            <span>
              {each} <small>{WORDS[each]}</small>
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
        <input name="number" maxLength={40} placeholder="the next of its kind" spellcheck={false} />
      </label>
      <FolderField rows={rows} none="Unfiled" chosen={folderId} />
      <label>
        Description
        <textarea name="description" rows={2} maxLength={4000} />
      </label>
    </FormDialog>
  );
}
