import { useRef, useState } from 'preact/hooks';
import { UpdateDocumentDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { showError } from '../ui/toasts.tsx';
import type { ShownDocument } from './document-page.tsx';

/** The document name as a heading with inline editing: Enter saves, Escape cancels. */
export function DocumentName({ document, onChanged }: { document: ShownDocument; onChanged: () => void }) {
  // the ETag when editing started, so that saving does not overwrite a newer change
  const [editing, setEditing] = useState<{ etag: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  if (!editing) {
    return (
      <div class="document-name">
        <h1 title={document.name}>{document.name}</h1>
        <ActionButton
          class="bare"
          icon="edit"
          permission={document.permissions.canEdit}
          onClick={() => setEditing({ etag: document.etag })}
        >
          <span class="visually-hidden">Rename</span>
        </ActionButton>
      </div>
    );
  }
  const close = () => setEditing(null);
  const save = async () => {
    const name = field.current?.value.trim() ?? '';
    if (name === '' || name === document.name) return close();
    try {
      await execute(UpdateDocumentDocument, { id: document.id, name }, { ifMatch: `"${editing.etag}"` });
      close();
      onChanged();
    } catch (error) {
      showError(error);
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
        aria-label="Document name"
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
