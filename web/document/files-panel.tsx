import { useState } from 'preact/hooks';
import { RemoveFileDocument } from '../generated/operations.ts';
import { hasThumbnail } from '../preview/draw-thumbnail.ts';
import { FileThumbnail } from '../preview/file-thumbnail.tsx';
import { PreviewDialog } from '../preview/preview-dialog.tsx';
import { previewOf } from '../preview/preview-kind.ts';
import { apiUrl, execute } from '../shell/api-client.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { formatBytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { showError, showSuccess, showWhile } from '../ui/toasts.tsx';
import { FilePicker } from '../upload/file-input.tsx';
import { packStepFiles } from '../upload/step-archive.ts';
import { upload } from '../upload/transfers.ts';
import { SELECTABLE } from '../upload/upload-kind.ts';
import type { DocumentViewProps, ShownVersion } from './document-page.tsx';
import { uploadPermission, useAddFiles } from './draft-drop-zone.tsx';

type Artifact = ShownVersion['artifacts'][number];

const KIND_LABELS: Record<string, string> = {
  source: 'CAD file',
  'asm-json': 'assembly structure',
  code: 'code',
  manifest: 'manifest',
  stp: 'STEP',
  ofb: 'OFB',
  glb: '3D view',
  properties: 'properties',
  thumbnail: 'thumbnail',
};
const REPLACEABLE: Record<string, string> = { source: SELECTABLE, 'asm-json': '.json' };
const isUploaded = ({ kind }: Artifact) =>
  kind in REPLACEABLE || kind.startsWith('attachment.') || kind === 'code' || kind === 'manifest';

/** The files of a draft or version: uploaded files first, then the files that jobs derived from them. */
export function FilesPanel(props: DocumentViewProps) {
  const { document, version } = props;
  const [removed, setRemoved] = useState<Artifact | null>(null);
  const [previewed, setPreviewed] = useState<Artifact | null>(null);
  const addFiles = useAddFiles();
  const permission = uploadPermission(props);
  const isDraft = version.type === 'draft';
  const uploaded = version.artifacts.filter(isUploaded);
  const derived = version.artifacts.filter((file) => !isUploaded(file));
  const line = (file: Artifact) => (
    <FileLine
      key={file.id}
      file={file}
      props={props}
      onRemove={() => setRemoved(file)}
      onPreview={() => setPreviewed(file)}
    />
  );
  return (
    <section class="card" aria-label="Files">
      <div class="row">
        <h2 class="grow">Files</h2>
        {isDraft && <FilePicker label="Add files" multiple permission={permission} onFiles={addFiles} />}
      </div>
      {version.artifacts.length === 0 && (
        <p class="quiet">
          {isDraft ? `No files yet. Drop ${EXPECTED[document.kind]} here, or add files.` : 'This version has no files.'}
        </p>
      )}
      <ul class="files">{uploaded.map(line)}</ul>
      {derived.length > 0 && (
        <details open={uploaded.length === 0}>
          <summary>
            {derived.length} derived {derived.length === 1 ? 'file' : 'files'}
          </summary>
          <ul class="files">{derived.map(line)}</ul>
        </details>
      )}
      {previewed && <PreviewDialog file={previewed} onClose={() => setPreviewed(null)} />}
      {removed && (
        <FormDialog
          title={`Remove ${removed.fileName}?`}
          submitLabel="Remove"
          danger
          onClose={() => setRemoved(null)}
          onSubmit={async () => {
            await execute(RemoveFileDocument, { versionId: version.id, kind: removed.kind });
            showSuccess(`Removed ${removed.fileName} from the draft.`);
            props.reload();
          }}
        >
          <p>Removes the file from the draft only. Existing versions keep it.</p>
        </FormDialog>
      )}
    </section>
  );
}

const EXPECTED = { model: 'a STEP file', assembly: 'a STEP assembly or an asm.json', code: 'attachments' } as const;

type LineProps = { file: Artifact; props: DocumentViewProps; onRemove: () => void; onPreview: () => void };

function FileLine({ file, props, onRemove, onPreview }: LineProps) {
  const { document, version } = props;
  const { id, kind, fileName, size, sha256, generator, stale, createdAt, createdBy } = file;
  const permission = uploadPermission(props);
  const isDraft = version.type === 'draft';
  const accept = REPLACEABLE[kind];
  const isShown = previewOf(fileName, size) !== null;
  return (
    <li>
      {isUploaded(file) && hasThumbnail(fileName, size) && <FileThumbnail id={id} fileName={fileName} />}
      <div class="file-info">
        {isShown ? (
          <button type="button" class="link cut" title={fileName} onClick={onPreview}>
            {fileName}
          </button>
        ) : (
          <a class="cut" href={apiUrl(`/artifacts/${id}/file`)} download={fileName} title={fileName}>
            {fileName}
          </a>
        )}
        <small>
          {KIND_LABELS[kind] ?? 'attachment'} · {formatBytes(size)} ·{' '}
          <span title={generator ?? undefined}>{generator ? 'derived' : createdBy.name}</span> <Time at={createdAt} />
          {stale && <span class="mark warn">out of date</span>}
        </small>
        <small class="mono" title={`sha256 ${sha256}`}>
          {sha256.slice(0, 12)}
        </small>
      </div>
      {isShown && (
        <button type="button" class="bare" aria-label={`Show ${fileName}`} title="Show" onClick={onPreview}>
          <Icon name="eye" />
        </button>
      )}
      <a
        class="button bare"
        href={apiUrl(`/artifacts/${id}/file`)}
        download={fileName}
        aria-label={`Download ${fileName}`}
        title="Download"
      >
        <Icon name="download" />
      </a>
      {isDraft && accept && (
        <FilePicker
          iconOnly
          class="bare"
          label={`Replace ${fileName}`}
          accept={accept}
          permission={permission}
          onFiles={(files) =>
            void showWhile('Reading the files…', () => packStepFiles(files)).then(
              ([chosen]) => chosen && upload(chosen, { versionId: version.id, document, kind, job: true }),
              showError,
            )
          }
        />
      )}
      {isDraft && isUploaded(file) && (
        <ActionButton class="bare" icon="trash" permission={permission} onClick={onRemove}>
          <span class="visually-hidden">Remove {fileName}</span>
        </ActionButton>
      )}
    </li>
  );
}
