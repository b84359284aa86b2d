// What becomes of a version: released under a label, made obsolete, taken back.
import { notFound, refuse } from '../errors.ts';

export type ReleasePolicy = 'warn' | 'strict';
export type ReleaseState = 'draft' | 'version' | 'released' | 'obsolete';

/** What can be done to a version: in which states, and where it leads. */
export const RELEASE_TRANSITIONS = {
  release: { from: ['version'], to: 'released' },
  obsolete: { from: ['released'], to: 'obsolete' },
  'take-back': { from: ['released', 'obsolete'], to: 'version' },
} as const satisfies Record<string, { from: readonly ReleaseState[]; to: ReleaseState }>;

export type ReleaseDeed = keyof typeof RELEASE_TRANSITIONS;

type Revision = { _id: string; label: string; obsolete: boolean };
/** A version, or a draft (`n` is null), and the release of it there is. */
type Standing = { versionId: string; n: number | null; revision: Revision | null };

/**
 * Where a deed leads. Refuses to release a draft (`not_a_version`) and what is released (`already_released`), to make obsolete what is
 * (`already_obsolete`), and the other deeds where there is no release (`not_found`).
 */
export function stateAfter(deed: ReleaseDeed, { versionId, n, revision }: Standing): ReleaseState {
  const state = revision ? (revision.obsolete ? 'obsolete' : 'released') : n === null ? 'draft' : 'version';
  const { from, to }: { from: readonly ReleaseState[]; to: ReleaseState } = RELEASE_TRANSITIONS[deed];
  if (from.includes(state)) return to;
  if (deed !== 'release') {
    if (!revision) throw notFound('release of version', versionId);
    refuse('already_obsolete', `Revision ${revision.label} is obsolete already.`, { revisionId: revision._id });
  }
  if (!revision) refuse('not_a_version', 'A draft cannot be released. Make a version of it first.', { versionId });
  const { _id: revisionId, label } = revision;
  refuse('already_released', `Version ${n} is released already, as ${label}.`, { versionId, revisionId, label });
}

/** What points at a document by the label of one of its releases. */
export type LabelUser = {
  documentId: string;
  number: string;
  versionId: string;
  type: 'draft' | 'version';
  location: string;
};

/** Refuses to take a release back while other documents name its label (`revision_in_use`). */
export function unusedLabel({ _id, label }: Pick<Revision, '_id' | 'label'>, users: readonly LabelUser[]): void {
  if (!users.length) return;
  const numbers = [...new Set(users.map(({ number }) => number))];
  refuse('revision_in_use', `Revision ${label} is used by ${listed(numbers)}. Change the addresses there first.`, {
    revisionId: _id,
    users,
  });
}

/** Refuses to delete a document that drafts or versions of others use (`document_in_use`). */
export function unusedDocument({ _id, number }: { _id: string; number: string }, users: readonly LabelUser[]): void {
  if (!users.length) return;
  const numbers = [...new Set(users.map((user) => user.number))];
  refuse(
    'document_in_use',
    `Document ${number} is used by ${listed(numbers)}. Take it out there first, or archive it instead.`,
    {
      documentId: _id,
      users,
    },
  );
}

/** Refuses to delete a generator whose documents are there: they say where they came from (`document_in_use`). */
export function unusedGenerator(
  { _id, number }: { _id: string; number: string },
  made: readonly { documentId: string; number: string }[],
): void {
  if (!made.length) return;
  const others = made.length > 1 ? ` and ${made.length - 1} more` : '';
  refuse(
    'document_in_use',
    `Document ${number} made ${made[0]?.number}${others}, which name it as their generator. Archive it instead.`,
    {
      documentId: _id,
      users: made,
    },
  );
}

/** What a version points at, as it was frozen: a version of another document, and the release of it there is now. */
export type FrozenChild = {
  documentId: string;
  number: string;
  versionId: string;
  n: number;
  revision: { label: string; obsolete: boolean } | null;
};
export type ReleaseWarning = {
  code: 'child_not_released' | 'child_obsolete';
  message: string;
  documentId: string;
  number: string;
  versionId: string;
  versionN: number;
  label: string | null;
};

/** What speaks against releasing a version that points at these: each that is not released, or obsolete, once. */
export function childWarnings(children: readonly FrozenChild[]): ReleaseWarning[] {
  const doubtful = children.filter(({ revision }) => !revision || revision.obsolete);
  return [...new Map(doubtful.map((child) => [child.versionId, child])).values()].map(
    ({ documentId, number, versionId, n, revision }) => ({
      code: revision ? 'child_obsolete' : 'child_not_released',
      message: revision
        ? `${number} revision ${revision.label} is obsolete.`
        : `${number} version ${n} is not released.`,
      ...{ documentId, number, versionId, versionN: n, label: revision?.label ?? null },
    }),
  );
}

/** Under the strict policy refuses what there are warnings about (`children_not_released`). */
export function acceptable(warnings: readonly ReleaseWarning[], policy: ReleasePolicy): void {
  if (policy === 'warn' || !warnings.length) return;
  const numbers = [...new Set(warnings.map(({ number }) => number))];
  refuse('children_not_released', `It uses what is not released or is obsolete: ${listed(numbers)}.`, {
    children: warnings,
  });
}

function listed(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
