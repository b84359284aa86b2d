// Uploads to the displayed draft: by drop anywhere on the document page, or through its upload buttons.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Permission } from '../ui/action-button.tsx';
import { showError, showWhile } from '../ui/toasts.tsx';
import { DropZone } from '../upload/file-input.tsx';
import { packStepFiles } from '../upload/step-archive.ts';
import { countParts } from '../upload/step-structure.ts';
import { upload } from '../upload/transfers.ts';
import { uploadKindOf } from '../upload/upload-kind.ts';
import type { DocumentViewProps } from './document-page.tsx';
import { ImportQuestion, type QuestionableFile } from './import-question.tsx';

const AddFiles = createContext<(files: File[]) => void>(() => {});

/** Returns a function that uploads files as if they were dropped. */
export const useAddFiles = (): ((files: File[]) => void) => useContext(AddFiles);

export function DraftDropZone({ children, ...props }: DocumentViewProps & { children: ComponentChildren }) {
  const { document, version } = props;
  const [question, setQuestion] = useState<QuestionableFile | null>(null);
  const permission = uploadPermission(props);
  const addFiles = (files: File[]) =>
    void showWhile('Reading the files…', async () => uploadFiles(await packStepFiles(files), props, setQuestion)).catch(
      showError,
    );
  return (
    <DropZone
      class="document-drop"
      label={`Upload to the draft of ${version.workspace.name}`}
      disabledReason={permission.allowed ? null : (permission.message ?? 'Uploads are not allowed here.')}
      onFiles={addFiles}
    >
      <AddFiles.Provider value={addFiles}>{children}</AddFiles.Provider>
      {question && (
        <ImportQuestion {...question} document={document} version={version} onClose={() => setQuestion(null)} />
      )}
    </DropZone>
  );
}

/** Returns whether files can be uploaded to the displayed draft or version. */
export function uploadPermission({ document, version }: DocumentViewProps): Permission {
  if (version.type === 'version')
    return { allowed: false, message: `v${version.n} is immutable. Select a draft to upload to.` };
  return document.workspaces.find(({ id }) => id === version.workspaceId)?.permissions.canUpload ?? { allowed: false };
}

async function uploadFiles(
  files: readonly File[],
  { document, version }: DocumentViewProps,
  ask: (question: QuestionableFile) => void,
): Promise<void> {
  const existing: { kind: string; fileName: string }[] = [...version.artifacts];
  const targets = files.map((file) => {
    const target = uploadKindOf(file.name, document.kind, existing);
    if ('kind' in target) existing.push({ kind: target.kind, fileName: file.name });
    return { file, target };
  });
  if (targets.filter(({ target }) => 'askToSplit' in target || target.job).length > 1) {
    showError(
      'A draft can have only one CAD file or assembly structure. To create a document for each file, drop the files on the document list.',
    );
    return;
  }
  for (const { file, target } of targets) {
    const structure = await countParts(file);
    if ('askToSplit' in target || (target.kind === 'source' && structure)) ask({ file, structure });
    else upload(file, { versionId: version.id, document, kind: target.kind, job: target.job });
  }
}
