// Opens the editor of an assembly, which is loaded on demand.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showError } from '../ui/toasts.tsx';

export type EditorDialogProps = {
  document: { id: string; number: string };
  versionId: string;
  onClose: () => void;
  onSaved: () => void;
};

/** Edits the components of a draft in a dialog. */
export function ComponentsDialog(props: EditorDialogProps) {
  const [loaded, setLoaded] = useState<{ Editor: ComponentType<EditorDialogProps> } | null>(null);
  useEffect(() => {
    import('./components-editor.tsx').then(
      ({ ComponentsEditor }) => setLoaded({ Editor: ComponentsEditor }),
      (error: unknown) => {
        showError(error);
        props.onClose();
      },
    );
  }, []);
  return loaded && <loaded.Editor {...props} />;
}
