// Determines the artifact kind of an uploaded file from its name and the document kind.
import { FORMATS, formatOf, isModelFormat, MODEL_EXTENSIONS } from '../../subgraphs/core/domain/formats/formats.ts';

export type UploadKind =
  /** Stored as this artifact kind; `job` if the upload queues a job. */
  | { kind: string; split?: true; job: boolean }
  /** A STEP file for an assembly: needs a confirmation, because the import splits it into documents. */
  | { askToSplit: true };
type ExistingFile = { kind: string; fileName: string };
type DocumentKind = 'model' | 'assembly' | 'code';

/** Returns whether a file name has the extension of a STEP file that is plain text. */
export const isStep = (fileName: string): boolean => formatOf(fileName) === 'step';

/** Returns whether a file name has the extension of a file that can be split into documents. */
export const canSplit = (fileName: string): boolean => SPLITTABLE.has(formatOf(fileName));

const SPLITTABLE: ReadonlySet<string | null> = new Set(['step', 'stepz', 'stepzip', 'fcstd']);

/** The extensions of files that the file dialog offers: those of models, and of archives, which may contain STEP files. */
export const SELECTABLE: string = [...MODEL_EXTENSIONS, '.zip'].join();

/** Returns whether a file name has the extension of a model. */
export const isCad = (fileName: string): boolean => isModelFormat(formatOf(fileName));

/**
 * Returns how to store a file. CAD files become the source of a model, JSON files the structure of an assembly, and all
 * others attachments named after the file. A file replaces an attachment only if both have the same file name.
 */
export function uploadKindOf(
  fileName: string,
  documentKind: DocumentKind,
  existing: readonly ExistingFile[],
): UploadKind {
  if (documentKind === 'model' && isCad(fileName)) return { kind: 'source', job: true };
  if (documentKind === 'assembly' && canSplit(fileName)) return { askToSplit: true };
  if (documentKind === 'assembly' && /\.json$/i.test(fileName)) return { kind: 'asm-json', job: true };
  return { kind: attachmentKind(fileName, existing), job: false };
}

function attachmentKind(fileName: string, existing: readonly ExistingFile[]): string {
  const attached = existing.filter(({ kind }) => kind.startsWith('attachment.'));
  const existingFile = attached.find((file) => file.fileName === fileName);
  if (existingFile) return existingFile.kind;
  const slug = `attachment.${slugOf(fileName)}`;
  const taken = new Set(attached.map(({ kind }) => kind));
  if (!taken.has(slug)) return slug;
  let count = 2;
  while (taken.has(`${slug.slice(0, 48)}-${count}`)) count++;
  return `${slug.slice(0, 48)}-${count}`;
}

const slugOf = (fileName: string): string =>
  fileName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '') || 'file';

/** Returns the name of a document created from a file: the file name without its extension. */
export const nameFromFile = (fileName: string): string => fileName.replace(/\.[a-z0-9]{1,8}$/i, '').trim() || fileName;

/** Encodes a file name for the X-File-Name header: its UTF-8 bytes, each as one character. */
export const fileNameHeader = (fileName: string): string => String.fromCharCode(...new TextEncoder().encode(fileName));

/** Returns the media type of a file; browsers do not know those of CAD files. */
export function mediaTypeOf({ name, type }: { name: string; type: string }): string {
  if (type) return type;
  if (/\.json$/i.test(name)) return 'application/json';
  const format = formatOf(name);
  return format ? FORMATS[format].mediaType : 'application/octet-stream';
}
