import { useRef, useState } from 'preact/hooks';
import { EditDocumentDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { Deed } from '../ui/deed.tsx';
import { noteProblem } from '../ui/notes.tsx';
import type { ShownDocument } from './document-page.tsx';

/** The name as a heading, edited where it stands: Enter saves, Escape leaves it. */
export function NameOf({ document, onChanged }: { document: ShownDocument; onChanged: () => void }) {
  // the tag of what one began to edit: what somebody else wrote meanwhile is not overwritten
  const [edited, setEdited] = useState<{ etag: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  if (!edited) {
    return (
      <div class="document-name">
        <h1 title={document.name}>{document.name}</h1>
        <Deed
          class="bare"
          icon="edit"
          may={document.permissions.canEdit}
          onClick={() => setEdited({ etag: document.etag })}
        >
          <span class="visually-hidden">Rename</span>
        </Deed>
      </div>
    );
  }
  const close = () => setEdited(null);
  const save = async () => {
    const name = field.current?.value.trim() ?? '';
    if (name === '' || name === document.name) return close();
    try {
      await ask(EditDocumentDocument, { id: document.id, name }, { ifMatch: `"${edited.etag}"` });
      close();
      onChanged();
    } catch (error) {
      noteProblem(error);
    }
  };
  return (
    <form
      class="document-name"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        ref={(element) => {
          if (element && field.current !== element) {
            element.focus();
            element.select();
          }
          field.current = element;
        }}
        aria-label="Name of the document"
        defaultValue={document.name}
        maxLength={200}
        required
        onKeyDown={(event) => event.key === 'Escape' && close()}
      />
      <button type="submit" class="primary">
        Save
      </button>
      <button type="button" onClick={close}>
        Cancel
      </button>
    </form>
  );
}
