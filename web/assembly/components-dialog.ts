// The editor of an assembly, which is loaded on demand.
import { dialogOnDemand } from '../ui/on-demand.tsx';

export type EditorDialogProps = {
  document: { id: string; number: string };
  versionId: string;
  onClose: () => void;
  onSaved: () => void;
};

/** Edits the components of a draft in a dialog. */
export const ComponentsDialog = dialogOnDemand<EditorDialogProps>(
  async () => (await import('./components-editor.tsx')).ComponentsEditor,
);
