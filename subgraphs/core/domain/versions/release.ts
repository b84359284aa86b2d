// Releases of versions: their states and actions, and the rules for each action.

import { notFound, refuse } from '../errors.ts';

export type ReleasePolicy = 'warn' | 'strict';
export type ReleaseState = 'draft' | 'version' | 'released' | 'obsolete';

/** For each release action the states in which it is allowed and the state after it. */
export const RELEASE_TRANSITIONS = {
  release: { from: ['version'], to: 'released' },
  obsolete: { from: ['released'], to: 'obsolete' },
  take_back: { from: ['released', 'obsolete'], to: 'version' },
} as const satisfies Record<string, { from: readonly ReleaseState[]; to: ReleaseState }>;

export type ReleaseAction = keyof typeof RELEASE_TRANSITIONS;

type Revision = { _id: string; label: string; obsolete: boolean };
/** A version or draft (`n` is null) with its release, if any. */
type ReleaseSubject = { versionId: string; n: number | null; revision: Revision | null };

/**
 * Returns the state after a release action. Throws `not_a_version` for the release of a draft, `already_released`,
 * `already_obsolete`, and `not_found` if there is no release to act on.
 */
export function releaseStateAfter(action: ReleaseAction, { versionId, n, revision }: ReleaseSubject): ReleaseState {
  const { from, to }: { from: readonly ReleaseState[]; to: ReleaseState } = RELEASE_TRANSITIONS[action];
  if (from.includes(currentState(n, revision))) return to;
  if (action !== 'release') {
    if (!revision) throw notFound('release of version', versionId);
    refuse('already_obsolete', `Revision ${revision.label} is already obsolete.`, { revisionId: revision._id });
  }
  if (!revision) refuse('not_a_version', 'A draft cannot be released. Create a version of it first.', { versionId });
  const { _id: revisionId, label } = revision;
  refuse('already_released', `Version ${n} is already released as ${label}.`, { versionId, revisionId, label });
}

function currentState(n: number | null, revision: Revision | null): ReleaseState {
  if (revision) return revision.obsolete ? 'obsolete' : 'released';
  return n === null ? 'draft' : 'version';
}

/** A draft or version of another document that references a document, e.g. by the label of a release. */
export type Referrer = {
  documentId: string;
  number: string;
  versionId: string;
  type: 'draft' | 'version';
  location: string;
};

/** Throws `revision_in_use` if other documents reference the label of the release. */
export function assertLabelUnused(
  { _id, label }: Pick<Revision, '_id' | 'label'>,
  referrers: readonly Referrer[],
): void {
  if (!referrers.length) return;
  const numbers = joinNames(referrers.map(({ number }) => number));
  refuse('revision_in_use', `Revision ${label} is used by ${numbers}. Change the references there first.`, {
    revisionId: _id,
    users: referrers,
  });
}

/** Throws `document_in_use` if drafts or versions of other documents use the document. */
export function assertDocumentUnused(
  { _id, number }: { _id: string; number: string },
  referrers: readonly Referrer[],
): void {
  if (!referrers.length) return;
  const numbers = joinNames(referrers.map((user) => user.number));
  refuse('document_in_use', `Document ${number} is used by ${numbers}. Remove it there first, or archive it instead.`, {
    documentId: _id,
    users: referrers,
  });
}

/** Throws `document_in_use` if documents created by the generator still exist. */
export function assertGeneratorUnused(
  { _id, number }: { _id: string; number: string },
  generated: readonly { documentId: string; number: string }[],
): void {
  if (!generated.length) return;
  const others = generated.length > 1 ? ` and ${generated.length - 1} more` : '';
  refuse(
    'document_in_use',
    `Document ${number} is the generator of ${generated[0]?.number}${others}. Archive it instead.`,
    { documentId: _id, users: generated },
  );
}

/** The version of another document that a frozen assembly uses, with its current release. */
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

/** Returns one warning for each distinct child that is unreleased or obsolete. */
export function childWarnings(children: readonly FrozenChild[]): ReleaseWarning[] {
  const unfit = children.filter(({ revision }) => !revision || revision.obsolete);
  return [...new Map(unfit.map((child) => [child.versionId, child])).values()].map(
    ({ documentId, number, versionId, n, revision }) => ({
      code: revision ? 'child_obsolete' : 'child_not_released',
      message: revision
        ? `${number} revision ${revision.label} is obsolete.`
        : `${number} version ${n} is not released.`,
      documentId,
      number,
      versionId,
      versionN: n,
      label: revision?.label ?? null,
    }),
  );
}

/** Throws `children_not_released` if there are warnings and the policy is `strict`. */
export function assertReleasable(warnings: readonly ReleaseWarning[], policy: ReleasePolicy): void {
  if (policy === 'warn' || !warnings.length) return;
  const numbers = joinNames(warnings.map(({ number }) => number));
  refuse('children_not_released', `The assembly uses unreleased or obsolete documents: ${numbers}.`, {
    children: warnings,
  });
}

function joinNames(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.length > 5
    ? `${distinct.slice(0, 5).join(', ')} and ${distinct.length - 5} more`
    : distinct.join(', ');
}
