// Resolves addresses to versions.

import { type Address, formatAddress } from './address.ts';

/**
 * A document with its releases and versions. `versions` includes at least the newest, the released and the requested
 * ones.
 */
export type Candidates = {
  document: { _id: string; number: string; name: string; kind: string };
  versions: readonly { _id: string; n: number }[];
  revisions: readonly {
    _id: string;
    versionId: string;
    versionN: number;
    label: string;
    ordinal: number;
    obsolete: boolean;
  }[];
};

/**
 * The version that an address resolves to, as a release (`label`) or a version. `pinned`: the address specifies a
 * revision or version, so it always resolves to the same version.
 */
export type Resolution = {
  as: 'revision' | 'version';
  label: string | null;
  n: number;
  versionId: string;
  obsolete: boolean;
  pinned: boolean;
};
export type UnresolvedCode = 'no_such_document' | 'no_such_revision' | 'no_such_version' | 'no_versions' | 'wrong_kind';
export type ResolveResult =
  | { resolution: Resolution; reason: string }
  | { resolution: null; code: UnresolvedCode; reason: string };

/**
 * Resolves an address. Without a suffix it resolves to the newest release that is not obsolete; if all are obsolete, to
 * the newest of them; if there is none, to the version with the highest number. Drafts are never resolved to.
 */
export function resolveAddress(address: Address, candidates: Candidates | null): ResolveResult {
  const { target, at } = address;
  if (!candidates) return unresolved('no_such_document', `There is no document ${target}.`);
  const { document, versions, revisions } = candidates;
  const { number } = document;
  if (document.kind === 'code')
    return unresolved('wrong_kind', `Document ${number} is of kind code and cannot be placed in an assembly.`);
  if (at.as === 'version') {
    const version = versions.find(({ n }) => n === at.n);
    if (!version) return unresolved('no_such_version', `Document ${number} has no version ${at.n}.`);
    const revision = revisions.find(({ versionId }) => versionId === version._id);
    return resolved({
      as: 'version',
      label: revision?.label ?? null,
      n: at.n,
      versionId: version._id,
      obsolete: revision?.obsolete ?? false,
      pinned: true,
    });
  }
  if (at.as === 'revision') {
    const revision = revisions.find(({ label }) => label === at.label);
    if (revision) return resolved(revisionResolution(revision, true));
    return unresolved(
      'no_such_revision',
      `Document ${number} has no revision ${at.label}.${caseHint(at.label, revisions)}`,
    );
  }
  return resolveNewest(number, versions, revisions);
}

/**
 * Returns whether a version is outdated: older than `newest` (the version that the document's unsuffixed address
 * resolves to), or obsolete and not `newest`.
 */
export function isOutdated(
  current: { versionId: string; n: number; obsolete: boolean },
  newest: Resolution | null,
): boolean {
  if (!newest || newest.versionId === current.versionId) return false;
  return newest.n > current.n || current.obsolete;
}

function resolveNewest(
  number: string,
  versions: Candidates['versions'],
  revisions: Candidates['revisions'],
): ResolveResult {
  const byOrdinal = [...revisions].sort((a, b) => b.ordinal - a.ordinal);
  const revision = byOrdinal.find(({ obsolete }) => !obsolete) ?? byOrdinal[0];
  if (revision) {
    const reason = revision.obsolete
      ? `all releases of ${number} are obsolete, and ${revision.label} is the newest`
      : `the newest release of ${number}`;
    return resolved(revisionResolution(revision, false), reason);
  }
  const version = versions.reduce<Candidates['versions'][number] | null>(
    (best, each) => (best && best.n > each.n ? best : each),
    null,
  );
  if (!version) return unresolved('no_versions', `Document ${number} has no version. Create one from its draft.`);
  return resolved(
    { as: 'version', label: null, n: version.n, versionId: version._id, obsolete: false, pinned: false },
    `${number} was never released, and this is its newest version`,
  );
}

function revisionResolution(
  { label, versionN, versionId, obsolete }: Candidates['revisions'][number],
  pinned: boolean,
): Resolution {
  return { as: 'revision', label, n: versionN, versionId, obsolete, pinned };
}

function resolved(resolution: Resolution, reason = 'the address specifies this version'): ResolveResult {
  return { resolution, reason };
}

function unresolved(code: UnresolvedCode, reason: string): ResolveResult {
  return { resolution: null, code, reason };
}

function caseHint(label: string, revisions: Candidates['revisions']): string {
  const similar = revisions.find((revision) => revision.label.toLowerCase() === label.toLowerCase());
  return similar ? ` Labels are case-sensitive. Did you mean ${similar.label}?` : '';
}

/** Returns every version that an address does not resolve to, with the reason. */
export function rejectedCandidates(
  address: Address,
  { versions, revisions }: Candidates,
  resolution: Resolution | null,
): { versionId: string; n: number; label: string | null; reason: string }[] {
  const revisionOf = new Map(revisions.map((revision) => [revision.versionId, revision]));
  return [...versions]
    .sort((a, b) => b.n - a.n)
    .filter(({ _id }) => _id !== resolution?.versionId)
    .map(({ _id, n }) => {
      const revision = revisionOf.get(_id);
      return {
        versionId: _id,
        n,
        label: revision?.label ?? null,
        reason: rejectionReason(address, revision, resolution),
      };
    });
}

function rejectionReason(
  address: Address,
  revision: Candidates['revisions'][number] | undefined,
  resolution: Resolution | null,
): string {
  if (address.at.as !== 'newest') return `${formatAddress(address)} names another version`;
  if (resolution?.as === 'revision') {
    if (!revision) return 'it is not released';
    if (revision.obsolete && !resolution.obsolete) return `revision ${revision.label} is obsolete`;
    return `revision ${resolution.label} is a later release`;
  }
  return `version ${resolution?.n} is newer`;
}
