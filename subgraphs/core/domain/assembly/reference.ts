// Which version of a document an address means, and why.
import { type Address, formatAddress } from './address.ts';

/** What there is of a document to choose from. `versions` holds at least the newest, the released and the asked-for ones. */
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

/** The version an address means: by a release (`label`) or by its number alone. `pinned`: the address itself names it, so that it cannot move. */
export type Resolution = {
  as: 'revision' | 'version';
  label: string | null;
  n: number;
  versionId: string;
  obsolete: boolean;
  pinned: boolean;
};
export type UnresolvedCode = 'no_such_document' | 'no_such_revision' | 'no_such_version' | 'no_versions' | 'wrong_kind';
export type Resolved =
  | { resolution: Resolution; reason: string }
  | { resolution: null; code: UnresolvedCode; reason: string };

/**
 * Resolves an address: a bare one to the newest release that is not obsolete; if all are obsolete, to the newest of them; if nothing was
 * ever released, to the version with the highest n. `@v<n>` and `@<revision>` mean just that. Drafts are never meant.
 */
export function resolveAddress(address: Address, candidates: Candidates | null): Resolved {
  const { target, at } = address;
  if (!candidates) return unresolved('no_such_document', `There is no document ${target}.`);
  const { document, versions, revisions } = candidates;
  const { number } = document;
  if (document.kind === 'code')
    return unresolved('wrong_kind', `Document ${number} is of kind code and cannot be placed in an assembly.`);
  if (at.as === 'version') {
    const version = versions.find(({ n }) => n === at.n);
    if (!version) return unresolved('no_such_version', `Document ${number} has no version ${at.n}.`);
    const release = revisions.find(({ versionId }) => versionId === version._id);
    return chosen({
      as: 'version',
      label: release?.label ?? null,
      n: at.n,
      versionId: version._id,
      obsolete: release?.obsolete ?? false,
      pinned: true,
    });
  }
  if (at.as === 'revision') {
    const revision = revisions.find(({ label }) => label === at.label);
    if (revision) return chosen(released(revision, true));
    return unresolved(
      'no_such_revision',
      `Document ${number} has no revision ${at.label}.${otherCase(at.label, revisions)}`,
    );
  }
  return newest(number, versions, revisions);
}

/** Whether a version is not the one that the bare address of its document means now, and not a later one chosen on purpose. */
export function isOutdated(
  current: { versionId: string; n: number; obsolete: boolean },
  newest: Resolution | null,
): boolean {
  if (!newest || newest.versionId === current.versionId) return false;
  return newest.n > current.n || current.obsolete;
}

function newest(number: string, versions: Candidates['versions'], revisions: Candidates['revisions']): Resolved {
  const byOrdinal = [...revisions].sort((a, b) => b.ordinal - a.ordinal);
  const revision = byOrdinal.find(({ obsolete }) => !obsolete) ?? byOrdinal[0];
  if (revision) {
    const why = revision.obsolete
      ? `every release of ${number} is obsolete; ${revision.label} is the newest`
      : `the newest release of ${number}`;
    return chosen(released(revision, false), why);
  }
  const version = versions.reduce<Candidates['versions'][number] | null>(
    (best, each) => (best && best.n > each.n ? best : each),
    null,
  );
  if (!version) return unresolved('no_versions', `Document ${number} has no version yet. Make one of its draft.`);
  return chosen(
    { as: 'version', label: null, n: version.n, versionId: version._id, obsolete: false, pinned: false },
    `${number} was never released; this is its newest version`,
  );
}

function released(
  { label, versionN, versionId, obsolete }: Candidates['revisions'][number],
  pinned: boolean,
): Resolution {
  return { as: 'revision', label, n: versionN, versionId, obsolete, pinned };
}

function chosen(resolution: Resolution, why = 'the address names it'): Resolved {
  return { resolution, reason: why };
}

function unresolved(code: UnresolvedCode, reason: string): Resolved {
  return { resolution: null, code, reason };
}

function otherCase(label: string, revisions: Candidates['revisions']): string {
  const other = revisions.find((revision) => revision.label.toLowerCase() === label.toLowerCase());
  return other ? ` Labels are case-sensitive; there is ${other.label}.` : '';
}

/** Why each other release or version is not what an address means. */
export function lost(
  address: Address,
  { versions, revisions }: Candidates,
  winner: Resolution | null,
): { versionId: string; n: number; label: string | null; reason: string }[] {
  const byVersion = new Map(revisions.map((revision) => [revision.versionId, revision]));
  return [...versions]
    .sort((a, b) => b.n - a.n)
    .filter(({ _id }) => _id !== winner?.versionId)
    .map(({ _id, n }) => {
      const release = byVersion.get(_id);
      return { versionId: _id, n, label: release?.label ?? null, reason: whyNot(address, release, winner) };
    });
}

function whyNot(
  address: Address,
  release: Candidates['revisions'][number] | undefined,
  winner: Resolution | null,
): string {
  if (address.at.as !== 'newest') return `${formatAddress(address)} names another one`;
  if (winner?.as === 'revision') {
    if (!release) return 'it is not released';
    if (release.obsolete && !winner.obsolete) return `revision ${release.label} is obsolete`;
    return `revision ${winner.label} is a later release`;
  }
  return `version ${winner?.n} is newer`;
}
