// Updates the comments of revisions.
import { validateComment } from '../../core/domain/text/text.ts';
import { assertWritableDocument } from '../../core/domain/versions/lifecycle.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { change } from '../../core/store/query/records.ts';
import { lockRevision } from '../../core/store/revisions.ts';
import type { RevisionRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';

/** Updates the comment of a revision. Null clears it; an omitted comment stays. */
export async function updateRevision(
  work: Work,
  input: { id: string; comment?: string | null },
): Promise<RevisionRecord> {
  const { document, workspace, revision } = await lockRevision(work, input.id);

  assertWritableDocument(document);
  const comment = input.comment === undefined ? revision.comment : validateComment(input.comment);
  if (comment === revision.comment) {
    work.unchanged();
    return revision;
  }

  await touchDocument(work, document._id);
  work.audit({
    action: 'revision.updated',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: revision.versionId,
    revisionId: revision._id,
    summary: `Revision ${revision.label} of ${document.number} was updated.`,
    changes: { comment: { from: revision.comment, to: comment } },
  });
  return change(work, 'revisions', revision._id, { comment });
}
