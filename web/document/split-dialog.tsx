import { useEffect, useState } from 'preact/hooks';
import { apiUrl, fetchService } from '../shell/api-client.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { messageOf } from '../ui/errors.ts';
import { Loading } from '../ui/status.tsx';
import { countParts, type StepStructure, structureText } from '../upload/step-structure.ts';
import { uploadAsNew } from '../upload/transfers.ts';
import type { ShownDocument } from './document-page.tsx';

type Props = { document: ShownDocument; source: { id: string; fileName: string }; onClose: () => void };
/** `structure` is null if the file is one part, undefined if the page cannot count its parts. */
type Loaded = { file: File; structure: StepStructure | null | undefined };

/** Imports the CAD file of a model as an assembly with a document for each part. The model stays as it is. */
export function SplitDialog({ document, source, onClose }: Props) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      const response = await fetchService(apiUrl(`/artifacts/${source.id}/file`), { signal: abort.signal });
      const file = new File([await response.blob()], source.fileName);
      setLoaded({ file, structure: await countParts(file) });
    };
    read().catch((error: unknown) => !abort.signal.aborted && setProblem(messageOf(error)));
    return () => abort.abort();
  }, [source.id]);
  const structure = loaded?.structure;
  const submit = async () => {
    if (!loaded || structure === null) throw new Error('There is nothing to import.');
    uploadAsNew(loaded.file, document.folder?.id ?? null, { split: true });
  };
  return (
    <FormDialog
      title={`Import ${source.fileName} as an assembly`}
      help="guide#upload-files"
      submitLabel="Import"
      onClose={onClose}
      onSubmit={submit}
    >
      {!loaded && !problem && <Loading>Reading the file…</Loading>}
      {problem && <p class="problem">{problem}</p>}
      {structure === null && <p>The file contains a single part, so there is nothing to split.</p>}
      {loaded && structure !== null && (
        <p>
          {structure && `The file contains ${structureText(structure)}. `}The import creates an assembly and a document
          for each part beside {document.number}, which stays as it is. Parts that already exist are reused.
        </p>
      )}
    </FormDialog>
  );
}
