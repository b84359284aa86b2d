// Takes back releases.
import { assertWritableDocument } from '../../core/domain/versions/lifecycle.ts';
import { assertLabelUnused, type Referrer, releaseStateAfter } from '../../core/domain/versions/release.ts';
import { referrersOfLabel } from '../../core/store/assembly/frozen-references.ts';
import { lockStructures, markReleased } from '../../core/store/assembly/references.ts';
import { change, remove } from '../../core/store/query/records.ts';
import { lockRevision } from '../../core/store/revisions.ts';
import type { DocumentRecord, RevisionRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';

/**
 * Takes back a release: deletes the revision, so that the version is unreleased again. The label is never used again.
 * Throws `revision_in_use` if other documents refer to the label.
 */
export async function takeBackRevision(work: Work, { id }: { id: string }): Promise<boolean> {
  const { document, workspace, version, revision } = await lockRevision(work, id);
  await lockStructures(work);
  const referrers = await referrersOfLabel(work, document, revision.label);

  assertCanTakeBack(document, revision, referrers);

  await remove(work, 'revisions', id);
  await markReleased(work, version._id, false);
  await change(work, 'versions', version._id, { releasedAs: null, updatedAt: work.now });
  await change(work, 'documents', document._id, {
    // Documents created by earlier releases of this service have no lastRevision.
    lastRevision: Math.max(document.lastRevision ?? 0, revision.ordinal),
    takenBackLabels: [...(document.takenBackLabels ?? []), revision.label],
    updatedAt: work.now,
    updatedBy: work.actor.id,
  });
  work.audit({
    action: 'revision.taken_back',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: version._id,
    revisionId: id,
    summary: `Revision ${revision.label} of ${document.number} was taken back; version ${version.n} is unreleased again.`,
    changes: {
      label: { from: revision.label, to: null },
      ordinal: { from: revision.ordinal, to: null },
      comment: { from: revision.comment, to: null },
      obsolete: { from: revision.obsolete, to: null },
    },
  });
  return true;
}

/** Throws unless the release can be taken back. `referrers` are the documents that refer to its label. */
export function assertCanTakeBack(
  document: DocumentRecord,
  revision: RevisionRecord,
  referrers: readonly Referrer[],
): void {
  assertWritableDocument(document);
  // Called only because it throws; the new state is not needed.
  releaseStateAfter('take_back', { versionId: revision.versionId, n: revision.versionN, revision });
  assertLabelUnused(revision, referrers);
}
