// Replacing the content of a draft: the unsaved work it would lose and its lineage afterwards.

import type { Changes } from '../audit/audit-event.ts';
import { refuse } from '../errors.ts';

type Content = { kind: string; fileName: string; sha256: string };
type DraftFile = Content & { size: number; generator: string | null; createdAt: Date; createdBy: string };

/** A file of a draft that no version contains. `changedBy` is a user id. */
export type LostFile = {
  what: 'file';
  kind: string;
  fileName: string;
  sha256: string;
  size: number;
  changedAt: Date;
  changedBy: string;
};

/**
 * Returns the user files of a draft that are not among the saved files, compared by kind, name and hash. Derived files
 * can be derived again.
 */
export function lostFiles(draft: readonly DraftFile[], saved: readonly Content[]): LostFile[] {
  const known = new Set(saved.map(identityOf));
  return draft
    .filter((file) => isUserFile(file) && !known.has(identityOf(file)))
    .map(({ kind, fileName, sha256, size, createdAt, createdBy }) => ({
      what: 'file',
      kind,
      fileName,
      sha256,
      size,
      changedAt: createdAt,
      changedBy: createdBy,
    }));
}

/** Returns whether a user provided the file, in contrast to one that an engine derived. */
export function isUserFile({ generator }: Pick<DraftFile, 'generator'>): boolean {
  return generator === null;
}

/** The generator location of a draft that no version contains. `changedBy` is a user id. */
export type LostCode = {
  what: 'code';
  kind: 'code';
  repoUrl: string;
  ref: string;
  path: string;
  changedAt: Date;
  changedBy: string;
};

/** Throws `draft_would_lose` if files or a generator location would be lost, unless forced. */
export function assertNothingLost(lost: readonly Pick<LostFile | LostCode, 'what'>[], force: boolean): void {
  if (!lost.length || force) return;
  const files = lost.filter(({ what }) => what === 'file').length;
  const unsaved = [
    ...(files ? [files === 1 ? 'a file' : `${files} files`] : []),
    ...(files < lost.length ? ['a generator location'] : []),
  ].join(' and ');
  refuse(
    'draft_would_lose',
    `The draft contains ${unsaved} that no version contains. Create a version first, or repeat with force.`,
    { lost },
  );
}

type Version = { _id: string; documentId: string; type: 'draft' | 'version' };

/** Throws `wrong_document` or `not_a_version` unless the record is a version of the document. */
export function assertVersionOf(document: { _id: string; number: string }, { _id, documentId, type }: Version): void {
  if (documentId !== document._id)
    refuse('wrong_document', `Version ${_id} does not belong to document ${document.number}.`, {
      versionId: _id,
      documentId,
    });
  if (type !== 'version')
    refuse('not_a_version', `${_id} is a draft. A version of ${document.number} is required.`, { versionId: _id });
}

/**
 * Returns the parents of a draft after its content was replaced: the version it is based on, then the source versions.
 */
export function parentsAfterTakeOver(basedOnVersionId: string | null, sources: readonly string[]): string[] {
  return [...new Set([...(basedOnVersionId ? [basedOnVersionId] : []), ...sources])];
}

type StoredFile = Content & { size: number };

/** Returns the file before and after for each kind, in the format of an audit record. */
export function contentChanges(before: readonly StoredFile[], after: readonly StoredFile[]): Changes {
  const [from, to] = [byKind(before), byKind(after)];
  const kinds = new Set([...from.keys(), ...to.keys()]);
  return Object.fromEntries(
    [...kinds].sort().map((kind) => [kind, { from: from.get(kind) ?? null, to: to.get(kind) ?? null }]),
  );
}

function byKind(files: readonly StoredFile[]): Map<string, { fileName: string; size: number; sha256: string }> {
  return new Map(files.map(({ kind, fileName, size, sha256 }) => [kind, { fileName, size, sha256 }]));
}

function identityOf({ kind, fileName, sha256 }: Content): string {
  return JSON.stringify([kind, fileName, sha256]);
}
