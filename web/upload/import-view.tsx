import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showError } from '../ui/toasts.tsx';
import type { ImportDialog } from './import-dialog.tsx';
import { importRequest } from './import-request.ts';

type DialogComponent = FunctionComponent<Parameters<typeof ImportDialog>[0]>;

/** Shows the dialog of a requested import; loads its code first. */
export function ImportView() {
  const request = importRequest.value;
  const [loaded, setLoaded] = useState<{ Component: DialogComponent } | null>(null);
  const close = () => {
    importRequest.value = null;
  };
  useEffect(() => {
    if (!request || loaded) return;
    import('./import-dialog.tsx').then(
      ({ ImportDialog: Component }) => setLoaded({ Component }),
      (error: unknown) => {
        showError(error);
        close();
      },
    );
  }, [request, loaded]);
  return request && loaded ? <loaded.Component request={request} onClose={close} /> : null;
}
