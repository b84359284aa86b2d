// What a dropped file becomes in a draft, by its name and the kind of document.
export type Becomes =
  /** Stored as this kind of file. */
  | { kind: string; split?: true; job: boolean }
  /** A STEP file for an assembly: stored only after asking, because it is taken apart. */
  | { askToSplit: true };
type Existing = { kind: string; fileName: string };
type DocumentKind = 'model' | 'assembly' | 'code';

const CAD = /\.(stp|step|p21|stpz|ofb)$/i;
const STEP = /\.(stp|step|p21)$/i;

/** Whether a file holds the shape of a part as CAD systems write it. */
export const isCad = (fileName: string): boolean => CAD.test(fileName);

/**
 * CAD files are the source of a model, JSON is the structure of an assembly, everything else is attached under a name made of the file's. A file of the
 * same name replaces its attachment; another one never does.
 */
export function whatItBecomes(fileName: string, documentKind: DocumentKind, existing: readonly Existing[]): Becomes {
  if (documentKind === 'model' && isCad(fileName)) return { kind: 'source', job: true };
  if (documentKind === 'assembly' && STEP.test(fileName)) return { askToSplit: true };
  if (documentKind === 'assembly' && /\.json$/i.test(fileName)) return { kind: 'asm-json', job: true };
  return { kind: attachmentKind(fileName, existing), job: false };
}

function attachmentKind(fileName: string, existing: readonly Existing[]): string {
  const attached = existing.filter(({ kind }) => kind.startsWith('attachment.'));
  const same = attached.find((file) => file.fileName === fileName);
  if (same) return same.kind;
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

/** The name of a document made from a file: that of the file without its ending. */
export const nameFromFile = (fileName: string): string => fileName.replace(/\.[a-z0-9]{1,8}$/i, '').trim() || fileName;

/** What the header X-File-Name takes: the UTF-8 bytes of the name, each as one character. */
export const headerOf = (fileName: string): string => String.fromCharCode(...new TextEncoder().encode(fileName));

/** The media type of a file; browsers know none for STEP. */
export const typeOf = (file: { name: string; type: string }): string =>
  file.type ||
  (STEP.test(file.name) ? 'model/step' : /\.json$/i.test(file.name) ? 'application/json' : 'application/octet-stream');
