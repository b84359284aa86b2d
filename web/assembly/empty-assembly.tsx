import { useState } from 'preact/hooks';
import type { DocumentViewProps } from '../document/document-page.tsx';
import { uploadPermission, useAddFiles } from '../document/draft-drop-zone.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { FilePicker } from '../upload/file-input.tsx';
import { ComponentsDialog } from './components-dialog.ts';

/** Shown instead of the 3D view of an assembly without structure: the ways to build it. */
export function EmptyAssembly(props: DocumentViewProps) {
  const { document, version, reload } = props;
  const [open, setOpen] = useState(false);
  const addFiles = useAddFiles();
  const permission = uploadPermission(props);
  return (
    <div class="empty-assembly">
      <Icon name="assembly" />
      <h2>This assembly is empty</h2>
      <div class="row">
        <ActionButton class="primary" icon="plus" permission={permission} onClick={() => setOpen(true)}>
          Add parts
        </ActionButton>
        <FilePicker
          label="Import a STEP assembly"
          accept=".stp,.step,.p21,.stpz,.gz,.fcstd,.zip"
          multiple
          permission={permission}
          onFiles={addFiles}
        />
      </div>
      <p>
        Add parts that exist already, or create a document for each part of a STEP file. You can also drop the file
        here. <HelpLink topic="guide#assemblies" />
      </p>
      <FilePicker
        class="bare"
        label="Upload a structure (asm.json)"
        accept=".json"
        permission={permission}
        onFiles={addFiles}
      />
      {open && (
        <ComponentsDialog document={document} versionId={version.id} onClose={() => setOpen(false)} onSaved={reload} />
      )}
    </div>
  );
}
