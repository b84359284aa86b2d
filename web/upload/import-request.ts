// Starts the import of files as new documents.
import { signal } from '@preact/signals';
import { showError } from '../ui/toasts.tsx';

export type ImportTarget = { id: string | null; name: string };
export type ImportRequest = { files: readonly File[]; target: ImportTarget };

/** The import that is being prepared; null if there is none. */
export const importRequest = signal<ImportRequest | null>(null);

/** Imports the CAD files into a folder: each becomes a document. Asks first if there is something to decide. */
export function requestImport(files: readonly File[], target: ImportTarget): void {
  if (importRequest.value) showError('Finish the open import first.');
  else importRequest.value = { files, target };
}
