// Finds ZIP archives with STEP files, and packs STEP files that reference each other into one archive.
import { downloadZip } from 'client-zip';
import { formatOf, isModelFormat, MODEL_EXTENSIONS } from '../../subgraphs/core/domain/formats/formats.ts';
import { folderPathOf, keepFolderPath } from './file-drop.ts';
import { isStep } from './upload-kind.ts';

/**
 * Prepares selected files for the upload. A ZIP archive in which all models are STEP files gets the extension
 * `.step.zip`, so that it becomes the source of a model. STEP files that reference each other become one such archive.
 */
export async function packStepFiles(files: readonly File[]): Promise<File[]> {
  const marked = await Promise.all(files.map(markArchive));
  const steps = marked.filter(({ name }) => isStep(name));
  if (steps.length < 2) return marked;
  const sets = await stepSets(steps);
  const packed = new Set(sets.flat());
  return [...marked.filter((file) => !packed.has(file)), ...(await Promise.all(sets.map(zipStepSet)))];
}

/** The extensions of files that the file dialog offers: those of models, and of archives, which may contain STEP files. */
export const SELECTABLE: string = [...MODEL_EXTENSIONS, '.zip'].join();

/** Packs STEP files, the referencing one first, into an archive that is named after it. */
export async function zipStepSet(files: readonly File[]): Promise<File> {
  const [main] = files as [File, ...File[]];
  const entries = files.map((file) => ({ name: pathOf(file), lastModified: new Date(file.lastModified), input: file }));
  const archive = await downloadZip(entries).blob();
  return keepFolderPath(new File([archive], `${baseOf(main.name)}.step.zip`, { type: 'application/zip' }), main);
}

const pathOf = (file: File): string => [folderPathOf(file), file.name].filter(Boolean).join('/');
const baseOf = (name: string): string => name.replace(/\.[^.]*$/, '');

async function markArchive(file: File): Promise<File> {
  if (!/\.zip$/i.test(file.name) || formatOf(file.name) !== null || !(await containsOnlyStep(file))) return file;
  const marked = new File([file], `${baseOf(file.name)}.step.zip`, {
    type: 'application/zip',
    lastModified: file.lastModified,
  });
  return keepFolderPath(marked, file);
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
async function stepSets(files: readonly File[]): Promise<File[][]> {
  const byName = new Map(files.map((file) => [file.name.toLowerCase(), file]));
  const uses = new Map<File, File[]>();
  for (const file of files) {
    const targets = (await externalNames(file)).flatMap((name) => byName.get(name) ?? []);
    uses.set(
      file,
      targets.filter((target) => target !== file),
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

const REFERENCE = /\b(?:DOCUMENT_FILE|APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT)\s*\(\s*'((?:[^']|'')*)'/g;
const MAX_REFERENCE_LENGTH = 2_048; // the part of a reference that a chunk may cut off
const MAX_SIZE = 1e9;

// The names of the files that a STEP file references, in lower case and without folders.
async function externalNames(file: Blob): Promise<string[]> {
  if (file.size > MAX_SIZE) return [];
  const names = new Set<string>();
  let rest = '';
  const reader = file.stream().pipeThrough(new TextDecoderStream('latin1')).getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const text = rest + step.value;
    for (const [, name = ''] of text.matchAll(REFERENCE)) names.add(name.split(/[\\/]/).at(-1)!.toLowerCase());
    rest = text.slice(-MAX_REFERENCE_LENGTH);
  }
  return [...names];
}
