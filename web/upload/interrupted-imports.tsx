import { formatNumber } from '../ui/format.ts';
import { runWithToast, showError, showWhile } from '../ui/toasts.tsx';
import { FilePicker } from './file-input.tsx';
import { discardInterrupted, interruptedFiles } from './pending-files.ts';
import { SELECTABLE } from './upload-kind.ts';

const MAX_NAMES = 5;

/** The files that an import had left when the page was reloaded, with a way to continue it. */
export function InterruptedImports() {
  const files = interruptedFiles.value;
  if (files.length === 0) return null;
  const names = files.slice(0, MAX_NAMES).map(({ fileName }) => fileName);
  const more = files.length - names.length;
  const resume = (chosen: File[]) =>
    void runWithToast(async () => {
      const [{ continueUploads }, { packStepFiles }] = await Promise.all([
        import('./start-uploads.ts'),
        import('./step-archive.ts'),
      ]);
      const others = await showWhile('Reading the files…', async () =>
        continueUploads(await packStepFiles(chosen), files),
      );
      if (others.length > 0) showError(`Not part of the import: ${others.map(({ name }) => name).join(', ')}`);
    });
  return (
    <div class="interrupted" role="status">
      <p>
        An import was interrupted. {formatNumber(files.length)} {files.length === 1 ? 'file is' : 'files are'} left:{' '}
        {names.join(', ')}
        {more > 0 && ` and ${formatNumber(more)} more`}. To continue, choose the files again: a reloaded page cannot
        open them by itself.
      </p>
      <div class="row">
        <FilePicker label="Choose files" multiple accept={SELECTABLE} onFiles={resume} />
        <button type="button" onClick={discardInterrupted}>
          Discard
        </button>
      </div>
    </div>
  );
}
