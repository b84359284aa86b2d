import { useState } from 'preact/hooks';
import { RemoveFileDocument } from '../generated/operations.ts';
import { ask, fileAddress } from '../shell/ask.ts';
import { Deed } from '../ui/deed.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { bytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { noteDone } from '../ui/notes.tsx';
import { Time } from '../ui/time.tsx';
import { PickFiles } from '../upload/drop.tsx';
import { upload } from '../upload/transfers.ts';
import type { Shown, ShownVersion } from './document-page.tsx';
import { mayUpload, useTakeFiles } from './drop-on-draft.tsx';

type File_ = ShownVersion['artifacts'][number];

const WORDS: Record<string, string> = {
  source: 'CAD file',
  'asm-json': 'structure',
  code: 'code',
  manifest: 'manifest',
  stp: 'STEP',
  ofb: 'OFB',
  glb: '3D view',
  properties: 'measures',
  thumbnail: 'picture',
};
const REPLACED: Record<string, string> = { source: '.stp,.step,.p21,.ofb', 'asm-json': '.json' };
const isByHand = ({ kind }: File_) =>
  kind in REPLACED || kind.startsWith('attachment.') || kind === 'code' || kind === 'manifest';

/** The files of a draft or version: first what people made, then what engines made of it. */
export function FilesPanel(shown: Shown) {
  const { document, version } = shown;
  const [removed, setRemoved] = useState<File_ | null>(null);
  const takeFiles = useTakeFiles();
  const may = mayUpload(shown);
  const isDraft = version.type === 'draft';
  const byHand = version.artifacts.filter(isByHand);
  const derived = version.artifacts.filter((file) => !isByHand(file));
  const line = (file: File_) => <FileLine key={file.id} file={file} shown={shown} onRemove={() => setRemoved(file)} />;
  return (
    <section class="card" aria-label="Files">
      <div class="row">
        <h2 class="grow">Files</h2>
        {isDraft && <PickFiles label="Add files" several may={may} onFiles={takeFiles} />}
      </div>
      {version.artifacts.length === 0 && (
        <p class="quiet">
          {isDraft
            ? `No files yet. Drop ${WANTED[document.kind]} here, or choose one.`
            : 'This version holds no files.'}
        </p>
      )}
      <ul class="files">{byHand.map(line)}</ul>
      {derived.length > 0 && (
        <details open={byHand.length === 0}>
          <summary>
            {derived.length} made from {byHand.length === 1 ? 'it' : 'them'}
          </summary>
          <ul class="files">{derived.map(line)}</ul>
        </details>
      )}
      {removed && (
        <FormDialog
          title={`Remove ${removed.fileName}?`}
          deed="Remove"
          danger
          onClose={() => setRemoved(null)}
          onSubmit={async () => {
            await ask(RemoveFileDocument, { versionId: version.id, kind: removed.kind });
            noteDone(`${removed.fileName} is removed from the draft.`);
            shown.reload();
          }}
        >
          <p>Versions that hold it keep it. The draft goes on without it.</p>
        </FormDialog>
      )}
    </section>
  );
}

const WANTED = { model: 'a STEP file', assembly: 'an asm.json or a STEP assembly', code: 'attachments' } as const;

function FileLine({ file, shown, onRemove }: { file: File_; shown: Shown; onRemove: () => void }) {
  const { document, version } = shown;
  const { id, kind, fileName, size, sha256, generator, stale, createdAt, createdBy } = file;
  const may = mayUpload(shown);
  const isDraft = version.type === 'draft';
  const accept = REPLACED[kind];
  return (
    <li>
      <div class="file-what">
        <a class="cut" href={fileAddress(`/artifacts/${id}/file`)} download={fileName} title={fileName}>
          {fileName}
        </a>
        <small>
          {WORDS[kind] ?? 'attachment'} · {bytes(size)} ·{' '}
          <span title={generator ?? undefined}>{generator ? 'made' : createdBy.name}</span> <Time at={createdAt} />
          {stale && <span class="mark warn">of the file before</span>}
        </small>
        <small class="mono" title={`sha256 ${sha256}`}>
          {sha256.slice(0, 12)}
        </small>
      </div>
      <a
        class="button bare"
        href={fileAddress(`/artifacts/${id}/file`)}
        download={fileName}
        aria-label={`Download ${fileName}`}
        title="Download"
      >
        <Icon name="download" />
      </a>
      {isDraft && accept && (
        <PickFiles
          icon
          class="bare"
          label={`Replace ${fileName}`}
          accept={accept}
          may={may}
          onFiles={([chosen]) => chosen && void upload(chosen, { versionId: version.id, document, kind, job: true })}
        />
      )}
      {isDraft && isByHand(file) && (
        <Deed class="bare" icon="trash" may={may} onClick={onRemove}>
          <span class="visually-hidden">Remove {fileName}</span>
        </Deed>
      )}
    </li>
  );
}
