// What a release, its becoming obsolete or its being taken back would change for those who use the document.
import type { AddressAt } from '../assembly/address.ts';
import { type Candidates, isOutdated, type Resolution, resolveAddress } from '../assembly/reference.ts';
import { type ReleaseAction, releaseStateAfter } from './release.ts';

/** Returns the requested release action, or by default the next one in the life of the version. */
export function requestedAction(
  requested: ReleaseAction | null | undefined,
  release: { obsolete: boolean } | undefined,
): ReleaseAction {
  if (requested) return requested;
  if (!release) return 'release';
  return release.obsolete ? 'take_back' : 'obsolete';
}

/** The release that would be made. */
export type NextRelease = { label: string; ordinal: number };

/** What there would be of a document after a deed to one of its versions. Refuses what the deed itself would refuse of the version. */
export function candidatesAfter(
  now: Candidates,
  deed: ReleaseAction,
  versionId: string,
  next: NextRelease,
): Candidates {
  const n = now.versions.find(({ _id }) => _id === versionId)?.n ?? null;
  const release = now.revisions.find((revision) => revision.versionId === versionId) ?? null;
  const state = releaseStateAfter(deed, { versionId, n, revision: release });
  const others = now.revisions.filter((revision) => revision !== release);
  if (state === 'version') return { ...now, revisions: others };
  const made = release ?? { _id: 'next', versionId, versionN: n ?? 0, ...next };
  return { ...now, revisions: [...others, { ...made, obsolete: state === 'obsolete' }] };
}

/** What an address means before and after. */
export type ResolutionChange = { from: Resolution | null; to: Resolution | null };

/**
 * The states of a document that would mean something else after a deed to one of its versions: another version, nothing or something, obsolete or no
 * longer. A release that only gives the same version a name is no change.
 */
export function addressChanges(
  now: Candidates,
  then: Candidates,
  versionId: string,
): { at: AddressAt; shift: ResolutionChange }[] {
  const target = now.document._id;
  const n = now.versions.find(({ _id }) => _id === versionId)?.n;
  const label = [...now.revisions, ...then.revisions].find((revision) => revision.versionId === versionId)?.label;
  const states: AddressAt[] = [{ as: 'newest' }];
  if (label !== undefined) states.push({ as: 'revision', label });
  if (n !== undefined) states.push({ as: 'version', n });
  const meaning = (at: AddressAt, known: Candidates) => resolveAddress({ target, at }, known).resolution;
  return states
    .map((at) => ({ at, shift: { from: meaning(at, now), to: meaning(at, then) } }))
    .filter(({ shift: { from, to } }) => from?.versionId !== to?.versionId || from?.obsolete !== to?.obsolete);
}

/** What becomes of those who were frozen to a version: outdated, or no longer. */
export type OutdatedChange = 'becomes_outdated' | 'no_longer_outdated';

/** The versions of a document for which that would change. */
export function outdatedChanges(now: Candidates, then: Candidates): Map<string, OutdatedChange> {
  const outdatedIn = (known: Candidates) => {
    const newest = resolveAddress({ target: known.document._id, at: { as: 'newest' } }, known).resolution;
    const obsolete = new Set(known.revisions.filter((revision) => revision.obsolete).map(({ versionId }) => versionId));
    return new Set(
      known.versions
        .filter(({ _id, n }) => isOutdated({ versionId: _id, n, obsolete: obsolete.has(_id) }, newest))
        .map(({ _id }) => _id),
    );
  };
  const [before, after] = [outdatedIn(now), outdatedIn(then)];
  return new Map(
    now.versions.flatMap(({ _id }): [string, OutdatedChange][] =>
      before.has(_id) === after.has(_id) ? [] : [[_id, after.has(_id) ? 'becomes_outdated' : 'no_longer_outdated']],
    ),
  );
}
