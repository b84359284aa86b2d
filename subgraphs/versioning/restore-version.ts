// Restores versions in drafts.
import { assertDraftWritable } from '../core/commands/assert-writable.ts';
import { assertVersionOf, parentsAfterTakeOver } from '../core/domain/versions/take-over.ts';
import { lock } from '../core/store/query/records.ts';
import type { Work } from '../core/work.ts';
import { lockDraft, replaceDraft, versionContent } from './replace-draft.ts';
import type { DraftChange } from './sources.ts';

type Input = { workspaceId: string; versionId: string };

/**
 * Replaces the draft with the content of a version of the same document, which becomes a parent of the draft. The
 * previous content is backed up and can be restored with undoDraftChange.
 */
export async function restoreVersion(work: Work, { workspaceId, versionId }: Input): Promise<DraftChange> {
  const locked = await lockDraft(work, workspaceId);
  const { document, workspace, draft } = locked;
  const version = await lock(work, 'versions', versionId);

  await assertDraftWritable(work, locked);
  assertVersionOf(document, version);

  return replaceDraft(
    work,
    locked,
    await versionContent(work, version, {
      parents: parentsAfterTakeOver(draft.basedOnVersionId, [versionId]),
      restoredFromVersionId: versionId,
    }),
    {
      action: 'draft.restored',
      summary: `The draft of workspace "${workspace.name}" of ${document.number} was restored to version ${version.n}.`,
    },
  );
}
