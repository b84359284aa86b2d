// Starts the import of files as new documents. The dialog is loaded when it is first needed.
import { signal } from '@preact/signals';
import { showError } from '../ui/toasts.tsx';
import { packStepFiles } from './step-archive.ts';
import { isCad } from './upload-kind.ts';

export type ImportTarget = { id: string | null; name: string };
export type ImportRequest = { files: readonly File[]; skipped: readonly File[]; target: ImportTarget };

/** The import that is being prepared; null if there is none. */
export const importRequest = signal<ImportRequest | null>(null);

/** Imports the CAD files into a folder: each becomes a document. Asks first if there is something to decide. */
export function requestImport(files: readonly File[], target: ImportTarget): void {
  packStepFiles(files).then((packed) => {
    const cadFiles = packed.filter(({ name }) => isCad(name));
    const skipped = packed.filter(({ name }) => !isCad(name));
    if (importRequest.value) showError('Finish the open import first.');
    else if (cadFiles.length === 0) showError(skippedText(skipped));
    else importRequest.value = { files: cadFiles, skipped, target };
  }, showError);
}

const MAX_NAMES = 5;

/** Says that files are not imported, with the names of the first ones. */
export function skippedText(files: readonly File[]): string {
  const names = files.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = files.length - names.length;
  return `Skipped ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: only CAD files create documents. Attach other files to a document.`;
}
