// Undoes replacements of draft content.
import { assertDraftWritable } from '../core/commands/assert-writable.ts';
import { parentsAfterTakeOver } from '../core/domain/versions/take-over.ts';
import { lockDraftBackup } from '../core/store/draft-backups.ts';
import { jobsAwaitedBy } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import { lockDraft, replaceDraft } from './replace-draft.ts';
import type { DraftChange } from './sources.ts';

type Input = { workspaceId: string; auditId: string };

/**
 * Restores the content that a draft had before a take-over, restore or undo. `auditId` is the id of the audit record of
 * that change. The current content is backed up in turn. Throws `not_found` if there is no backup or it has expired.
 */
export async function undoDraftChange(work: Work, { workspaceId, auditId }: Input): Promise<DraftChange> {
  const locked = await lockDraft(work, workspaceId);
  const { document, workspace, draft } = locked;
  const backup = await lockDraftBackup(work, workspaceId, auditId);

  await assertDraftWritable(work, locked);

  const restoredFromVersionId = backup.restoredFromVersionId ?? null;
  const content = {
    files: backup.artifacts,
    bomDigest: backup.bomDigest ?? null,
    code: backup.code ?? null,
    awaitsJobs: await jobsAwaitedBy(work, { _id: draft._id, awaitsJobs: backup.awaitsJobs }, backup.artifacts),
    // The draft may be based on a newer version than the backup was.
    parents: parentsAfterTakeOver(
      draft.basedOnVersionId,
      backup.parents.filter((id) => id !== backup.basedOnVersionId || id === restoredFromVersionId),
    ),
    restoredFromVersionId,
  };
  return replaceDraft(work, locked, content, {
    action: 'draft.undone',
    summary: `The draft of workspace "${workspace.name}" of ${document.number} was restored to its content before a replacement.`,
  });
}
