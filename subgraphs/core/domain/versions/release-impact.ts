// Computes what a release action would change for the assemblies that use a document.

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

/** The label and ordinal that a release would get. */
export type NextRelease = { label: string; ordinal: number };

/**
 * Returns the versions and revisions of a document after a release action. Throws if the state of the version forbids
 * the action.
 */
export function candidatesAfter(
  before: Candidates,
  action: ReleaseAction,
  versionId: string,
  next: NextRelease,
): Candidates {
  const n = before.versions.find(({ _id }) => _id === versionId)?.n ?? null;
  const release = before.revisions.find((revision) => revision.versionId === versionId) ?? null;
  const state = releaseStateAfter(action, { versionId, n, revision: release });
  const others = before.revisions.filter((revision) => revision !== release);
  if (state === 'version') return { ...before, revisions: others };
  const changed = release ?? { _id: 'next', versionId, versionN: n ?? 0, ...next };
  return { ...before, revisions: [...others, { ...changed, obsolete: state === 'obsolete' }] };
}

/** The resolution of an address before and after; null if it does not resolve. */
export type ResolutionChange = { from: Resolution | null; to: Resolution | null };

/**
 * Returns the addresses of a document whose resolution differs after a release action on one version: in the version,
 * in its obsolete mark or in whether there is one.
 */
export function addressChanges(
  before: Candidates,
  after: Candidates,
  versionId: string,
): { at: AddressAt; change: ResolutionChange }[] {
  const target = before.document._id;
  const n = before.versions.find(({ _id }) => _id === versionId)?.n;
  const label = [...before.revisions, ...after.revisions].find((revision) => revision.versionId === versionId)?.label;
  const addresses: AddressAt[] = [{ as: 'newest' }];
  if (label !== undefined) addresses.push({ as: 'revision', label });
  if (n !== undefined) addresses.push({ as: 'version', n });
  const resolve = (at: AddressAt, candidates: Candidates) => resolveAddress({ target, at }, candidates).resolution;
  return addresses
    .map((at) => ({ at, change: { from: resolve(at, before), to: resolve(at, after) } }))
    .filter(({ change: { from, to } }) => from?.versionId !== to?.versionId || from?.obsolete !== to?.obsolete);
}

/** Whether assemblies frozen to a version become outdated or stop being outdated. */
export type OutdatedChange = 'becomes_outdated' | 'no_longer_outdated';

/** Returns the versions that become outdated or stop being outdated, by id. */
export function outdatedChanges(before: Candidates, after: Candidates): Map<string, OutdatedChange> {
  const outdatedIn = (candidates: Candidates) => {
    const newest = resolveAddress({ target: candidates.document._id, at: { as: 'newest' } }, candidates).resolution;
    const obsolete = new Set(
      candidates.revisions.filter((revision) => revision.obsolete).map(({ versionId }) => versionId),
    );
    return new Set(
      candidates.versions
        .filter(({ _id, n }) => isOutdated({ versionId: _id, n, obsolete: obsolete.has(_id) }, newest))
        .map(({ _id }) => _id),
    );
  };
  const [outdatedBefore, outdatedAfter] = [outdatedIn(before), outdatedIn(after)];
  return new Map(
    before.versions
      .filter(({ _id }) => outdatedBefore.has(_id) !== outdatedAfter.has(_id))
      .map(({ _id }) => [_id, outdatedAfter.has(_id) ? 'becomes_outdated' : 'no_longer_outdated']),
  );
}
