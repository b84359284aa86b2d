// Starts the uploads of an import, so that it can be continued after a reload of the page.
import { createIdempotencyKey } from '../shell/api-client.ts';
import { type InspectedFile, inspectFiles } from './inspect-files.ts';
import { addPending, type PendingFile, removePending, takeInterrupted } from './pending-files.ts';
import { uploadAsNew } from './transfers.ts';

export type Upload = InspectedFile & { folderId: string | null; split: boolean };

/** Uploads files as new documents. A file of an interrupted import goes on under its key, so that it takes effect once. */
export function startUploads(uploads: readonly Upload[]): void {
  const startedAt = Date.now();
  const pending = uploads.map(({ file: { name: fileName, size }, sha256, folderId, split }): PendingFile => {
    const interrupted = takeInterrupted({ sha256, fileName, folderId, split });
    return interrupted ?? { key: createIdempotencyKey(), fileName, size, sha256, folderId, split, startedAt };
  });
  addPending(pending);
  for (const [at, { key, folderId, split }] of pending.entries()) {
    const { file } = uploads[at] as Upload;
    uploadAsNew(file, folderId, { split, key, onEnd: () => removePending(key) });
  }
}

const renamed = (file: File, name: string): File =>
  new File([file], name, { type: file.type, lastModified: file.lastModified });

/** Continues interrupted imports with the files among `files` that belong to them. Returns the other files. */
export async function continueUploads(files: readonly File[], pending: readonly PendingFile[]): Promise<File[]> {
  const sizes = new Set(pending.map(({ size }) => size));
  const candidates = files.filter(({ size }) => sizes.has(size));
  const inspected = await inspectFiles(candidates, new AbortController().signal, () => {});
  const continued = inspected.flatMap((each) => {
    const found = takeInterrupted({ sha256: each.sha256 });
    return found ? [{ each, found }] : [];
  });
  addPending(continued.map(({ found }) => found));
  for (const { each, found } of continued) {
    const { key, fileName, folderId, split } = found;
    // under the name at the start of the import, as the key requires
    const file = each.file.name === fileName ? each.file : renamed(each.file, fileName);
    uploadAsNew(file, folderId, { split, key, onEnd: () => removePending(key) });
  }
  const used = new Set(continued.map(({ each }) => each.file));
  return files.filter((file) => !used.has(file));
}
