// Finds out what files contain and whether they already exist, before they are uploaded.
import { FindSourcesDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { folderPathOf } from './file-drop.ts';
import { hashFile } from './hash-file.ts';
import { countParts, type StepStructure } from './step-structure.ts';

export type ExistingDocument = { id: string; number: string; name: string };
export type InspectedFile = {
  file: File;
  /** The dropped folder that contains the file, e.g. "gearbox/screws"; empty for a single file. */
  path: string;
  sha256: string;
  /** Null if the file is one part, or its parts cannot be counted. */
  structure: StepStructure | null;
  /** The document whose source is the same file. */
  existing: ExistingDocument | null;
  /** The earlier file of the same import with the same content. */
  sameAs: File | null;
};

const MAX_HASHES = 200; // in one request

/** Reads the files. Calls `onRead` with the number of bytes read so far. Rejects if a file cannot be read. */
export async function inspectFiles(
  files: readonly File[],
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): Promise<InspectedFile[]> {
  const inspected: InspectedFile[] = [];
  const first = new Map<string, File>();
  let read = 0;
  for (const file of files) {
    const sha256 = await hashFile(file, signal, (bytes) => {
      read += bytes;
      onRead(read);
    });
    const structure = (await countParts(file)) ?? null;
    const sameAs = first.get(sha256) ?? null;
    if (!sameAs) first.set(sha256, file);
    inspected.push({ file, path: folderPathOf(file), sha256, structure, existing: null, sameAs });
  }
  const existing = await findExisting([...first.keys()], signal);
  return inspected.map((each) => ({ ...each, existing: existing.get(each.sha256) ?? null }));
}

async function findExisting(hashes: readonly string[], signal: AbortSignal): Promise<Map<string, ExistingDocument>> {
  const existing = new Map<string, ExistingDocument>();
  for (let start = 0; start < hashes.length; start += MAX_HASHES) {
    const sha256 = hashes.slice(start, start + MAX_HASHES);
    const { sourceFiles } = await execute(FindSourcesDocument, { sha256 }, { signal });
    for (const { sha256: hash, version } of sourceFiles) existing.set(hash, version.document);
  }
  return existing;
}
