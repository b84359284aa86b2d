// The editor of an assembly, which is loaded on demand.
import { onDemand } from '../ui/on-demand.tsx';

export type EditorDialogProps = {
  document: { id: string; number: string };
  versionId: string;
  onClose: () => void;
  onSaved: () => void;
};

/** Edits the components of a draft in a dialog. */
export const ComponentsDialog = onDemand<EditorDialogProps>(
  async () => (await import('./components-editor.tsx')).ComponentsEditor,
);
