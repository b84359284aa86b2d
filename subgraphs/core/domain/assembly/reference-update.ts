// Updates of references to newer releases or versions.

import { parseAddress } from './address.ts';
import { isOutdated, type Resolution } from './reference.ts';

/** The target of an update: the newest release that is not obsolete, or the version with the highest number. */
export type UpdateTarget = 'release' | 'version';

/** The possible targets in a document. */
export type Newest = { release: Resolution | null; version: Resolution | null };

/**
 * A reference with its current resolution (null if unresolved) and the targets of its document (null if the document
 * does not exist).
 */
export type Updatable = { path: string; location: string; current: Resolution | null; newest: Newest | null };

export type UnchangedReason = 'floating' | 'up_to_date' | 'no_release' | 'no_version' | 'no_such_document';
export type AddressChange = { path: string; from: string; to: string };
export type Unchanged = { path: string; location: string; code: UnchangedReason; message: string };

/** Returns whether an address names a release or version. */
export function isPinned(location: string): boolean {
  return parseAddress(location).at.as !== 'newest';
}

/**
 * Returns the updated address, or why it is unchanged. A pinned address is updated if its document has a newer target,
 * or if it is obsolete or unresolved, but never to an older version. Without `to` a label is updated to a label and a
 * version to a version.
 */
export function updatedAddress(
  { location, current, newest }: Omit<Updatable, 'path'>,
  to?: UpdateTarget | null,
): { to: string } | { unchanged: UnchangedReason } {
  const { at } = parseAddress(location);
  if (at.as === 'newest') return { unchanged: 'floating' };
  if (!newest) return { unchanged: 'no_such_document' };
  const target = to ?? (at.as === 'revision' ? 'release' : 'version');
  const found = newest[target];
  if (!found) return { unchanged: target === 'release' ? 'no_release' : 'no_version' };
  if (current && !isOutdated(current, found)) return { unchanged: 'up_to_date' };
  return { to: `${location.split('@', 1)[0]}${addressSuffix(found, target)}` };
}

/** Returns what an update of the references at the given paths, or of all, changes. */
export function planUpdates(
  occurrences: readonly Updatable[],
  paths: ReadonlySet<string> | null,
  to?: UpdateTarget | null,
): { changed: AddressChange[]; unchanged: Unchanged[] } {
  const changed: AddressChange[] = [];
  const unchanged: Unchanged[] = [];
  for (const { path, ...occurrence } of occurrences) {
    if (paths && !paths.has(path)) continue;
    const update = updatedAddress(occurrence, to);
    if ('to' in update) changed.push({ path, from: occurrence.location, to: update.to });
    else
      unchanged.push({
        path,
        location: occurrence.location,
        code: update.unchanged,
        message: MESSAGES[update.unchanged],
      });
  }
  return { changed, unchanged };
}

/**
 * Returns the address with another document, named by its number or id as before. A pinned address is pinned to
 * `newest`, what the address of the other document without a suffix resolves to; without a suffix if that is null.
 */
export function withOtherDocument(
  location: string,
  other: { _id: string; number: string },
  newest: Resolution | null,
): string {
  const { target, at } = parseAddress(location);
  const unsuffixed = `pdm://documents/${target.includes('_') ? other._id : other.number}`;
  if (at.as === 'newest' || !newest) return unsuffixed;
  return `${unsuffixed}${addressSuffix(newest, newest.as === 'revision' ? 'release' : 'version')}`;
}

function addressSuffix({ label, n }: Resolution, as: UpdateTarget): string {
  return as === 'release' && label !== null ? `@${label}` : `@v${n}`;
}

const MESSAGES: Record<UnchangedReason, string> = {
  floating: 'The reference is not pinned and follows its document automatically.',
  up_to_date: 'The reference is up to date.',
  no_release: 'The document has no release that is not obsolete.',
  no_version: 'The document has no version.',
  no_such_document: 'The document does not exist.',
};
