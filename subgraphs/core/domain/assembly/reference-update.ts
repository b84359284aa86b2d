// Which newer state an address can be moved to, and how the moved address is written.
import { parseAddress } from './address.ts';
import { isOutdated, type Resolution } from './reference.ts';

/** Where an update leads: to the newest release that is not obsolete, or to the version with the highest n. */
export type UpdateTarget = 'release' | 'version';

/** What there is of a document to move to. */
export type Newest = { release: Resolution | null; version: Resolution | null };

/** An occurrence with what it means now (null: nothing) and what there is of its document (null: there is no such document). */
export type Updatable = { path: string; location: string; current: Resolution | null; newest: Newest | null };

export type StaysBecause = 'floating' | 'up_to_date' | 'no_release' | 'no_version' | 'no_such_document';
export type Change = { path: string; from: string; to: string };
export type Unchanged = { path: string; location: string; code: StaysBecause; message: string };

/** Whether an address names one state of its document. */
export function isPinned(location: string): boolean {
  return parseAddress(location).at.as !== 'newest';
}

/**
 * The address that an update writes, or why it stays as it is. A pinned address moves when its document has a newer state, or when what it
 * means is obsolete or gone; never back. Without `to` a label moves to a label and a version to a version. Its document is named as before.
 */
export function updatedAddress(
  { location, current, newest }: Omit<Updatable, 'path'>,
  to?: UpdateTarget | null,
): { to: string } | { stays: StaysBecause } {
  const { at } = parseAddress(location);
  if (at.as === 'newest') return { stays: 'floating' };
  if (!newest) return { stays: 'no_such_document' };
  const wanted = to ?? (at.as === 'revision' ? 'release' : 'version');
  const found = newest[wanted];
  if (!found) return { stays: wanted === 'release' ? 'no_release' : 'no_version' };
  if (current && !isOutdated(current, found)) return { stays: 'up_to_date' };
  return { to: `${location.split('@', 1)[0]}${suffix(found, wanted)}` };
}

/** What an update of some occurrences changes: of those that are named, or of all. */
export function planUpdates(
  occurrences: readonly Updatable[],
  paths: ReadonlySet<string> | null,
  to?: UpdateTarget | null,
): { changed: Change[]; unchanged: Unchanged[] } {
  const changed: Change[] = [];
  const unchanged: Unchanged[] = [];
  for (const { path, ...occurrence } of occurrences) {
    if (paths && !paths.has(path)) continue;
    const update = updatedAddress(occurrence, to);
    if ('to' in update) changed.push({ path, from: occurrence.location, to: update.to });
    else unchanged.push({ path, location: occurrence.location, code: update.stays, message: WORDS[update.stays] });
  }
  return { changed, unchanged };
}

/**
 * The address that names another document instead: by its number or id, as before. A bare address stays bare; a pinned one is pinned to what
 * the bare address of the other document means now, and bare while that means nothing.
 */
export function addressOfOther(
  location: string,
  other: { _id: string; number: string },
  meant: Resolution | null,
): string {
  const { target, at } = parseAddress(location);
  const bare = `pdm://documents/${target.includes('_') ? other._id : other.number}`;
  return at.as === 'newest' || !meant
    ? bare
    : `${bare}${suffix(meant, meant.as === 'revision' ? 'release' : 'version')}`;
}

function suffix({ label, n }: Resolution, as: UpdateTarget): string {
  return as === 'release' && label !== null ? `@${label}` : `@v${n}`;
}

const WORDS: Record<StaysBecause, string> = {
  floating: 'It follows its document by itself.',
  up_to_date: 'There is nothing newer.',
  no_release: 'Its document has no release, or all are obsolete.',
  no_version: 'Its document has no version yet.',
  no_such_document: 'There is no such document.',
};
