import { assertDraftWritable } from '../core/commands/assert-writable.ts';
import { parentsAfterTakeOver } from '../core/domain/versions/take-over.ts';
import { lockDraftBackup } from '../core/store/draft-backups.ts';
import { jobsAwaitedBy } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import { lockDraft, replaceDraft } from './replace-draft.ts';
import type { DraftChange } from './sources.ts';

type Input = { workspaceId: string; auditId: string };

/**
 * Brings back what a draft held before a take-over, a restore or an undo, named by the id of that change's audit record. What the draft
 * holds now is kept in turn. Refuses what is not kept, or no longer (`not_found`).
 */
export async function undoDraftChange(work: Work, { workspaceId, auditId }: Input): Promise<DraftChange> {
  const place = await lockDraft(work, workspaceId);
  const { document, workspace, draft } = place;
  const kept = await lockDraftBackup(work, workspaceId, auditId);

  await assertDraftWritable(work, place);

  const content = {
    files: kept.artifacts,
    bomDigest: kept.bomDigest ?? null,
    code: kept.code ?? null,
    awaitsJobs: await jobsAwaitedBy(work, { _id: draft._id, awaitsJobs: kept.awaitsJobs }, kept.artifacts),
    // versions made since stand between the draft and what its content was based on
    parents: parentsAfterTakeOver(
      draft.basedOnVersionId,
      kept.parents.filter((id) => id !== kept.basedOnVersionId),
    ),
  };
  return replaceDraft(work, place, content, {
    action: 'draft.undone',
    summary: `The draft of workspace "${workspace.name}" of ${document.number} got back what it held before an earlier change.`,
  });
}
