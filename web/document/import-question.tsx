// Asks how to use a file that contains, or may contain, an assembly, before it is uploaded to a draft.
import { useState } from 'preact/hooks';
import { FormDialog } from '../ui/dialog.tsx';
import { type StepStructure, structureText } from '../upload/step-structure.ts';
import { upload, uploadAsNew } from '../upload/transfers.ts';
import type { DocumentViewProps } from './document-page.tsx';

/** `structure` is null if the file is one part, undefined if the page cannot count its parts. */
export type QuestionableFile = { file: File; structure: StepStructure | null | undefined };
type Props = QuestionableFile & Pick<DocumentViewProps, 'document' | 'version'> & { onClose: () => void };

export function ImportQuestion(props: Props) {
  return props.document.kind === 'assembly' ? <FillAssembly {...props} /> : <ReplaceModel {...props} />;
}

function FillAssembly({ document, version, file, structure, onClose }: Props) {
  const submit = async () => upload(file, { versionId: version.id, document, kind: 'source', split: true, job: true });
  return (
    <FormDialog
      title={`Import ${file.name}?`}
      submitLabel="Import"
      help="guide#upload-files"
      onClose={onClose}
      onSubmit={submit}
    >
      {structure && (
        <p>
          {file.name}: <b>{structureText(structure)}</b>
        </p>
      )}
      <p>
        {document.number} is an assembly. The import creates a model for each part of the file, reuses parts that
        already exist, and places them in this assembly as in the file.
      </p>
    </FormDialog>
  );
}

function ReplaceModel({ document, version, file, structure, onClose }: Props) {
  const [split, setSplit] = useState(false);
  const submit = async () => {
    if (split) uploadAsNew(file, document.folder?.id ?? null, { split });
    else upload(file, { versionId: version.id, document, kind: 'source', job: true });
  };
  return (
    <FormDialog
      title={`Import ${file.name}`}
      submitLabel="Import"
      help="guide#upload-files"
      onClose={onClose}
      onSubmit={submit}
    >
      <fieldset class="kinds">
        <legend>
          {file.name}
          {structure && `: ${structureText(structure)}`}
        </legend>
        <label class="inline">
          <input type="radio" name="import-as" checked={!split} onChange={() => setSplit(false)} />
          <span>
            Keep as one model{' '}
            <small>
              the file of {document.number} in {version.workspace.name}
            </small>
          </span>
        </label>
        <label class="inline">
          <input type="radio" name="import-as" checked={split} onChange={() => setSplit(true)} />
          <span>
            Import as documents{' '}
            <small>
              a new assembly beside {document.number}, which stays as it is, and a document for each part; parts that
              already exist are reused
            </small>
          </span>
        </label>
      </fieldset>
    </FormDialog>
  );
}
