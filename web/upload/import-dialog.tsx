// Shows what an import would create, and asks how to import assemblies and what to do with files that already exist.
import { useEffect, useState } from 'preact/hooks';
import type { Folder } from '../find/folder-rows.ts';
import { CreateFolderDocument, FolderTreeDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { urlFor } from '../shell/router.ts';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { ProgressBar } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { showError } from '../ui/toasts.tsx';
import { folderAt, pathsTo } from './import-paths.ts';
import type { ImportRequest } from './import-request.ts';
import { type InspectedFile, inspectFiles } from './inspect-files.ts';
import { startUploads } from './start-uploads.ts';
import { packStepFiles } from './step-archive.ts';
import { structureText } from './step-structure.ts';
import { isCad } from './upload-kind.ts';

const MAX_ROWS = 300;
const SHOW_PROGRESS_MS = 300;

type Props = { request: ImportRequest; onClose: () => void };
type Inspected = { files: readonly InspectedFile[]; skipped: readonly File[]; folders: readonly Folder[] };
type Progress = { read: number; total: number };

/** Reads the files, then asks. A single file that is new and no assembly is imported without a question. */
export function ImportDialog({ request, onClose }: Props) {
  const [inspected, setInspected] = useState<Inspected | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [isSlow, setSlow] = useState(false);
  const [abort] = useState(() => new AbortController());
  const { files, target } = request;
  // The clean-up of the effect runs later: the inspection may end before it.
  const cancel = () => {
    abort.abort();
    onClose();
  };
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SHOW_PROGRESS_MS);
    const inspect = async () => {
      const packed = await packStepFiles(files, abort.signal);
      const cadFiles = packed.filter(({ name }) => isCad(name));
      const skipped = packed.filter(({ name }) => !isCad(name));
      if (cadFiles.length === 0) throw new Error(skippedText(skipped));
      const total = cadFiles.reduce((sum, { size }) => sum + size, 0);
      const found = await inspectFiles(cadFiles, abort.signal, (read) => setProgress({ read, total }));
      const { folders } = await execute(FolderTreeDocument, {}, { signal: abort.signal });
      abort.signal.throwIfAborted();
      const [single] = found;
      if (found.length > 1 || !single || single.structure || single.existing || single.path)
        return setInspected({ files: found, skipped, folders });
      if (skipped.length > 0) showError(skippedText(skipped));
      startUploads([{ ...single, folderId: target.id, split: false }]);
      onClose();
    };
    inspect().catch((error: unknown) => {
      if (abort.signal.aborted) return;
      showError(error);
      onClose();
    });
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, []);
  if (inspected) return <ImportForm {...inspected} target={target} onClose={onClose} />;
  if (!isSlow) return null;
  return (
    <Dialog title={titleOf(files)} onClose={cancel}>
      <p role="status">
        {progress ? `Reading ${formatBytes(progress.read)} of ${formatBytes(progress.total)}…` : 'Reading the files…'}
      </p>
      <ProgressBar value={progress ? progress.read / progress.total : undefined} label="Reading the files" />
      <div class="actions">
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

const titleOf = (files: readonly { name: string }[]): string =>
  files.length === 1 ? `Import ${files[0]?.name}` : `Import ${formatNumber(files.length)} files`;

const MAX_NAMES = 5;

/** Says that files are not imported, with the names of the first ones. */
function skippedText(files: readonly File[]): string {
  const names = files.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = files.length - names.length;
  return `Skipped ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: only CAD files create documents. Attach other files to a document.`;
}

type FormProps = Inspected & { target: ImportRequest['target']; onClose: () => void };

function ImportForm({ files, folders, skipped, target, onClose }: FormProps) {
  const [selected, setSelected] = useState<ReadonlySet<InspectedFile>>(
    () => new Set(files.filter((each) => files.length === 1 || !isDuplicate(each))),
  );
  const [kept, setKept] = useState<ReadonlySet<InspectedFile>>(new Set());
  const chosen = files.filter((each) => selected.has(each));
  const paths = [...new Set(chosen.flatMap(({ path }) => pathsTo(path)))].sort();
  const newPaths = paths.filter((path) => !folderAt(folders, target.id, path));
  const submit = async () => {
    if (chosen.length === 0) throw new Error('Select at least one file.');
    const idOf = new Map<string, string | null>([['', target.id]]);
    // read again: an attempt that failed has created some of the folders
    const current = paths.length > 0 ? (await execute(FolderTreeDocument, {})).folders : [];
    for (const path of paths) {
      const parentId = idOf.get(path.slice(0, Math.max(0, path.lastIndexOf('/')))) ?? null;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const existing = folderAt(current, target.id, path);
      idOf.set(path, existing ?? (await execute(CreateFolderDocument, { name, parentId })).createFolder.id);
    }
    startUploads(
      chosen.map((each) => ({
        ...each,
        folderId: idOf.get(each.path) ?? null,
        split: each.structure !== null && !kept.has(each),
      })),
    );
  };
  const hasPaths = files.some(({ path }) => path);
  const [single] = files;
  const isSingle = files.length === 1 && single !== undefined;
  const keep = (each: InspectedFile, asModel: boolean) => setKept(withMember(kept, each, asModel));
  return (
    <FormDialog
      title={titleOf(files.map(({ file }) => file))}
      submitLabel={isSingle ? submitLabelOf(single) : `Import ${count(chosen.length, 'file')}`}
      help="guide#upload-files"
      size={isSingle ? undefined : 'wide'}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>
        {isSingle ? 'Into' : `${formatNumber(chosen.length)} CAD files, ${formatBytes(sizeOf(chosen))}, into`}{' '}
        <b>{target.name}</b>
        {newPaths.length > 0 && `, with ${count(newPaths.length, 'new folder')}`}.
      </p>
      {isSingle ? (
        <SingleFile file={single} asModel={kept.has(single)} onKeep={(asModel) => keep(single, asModel)} />
      ) : (
        <>
          <ExistingFiles files={files} onSelect={setSelected} />
          <Table columns={['File', 'Import as', 'Exists as', ...(hasPaths ? ['Folder'] : [])]}>
            {files.slice(0, MAX_ROWS).map((each, at) => (
              <tr key={at}>
                <td>
                  <label class="inline">
                    <input
                      type="checkbox"
                      checked={selected.has(each)}
                      onChange={({ currentTarget }) => setSelected(withMember(selected, each, currentTarget.checked))}
                    />
                    <span>
                      {each.file.name} <small>{formatBytes(each.file.size).replace(' ', '\u00a0')}</small>
                    </span>
                  </label>
                </td>
                <td>
                  <ImportedAs file={each} asModel={kept.has(each)} onKeep={(asModel) => keep(each, asModel)} />
                </td>
                <td>
                  <ExistsAs file={each} />
                </td>
                {hasPaths && <td>{[target.name, ...each.path.split('/').filter(Boolean)].join(' › ')}</td>}
              </tr>
            ))}
          </Table>
          {files.length > MAX_ROWS && (
            <p class="quiet">…and {count(files.length - MAX_ROWS, 'more file')}, which are not listed.</p>
          )}
        </>
      )}
      {skipped.length > 0 && <p class="quiet">{skippedText(skipped)}</p>}
    </FormDialog>
  );
}

function submitLabelOf({ existing }: InspectedFile): string {
  return existing ? 'Import anyway' : 'Import';
}

type FileProps = { file: InspectedFile; asModel: boolean; onKeep: (asModel: boolean) => void };

function SingleFile({ file: { file, structure, existing }, asModel, onKeep }: FileProps) {
  return (
    <>
      {existing && (
        <p>
          The same file already exists: <DocumentLink {...existing} />
        </p>
      )}
      {structure && (
        <fieldset class="kinds">
          <legend>
            {file.name}: {structureText(structure)}
          </legend>
          <label class="inline">
            <input type="radio" name="import-as" checked={!asModel} onChange={() => onKeep(false)} />
            <span>
              Import as documents{' '}
              <small>
                an assembly and a document for each part, with a bill of materials; parts that already exist are reused
              </small>
            </span>
          </label>
          <label class="inline">
            <input type="radio" name="import-as" checked={asModel} onChange={() => onKeep(true)} />
            <span>
              Keep as one model <small>a single document that shows the whole file</small>
            </span>
          </label>
        </fieldset>
      )}
    </>
  );
}

function ImportedAs({ file: { file, structure }, asModel, onKeep }: FileProps) {
  if (!structure) return <>model</>;
  return (
    <>
      <select
        aria-label={`Import ${file.name} as`}
        value={asModel ? 'model' : 'documents'}
        onChange={({ currentTarget }) => onKeep(currentTarget.value === 'model')}
      >
        <option value="documents">documents</option>
        <option value="model">one model</option>
      </select>
      <small> {structureText(structure)}</small>
    </>
  );
}

function ExistsAs({ file: { existing, sameAs } }: Pick<FileProps, 'file'>) {
  if (existing) return <DocumentLink {...existing} />;
  return sameAs ? <>same file as {sameAs.name}</> : null;
}

const DocumentLink = ({ id, number, name }: NonNullable<InspectedFile['existing']>) => (
  <>
    <a class="mono" href={urlFor.document(id)} target="_blank" rel="noreferrer">
      {number}
    </a>{' '}
    {name}
  </>
);

type ExistingProps = { files: readonly InspectedFile[]; onSelect: (files: ReadonlySet<InspectedFile>) => void };

function ExistingFiles({ files, onSelect }: ExistingProps) {
  const existing = files.filter(({ existing: document }) => document);
  const duplicates = files.filter(isDuplicate);
  if (duplicates.length === 0) return null;
  const repeated = duplicates.length - existing.length;
  return (
    <fieldset class="kinds">
      <legend>
        {existing.length > 0 &&
          `${formatNumber(existing.length)} of ${count(files.length, 'file')} already ${existing.length === 1 ? 'exists' : 'exist'}. `}
        {repeated > 0 && `${count(repeated, 'file')} ${repeated === 1 ? 'is' : 'are'} dropped twice.`}
      </legend>
      <label class="inline">
        <input
          type="radio"
          name="existing"
          defaultChecked
          onChange={() => onSelect(new Set(files.filter((each) => !isDuplicate(each))))}
        />
        Skip them
      </label>
      <label class="inline">
        <input type="radio" name="existing" onChange={() => onSelect(new Set(files))} />
        Import anyway
      </label>
    </fieldset>
  );
}

const isDuplicate = ({ existing, sameAs }: InspectedFile): boolean => existing !== null || sameAs !== null;

function withMember<T>(set: ReadonlySet<T>, member: T, isMember: boolean): ReadonlySet<T> {
  const changed = new Set(set);
  if (isMember) changed.add(member);
  else changed.delete(member);
  return changed;
}

const sizeOf = (files: readonly InspectedFile[]): number => files.reduce((sum, { file }) => sum + file.size, 0);
const count = (n: number, noun: string): string => `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`;
