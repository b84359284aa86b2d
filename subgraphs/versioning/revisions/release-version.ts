// Releases versions.
import { validateComment } from '../../core/domain/text/text.ts';
import { assertWritableDocument } from '../../core/domain/versions/lifecycle.ts';
import {
  assertReleasable,
  childWarnings,
  type FrozenChild,
  type ReleasePolicy,
  type ReleaseWarning,
  releaseStateAfter,
} from '../../core/domain/versions/release.ts';
import { nextRevision } from '../../core/domain/versions/revision-label.ts';
import { frozenChildren } from '../../core/store/assembly/frozen-references.ts';
import { markReleased } from '../../core/store/assembly/references.ts';
import { change, insert } from '../../core/store/query/records.ts';
import { usedLabels } from '../../core/store/revisions.ts';
import type { DocumentRecord, RevisionRecord, VersionRecord } from '../../core/store/schema/collections.ts';
import { lockVersion } from '../../core/store/versions.ts';
import type { Work } from '../../core/work.ts';

type Input = { versionId: string; comment?: string | null };

/**
 * Releases a version under the next label of its document. The workspace may be archived. Throws `not_a_version` for a
 * draft, `already_released`, `document_archived`, and, under the strict policy, `children_not_released`.
 */
export async function releaseVersion(work: Work, { versionId, comment }: Input): Promise<RevisionRecord> {
  const { document, workspace, version } = await lockVersion(work, versionId);
  const labels = await usedLabels(work, document);
  const children = await frozenChildren(work, versionId);

  const { revisionScheme, releasePolicy } = work.services.limits;
  const warnings = assertCanRelease(document, version, children, releasePolicy);
  const { ordinal, label } = nextRevision(revisionScheme, document.lastRevision ?? 0, labels);
  const revision: RevisionRecord = {
    _id: work.newId('rev'),
    documentId: document._id,
    versionId,
    versionN: version.n ?? 0,
    label,
    ordinal,
    comment: validateComment(comment),
    obsolete: false,
    obsoletedAt: null,
    obsoletedBy: null,
    warnings,
    createdAt: work.now,
    createdBy: work.actor.id,
    lock: 0,
  };

  await insert(work, 'revisions', revision);
  await change(work, 'versions', versionId, { releasedAs: { revisionId: revision._id, label }, updatedAt: work.now });
  await markReleased(work, versionId, true);
  await change(work, 'documents', document._id, {
    lastRevision: ordinal,
    updatedAt: work.now,
    updatedBy: work.actor.id,
  });
  work.audit({
    action: 'version.released',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId,
    revisionId: revision._id,
    summary: `Version ${version.n} of ${document.number} was released as revision ${label}.`,
    changes: {
      label: { from: null, to: label },
      ordinal: { from: null, to: ordinal },
      comment: { from: null, to: revision.comment },
    },
  });
  return revision;
}

/** Throws unless the version, which uses `children`, can be released. Returns warnings about the children otherwise. */
export function assertCanRelease(
  document: DocumentRecord,
  version: VersionRecord,
  children: readonly FrozenChild[],
  policy: ReleasePolicy,
): ReleaseWarning[] {
  assertWritableDocument(document);
  const { _id: versionId, n, releasedAs } = version;
  // Called only because it throws. `obsolete` does not matter here, because a version can be released only once.
  releaseStateAfter('release', {
    versionId,
    n,
    revision: releasedAs && { _id: releasedAs.revisionId, label: releasedAs.label, obsolete: false },
  });
  const warnings = childWarnings(children);
  assertReleasable(warnings, policy);
  return warnings;
}
