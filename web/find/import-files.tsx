// Imports files that were dropped on the list, on a folder or on the header: one document for each CAD file.
import { useState } from 'preact/hooks';
import { CreateFolderDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { showError } from '../ui/toasts.tsx';
import { folderPathOf } from '../upload/file-drop.ts';
import { packStepFiles } from '../upload/step-archive.ts';
import { readStepStructure, type StepStructure } from '../upload/step-structure.ts';
import { uploadAsNew } from '../upload/transfers.ts';
import { isCad, isStep } from '../upload/upload-kind.ts';
import type { FolderRow } from './folder-rows.ts';
import { folderAt, pathsTo } from './import-paths.ts';

export type ImportTarget = { id: string | null; name: string };
/** A file to import; `structure` if it is an assembly, `path` the dropped folder that contains it. */
type ImportedFile = { file: File; path: string; structure: StepStructure | null };
/** An import that the user has to decide on. */
export type PendingImport = { target: ImportTarget; files: readonly ImportedFile[]; others: readonly File[] };

const MAX_WITHOUT_QUESTION = 20;

/**
 * Uploads CAD files into a folder. Returns what to ask first: whether to split assemblies, and whether to create the
 * folders of a dropped directory or many documents; null if the upload has started.
 */
export async function importFiles(selected: readonly File[], target: ImportTarget): Promise<PendingImport | null> {
  const files = await packStepFiles(selected);
  const cadFiles = files.filter(({ name }) => isCad(name));
  const others = files.filter(({ name }) => !isCad(name));
  const imported = await Promise.all(
    cadFiles.map(async (file) => ({
      file,
      path: folderPathOf(file),
      structure: isStep(file.name) ? await readStepStructure(file).catch(() => null) : null,
    })),
  );
  const isPlain = imported.every(({ structure, path }) => !structure && path === '');
  if (!isPlain || imported.length > MAX_WITHOUT_QUESTION) return { target, files: imported, others };
  if (others.length > 0) showError(skippedText(others));
  for (const { file } of imported) uploadAsNew(file, target.id);
  return null;
}

const skippedText = (others: readonly File[]) =>
  `Skipped ${others.map(({ name }) => name).join(', ')}: only CAD files create documents. Attach other files to a document.`;

type Props = { pending: PendingImport; rows: readonly FolderRow[]; onClose: () => void };

/** Asks how to import files: assemblies as one model or as documents, and which folders are created. */
export function ImportDialog({ pending: { target, files, others }, rows, onClose }: Props) {
  const [kept, setKept] = useState<ReadonlySet<File>>(new Set());
  const paths = [...new Set(files.flatMap(({ path }) => pathsTo(path)))].sort();
  const folders = rows.map(({ folder }) => folder);
  const newPaths = paths.filter((path) => !folderAt(folders, target.id, path));
  const assemblies = files.filter(({ structure }) => structure);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const submit = async () => {
    const idOf = new Map<string, string | null>([['', target.id]]);
    for (const path of paths) {
      const parentId = idOf.get(path.slice(0, Math.max(0, path.lastIndexOf('/')))) ?? null;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const existing = folderAt(folders, target.id, path);
      idOf.set(path, existing ?? (await execute(CreateFolderDocument, { name, parentId })).createFolder.id);
    }
    for (const { file, path, structure } of files)
      uploadAsNew(file, idOf.get(path) ?? null, { split: structure !== null && !kept.has(file) });
  };
  const keep = (file: File, asModel: boolean) => {
    const changed = new Set(kept);
    if (asModel) changed.add(file);
    else changed.delete(file);
    setKept(changed);
  };
  return (
    <FormDialog
      title={files.length === 1 ? `Import ${files[0]?.file.name}` : `Import ${formatNumber(files.length)} files`}
      submitLabel="Import"
      onClose={onClose}
      onSubmit={submit}
    >
      <p>
        {files.length === 1 ? '' : `${formatNumber(files.length)} CAD files, ${formatBytes(total)}, `}
        {files.length === 1 ? 'Into' : 'into'} <b>{target.name}</b>
        {newPaths.length > 0 && `, with ${newPaths.length} new ${newPaths.length === 1 ? 'folder' : 'folders'}`}.
      </p>
      {newPaths.length > 0 && (
        <ul class="import-list">
          {newPaths.map((path) => (
            <li key={path}>{path.split('/').join(' › ')}</li>
          ))}
        </ul>
      )}
      {assemblies.map(({ file, structure }) => (
        <fieldset key={`${folderPathOf(file)}/${file.name}`} class="kinds">
          <legend>
            {file.name}: {count(structure?.parts ?? 0, 'part')} in {count(structure?.places ?? 0, 'place')}
          </legend>
          <label class="inline">
            <input
              type="radio"
              name={`${folderPathOf(file)}/${file.name}`}
              checked={!kept.has(file)}
              onChange={() => keep(file, false)}
            />
            <span>
              Import as documents{' '}
              <small>
                an assembly and a document for each part, with a bill of materials; existing parts are reused
              </small>
            </span>
          </label>
          <label class="inline">
            <input
              type="radio"
              name={`${folderPathOf(file)}/${file.name}`}
              checked={kept.has(file)}
              onChange={() => keep(file, true)}
            />
            <span>
              Keep as one model <small>a single document that shows the whole file</small>
            </span>
          </label>
        </fieldset>
      ))}
      {others.length > 0 && <p class="quiet">{skippedText(others)}</p>}
    </FormDialog>
  );
}

const count = (n: number, noun: string) => `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`;
