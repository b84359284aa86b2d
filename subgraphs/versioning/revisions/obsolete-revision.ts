// Makes revisions obsolete.
import { assertWritableDocument } from '../../core/domain/versions/lifecycle.ts';
import { releaseStateAfter } from '../../core/domain/versions/release.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { change } from '../../core/store/query/records.ts';
import { lockRevision } from '../../core/store/revisions.ts';
import type { DocumentRecord, RevisionRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';

/** Marks a revision as obsolete. Addresses with its label still resolve to it. Throws `already_obsolete`. */
export async function obsoleteRevision(work: Work, { id }: { id: string }): Promise<RevisionRecord> {
  const { document, workspace, revision } = await lockRevision(work, id);

  assertCanObsolete(document, revision);

  await touchDocument(work, document._id);
  work.audit({
    action: 'revision.obsoleted',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: revision.versionId,
    revisionId: id,
    summary: `Revision ${revision.label} of ${document.number} was made obsolete.`,
    changes: { obsolete: { from: false, to: true } },
  });
  return change(work, 'revisions', id, { obsolete: true, obsoletedAt: work.now, obsoletedBy: work.actor.id });
}

/** Throws unless the revision can become obsolete. */
export function assertCanObsolete(document: DocumentRecord, revision: RevisionRecord): void {
  assertWritableDocument(document);
  // Called only because it throws; the new state is not needed.
  releaseStateAfter('obsolete', { versionId: revision.versionId, n: revision.versionN, revision });
}
