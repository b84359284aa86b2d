// What a release, its becoming obsolete or its being taken back would change for those who use the document.
import type { AddressAt } from '../assembly/address.ts';
import { type Candidates, isOutdated, type Resolution, resolveAddress } from '../assembly/reference.ts';
import { refuse } from '../errors.ts';
import { RELEASE_TRANSITIONS, type ReleaseDeed, stateAfter } from './release.ts';

const DEEDS = Object.keys(RELEASE_TRANSITIONS) as ReleaseDeed[];

/** The deed that is asked about; by default the next one in the life of a version. Refuses anything else. */
export function deedAsked(asked: string | null | undefined, release: { obsolete: boolean } | undefined): ReleaseDeed {
  if (asked === null || asked === undefined) return release ? (release.obsolete ? 'take-back' : 'obsolete') : 'release';
  const deed = DEEDS.find((each) => each === asked);
  if (deed) return deed;
  const message = `must be one of ${DEEDS.join(', ')}`;
  return refuse('validation_failed', `deed ${message}.`, { errors: [{ path: '/deed', message }] });
}

/** The release that would be made. */
export type NextRelease = { label: string; ordinal: number };

/** What there would be of a document after a deed to one of its versions. Refuses what the deed itself would refuse of the version. */
export function afterDeed(now: Candidates, deed: ReleaseDeed, versionId: string, next: NextRelease): Candidates {
  const n = now.versions.find(({ _id }) => _id === versionId)?.n ?? null;
  const release = now.revisions.find((revision) => revision.versionId === versionId) ?? null;
  const state = stateAfter(deed, { versionId, n, revision: release });
  const others = now.revisions.filter((revision) => revision !== release);
  if (state === 'version') return { ...now, revisions: others };
  const made = release ?? { _id: 'next', versionId, versionN: n ?? 0, ...next };
  return { ...now, revisions: [...others, { ...made, obsolete: state === 'obsolete' }] };
}

/** What an address means before and after. */
export type Shift = { from: Resolution | null; to: Resolution | null };

/**
 * The states of a document that would mean something else after a deed to one of its versions: another version, nothing or something, obsolete or no
 * longer. A release that only gives the same version a name is no change.
 */
export function shifts(now: Candidates, then: Candidates, versionId: string): { at: AddressAt; shift: Shift }[] {
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
export type Aging = 'becomes_outdated' | 'no_longer_outdated';

/** The versions of a document for which that would change. */
export function agings(now: Candidates, then: Candidates): Map<string, Aging> {
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
    now.versions.flatMap(({ _id }): [string, Aging][] =>
      before.has(_id) === after.has(_id) ? [] : [[_id, after.has(_id) ? 'becomes_outdated' : 'no_longer_outdated']],
    ),
  );
}
