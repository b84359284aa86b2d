// Files for the draft that is shown: dropped anywhere on the page of the document, or chosen with a button of it.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { FormDialog } from '../ui/dialog.tsx';
import { noteProblem } from '../ui/notes.tsx';
import { DropZone } from '../upload/drop.tsx';
import { upload } from '../upload/transfers.ts';
import { whatItBecomes } from '../upload/what-it-becomes.ts';
import type { Shown } from './document-page.tsx';

const TakeFiles = createContext<(files: File[]) => void>(() => {});

/** Takes files as if they were dropped. */
export const useTakeFiles = (): ((files: File[]) => void) => useContext(TakeFiles);

export function DropOnDraft({ children, ...shown }: Shown & { children: ComponentChildren }) {
  const { document, version } = shown;
  const [apart, setApart] = useState<File | null>(null);
  const may = mayUpload(shown);
  const take = (files: File[]) => takeFiles(files, shown, setApart);
  return (
    <DropZone
      class="document-drop"
      says={`Drop into the draft of ${version.workspace.name}`}
      refused={may.allowed ? null : (may.message ?? 'Files cannot be stored here now.')}
      onFiles={take}
    >
      <TakeFiles.Provider value={take}>{children}</TakeFiles.Provider>
      {apart && (
        <FormDialog
          title={`Take ${apart.name} apart?`}
          deed="Take it apart"
          onClose={() => setApart(null)}
          onSubmit={async () => {
            void upload(apart, { versionId: version.id, document, kind: 'source', split: true, job: true });
          }}
        >
          <p>
            {document.number} is an assembly, and this is a STEP file. The engine makes a model of every part in it (a
            part that the service has already is used again) and places them in this assembly as the file does.
          </p>
        </FormDialog>
      )}
    </DropZone>
  );
}

/** Whether files may be stored in what is shown. */
export function mayUpload({ document, version }: Shown): { allowed: boolean; message?: string | null } {
  if (version.type === 'version')
    return { allowed: false, message: `v${version.n} is frozen. Choose a draft to upload to.` };
  return document.workspaces.find(({ id }) => id === version.workspaceId)?.permissions.canUpload ?? { allowed: false };
}

function takeFiles(files: readonly File[], { document, version }: Shown, askToSplit: (file: File) => void): void {
  const existing: { kind: string; fileName: string }[] = [...version.artifacts];
  const becoming = files.map((file) => {
    const becomes = whatItBecomes(file.name, document.kind, existing);
    if ('kind' in becomes) existing.push({ kind: becomes.kind, fileName: file.name });
    return { file, becomes };
  });
  if (becoming.filter(({ becomes }) => 'askToSplit' in becomes || becomes.job).length > 1) {
    noteProblem(
      'A draft holds one such file. Drop one; or drop several on the list of documents, which makes a document of each.',
    );
    return;
  }
  for (const { file, becomes } of becoming) {
    if ('askToSplit' in becomes) askToSplit(file);
    else void upload(file, { versionId: version.id, document, kind: becomes.kind, job: becomes.job });
  }
}
