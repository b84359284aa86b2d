// What happens to a draft that receives other content: what would be lost, and what it descends from afterwards.
import type { Changes } from '../audit/audit-event.ts';
import { refuse } from '../errors.ts';

type Content = { kind: string; fileName: string; sha256: string };
type DraftFile = Content & { size: number; generator: string | null; createdAt: Date; createdBy: string };

/** A thing of the draft that no version holds. `changedBy` is the id of a user. */
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
 * The files of a draft that are in none of the contents held elsewhere: another kind, name or hash is another content. Derived files do
 * not count: they can be derived again.
 */
export function lostFiles(draft: readonly DraftFile[], held: readonly Content[]): LostFile[] {
  const known = new Set(held.map(identityOf));
  return draft
    .filter((file) => isUserFile(file) && !known.has(identityOf(file)))
    .map(({ kind, fileName, sha256, size, createdAt, createdBy }) => ({
      what: 'file',
      ...{ kind, fileName, sha256, size, changedAt: createdAt, changedBy: createdBy },
    }));
}

/** Whether a file was made by people, in contrast to what an engine derived. */
export function isUserFile({ generator }: Pick<DraftFile, 'generator'>): boolean {
  return generator === null;
}

/** Where the generator of a code draft lives, when no version names that place. `changedBy` is the id of a user. */
export type LostCode = {
  what: 'code';
  kind: 'code';
  repoUrl: string;
  ref: string;
  path: string;
  changedAt: Date;
  changedBy: string;
};

/** Refuses when something would be lost (`draft_would_lose`), unless that is wanted. */
export function assertNothingLost(lost: readonly Pick<LostFile | LostCode, 'what'>[], force: boolean): void {
  if (!lost.length || force) return;
  const files = lost.filter(({ what }) => what === 'file').length;
  const held = [
    ...(files ? [files === 1 ? 'a file' : `${files} files`] : []),
    ...(files < lost.length ? ['a location of its code'] : []), // one at most
  ].join(' and ');
  refuse(
    'draft_would_lose',
    `The draft holds ${held} that no version holds. Make a version first, or repeat with force.`,
    { lost },
  );
}

type Version = { _id: string; documentId: string; type: 'draft' | 'version' };

/** Refuses what is no version (`not_a_version`) or one of another document (`wrong_document`). */
export function assertVersionOf(document: { _id: string; number: string }, { _id, documentId, type }: Version): void {
  if (documentId !== document._id)
    refuse('wrong_document', `${_id} belongs to another document than ${document.number}.`, {
      versionId: _id,
      documentId,
    });
  if (type !== 'version')
    refuse('not_a_version', `${_id} is a draft; a version of ${document.number} is needed.`, { versionId: _id });
}

/** What a draft descends from once its whole content came from elsewhere: the version it continues, and those the content came from. */
export function parentsAfterTakeOver(basedOnVersionId: string | null, from: readonly string[]): string[] {
  return [...new Set([...(basedOnVersionId ? [basedOnVersionId] : []), ...from])];
}

type Named = Content & { size: number };

/** Kind by kind which file was there and which one is, as an audit record has it. */
export function contentChanges(before: readonly Named[], after: readonly Named[]): Changes {
  const [from, to] = [byKind(before), byKind(after)];
  const kinds = new Set([...from.keys(), ...to.keys()]);
  return Object.fromEntries(
    [...kinds].sort().map((kind) => [kind, { from: from.get(kind) ?? null, to: to.get(kind) ?? null }]),
  );
}

function byKind(files: readonly Named[]): Map<string, { fileName: string; size: number; sha256: string }> {
  return new Map(files.map(({ kind, fileName, size, sha256 }) => [kind, { fileName, size, sha256 }]));
}

function identityOf({ kind, fileName, sha256 }: Content): string {
  return JSON.stringify([kind, fileName, sha256]);
}
