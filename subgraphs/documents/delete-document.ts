import type { Caller } from '../core/caller.ts';
import { queueJob } from '../core/commands/queue-job.ts';
import { assertNotReservedByOther } from '../core/commands/reservations.ts';
import { refuse } from '../core/domain/errors.ts';
import { assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import { type LabelUser, assertDocumentUnused, assertGeneratorUnused } from '../core/domain/versions/release.ts';
import { usersOfDocument } from '../core/store/assembly/frozen-references.ts';
import { lockStructures } from '../core/store/assembly/references.ts';
import { deleteDocumentRecords } from '../core/store/delete-document-records.ts';
import { lockDocument } from '../core/store/documents.ts';
import { unfinishedJobsOfDocument } from '../core/store/jobs/jobs.ts';
import { generatedDocuments } from '../core/store/jobs/runs.ts';
import { markNumberDeleted } from '../core/store/numbers.ts';
import { revisionsOf } from '../core/store/revisions.ts';
import type { DocumentRecord, RevisionRecord, WorkspaceRecord } from '../core/store/schema/collections.ts';
import { versionsAwaiting } from '../core/store/versions.ts';
import { workspacesOf } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

/**
 * Deletes a document with everything in it; its number is never used again, its audit records stay. Refuses one that was ever
 * released (`document_released`), one that others use or that made others (`document_in_use`), an archived one, and while
 * somebody else holds one of its workspaces.
 */
export async function deleteDocument(work: Work, { id }: { id: string }): Promise<boolean> {
  const document = await lockDocument(work, id);
  await lockStructures(work);

  await assertCanDelete(work, {
    document,
    workspaces: await workspacesOf(work, [document._id]),
    revisions: await revisionsOf(work, [document._id]),
    users: await usersOfDocument(work, document),
    generated: await generatedDocuments(work, [document._id]),
  });

  await queueJobsForCopies(work, document);
  await deleteDocumentRecords(work, document._id);
  await markNumberDeleted(work, document.number);
  work.audit({
    action: 'document.deleted',
    documentId: document._id,
    summary: `Document ${document.number} "${document.name}" was deleted.`,
    changes: {
      number: { from: document.number, to: null },
      name: { from: document.name, to: null },
      kind: { from: document.kind, to: null },
    },
  });
  return true;
}

// Copies that wait for the results of its jobs get jobs of their own: nobody would derive anything for them otherwise.
async function queueJobsForCopies(work: Work, { _id: documentId, number }: DocumentRecord): Promise<void> {
  for (const job of await unfinishedJobsOfDocument(work, documentId)) {
    const { type, inputSha256, inputKinds, environment, format } = job;
    // what a run makes are documents, not files of those who await it
    if (type === 'run') continue;
    for (const copy of await versionsAwaiting(work, job)) {
      if (copy.documentId === documentId) continue;
      const place = { documentId: copy.documentId, versionId: copy._id };
      const queued = await queueJob(work, { type, ...place, inputSha256, inputKinds, environment, format });
      const summary = `A ${type} job was queued in the place of one of ${number}, which was deleted.`;
      work.audit({ action: 'job.queued', ...place, workspaceId: copy.workspaceId, jobId: queued._id, summary });
    }
  }
}

type DocumentUsage = {
  document: DocumentRecord;
  workspaces: readonly WorkspaceRecord[];
  revisions: readonly RevisionRecord[];
  users: readonly LabelUser[];
  generated: readonly { documentId: string; number: string }[];
};

/** Refuses to delete a document with these workspaces and revisions. */
export async function assertCanDelete(
  by: Caller,
  { document, workspaces, revisions, users, generated: made }: DocumentUsage,
): Promise<void> {
  assertWritableDocument(document);
  for (const workspace of workspaces) await assertNotReservedByOther(by, workspace, by.actor.id, by.now);
  const labels = revisions.map(({ label }) => label).join(', ') || 'and taken back';
  if (revisions.length || document.lastRevision)
    refuse(
      'document_released',
      `Document ${document.number} has been released (${labels}) and stays. Archive it instead.`,
      {
        documentId: document._id,
        revisions: revisions.map(({ _id, label }) => ({ id: _id, label })),
      },
    );
  assertDocumentUnused(document, users);
  assertGeneratorUnused(document, made);
}
