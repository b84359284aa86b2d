import { dialogOnDemand } from '../ui/on-demand.tsx';
import { importRequest } from './import-request.ts';

const ImportDialog = dialogOnDemand(async () => (await import('./import-dialog.tsx')).ImportDialog);

/** Shows the dialog of a requested import. */
export function ImportView() {
  const request = importRequest.value;
  const close = () => {
    importRequest.value = null;
  };
  return request && <ImportDialog request={request} onClose={close} />;
}
