// Finds ZIP archives with STEP files, and packs STEP files that reference each other into one archive.
import { decodeStepString } from '../../subgraphs/core/domain/formats/decode-step-string.ts';
import { createStepFileFinder } from '../../subgraphs/core/domain/formats/find-step-file.ts';
import { formatOf, isModelFormat } from '../../subgraphs/core/domain/formats/formats.ts';
import { folderPathOf, setFolderPath } from './file-drop.ts';
import { isStep } from './upload-kind.ts';

/**
 * Prepares selected files for the upload. A ZIP archive in which all models are STEP files gets the extension
 * `.step.zip`, so that it becomes the source of a model. STEP files that reference each other become one such archive.
 */
export async function packStepFiles(files: readonly File[], signal?: AbortSignal): Promise<File[]> {
  const marked = await Promise.all(files.map(markArchive));
  const steps = marked.filter(({ name }) => isStep(name));
  if (steps.length < 2) return marked;
  const sets = await stepSets(steps, signal);
  const packed = new Set(sets.flat());
  return [...marked.filter((file) => !packed.has(file)), ...(await Promise.all(sets.map(zipStepSet)))];
}

// Packs STEP files, the referencing one first, into an archive that is named after it.
async function zipStepSet(files: readonly File[]): Promise<File> {
  const [main] = files as [File, ...File[]];
  const { downloadZip } = await import('client-zip');
  const shared = sharedFolder(files.map((file) => folderPathOf(file)));
  const entries = files.map((file) => ({
    name: pathOf(file).slice(shared.length),
    lastModified: new Date(file.lastModified),
    input: file,
  }));
  const archive = await downloadZip(entries).blob();
  const file = new File([archive], `${baseOf(main.name)}.step.zip`, { type: 'application/zip' });
  return setFolderPath(file, folderPathOf(main));
}

// The deepest folder that contains the other folders, with a slash at its end; empty if there is none.
function sharedFolder([first = '', ...others]: readonly string[]): string {
  const names = first.split('/');
  while (names.length > 0 && others.some((other) => !`${other}/`.startsWith(`${names.join('/')}/`))) names.pop();
  const folder = names.join('/');
  return folder && `${folder}/`;
}

const pathOf = (file: File): string => [folderPathOf(file), file.name].filter(Boolean).join('/');
const baseOf = (name: string): string => name.replace(/\.[^.]*$/, '');

async function markArchive(file: File): Promise<File> {
  if (!/\.zip$/i.test(file.name) || formatOf(file.name) !== null || !(await containsOnlyStep(file))) return file;
  const marked = new File([file], `${baseOf(file.name)}.step.zip`, {
    type: 'application/zip',
    lastModified: file.lastModified,
  });
  return setFolderPath(marked, folderPathOf(file));
}

async function containsOnlyStep(archive: Blob): Promise<boolean> {
  const names = (await entryNames(archive)).filter((name) => !/(^|\/)[._]/.test(name));
  const models = names.filter((name) => isModelFormat(formatOf(name)));
  return models.length > 0 && models.every(isStep);
}

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;
const MAX_END = 65_557; // its 22 bytes and the longest comment
const MAX_DIRECTORY = 16 * 1024 * 1024;

/** Returns the names of the files in a ZIP archive; none if it has no directory that can be read. */
export async function entryNames(archive: Blob): Promise<string[]> {
  const tail = new DataView(await archive.slice(-MAX_END).arrayBuffer());
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END_OF_DIRECTORY) end--;
  if (end < 0) return [];
  const [size, offset] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (size > MAX_DIRECTORY) return [];
  const directory = new DataView(await archive.slice(offset, offset + size).arrayBuffer());
  const names: string[] = [];
  for (let at = 0; at + 46 <= directory.byteLength && directory.getUint32(at, true) === ENTRY; ) {
    const length = directory.getUint16(at + 28, true);
    const nameEnd = Math.min(at + 46 + length, directory.byteLength);
    names.push(new TextDecoder().decode(directory.buffer.slice(at + 46, nameEnd)));
    at += 46 + length + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return names;
}

// Groups of files that reference each other, each with the file first that no other one references.
async function stepSets(files: readonly File[], signal?: AbortSignal): Promise<File[][]> {
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  const find = createStepFileFinder(byPath.keys());
  const uses = new Map<File, File[]>();
  for (const file of files) {
    const names = await externalNames(file, signal);
    uses.set(
      file,
      names.flatMap((name) => byPath.get(find(pathOf(file), [name]) ?? '') ?? []),
    );
  }
  const used = new Set([...uses.values()].flat());
  return files
    .filter((file) => !used.has(file) && uses.get(file)!.length > 0)
    .map((main) => {
      const set = new Set([main]);
      for (const file of set) for (const target of uses.get(file) ?? []) set.add(target);
      return [...set];
    });
}

// The id and the name of a document, which may be a part of a complex entity, and its assigned location.
const REFERENCE =
  /\b(?:DOCUMENT(?:_FILE)?|APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT)\s*\(\s*'((?:[^']|'')*)'(?:\s*,\s*'((?:[^']|'')*)')?/g;
const MAX_REFERENCE_LENGTH = 2_048; // the part of a reference that a chunk may cut off
const MAX_SIZE = 1e9;

// The names of the files that a STEP file references.
async function externalNames(file: Blob, signal?: AbortSignal): Promise<string[]> {
  if (file.size > MAX_SIZE) return [];
  const names = new Set<string>();
  let rest = '';
  const reader = file.stream().pipeThrough(new TextDecoderStream('latin1')).getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    signal?.throwIfAborted();
    const text = rest + step.value;
    for (const [, ...found] of text.matchAll(REFERENCE))
      for (const name of found) if (name) names.add(decodeStepString(name));
    rest = text.slice(-MAX_REFERENCE_LENGTH);
  }
  return [...names];
}
