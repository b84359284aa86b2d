// Creates versions from drafts.

import { assertDraftWritable } from '../core/commands/assert-writable.ts';
import { freezeDraft } from '../core/commands/freeze-draft.ts';
import { validateAll } from '../core/domain/errors.ts';
import { assertCodeSynced } from '../core/domain/jobs/code-state.ts';
import { validateComment, validateName } from '../core/domain/text/text.ts';
import { get } from '../core/store/query/records.ts';
import type { VersionRecord } from '../core/store/schema/collections.ts';
import { copyViews } from '../core/store/views.ts';
import { lockWorkspace } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

type Input = { workspaceId: string; name?: string | null; comment?: string | null };

/**
 * Freezes the draft as the next version of its document, with the named views of the draft. The default name is `V<n>`.
 * Throws `unresolved_reference`, and `code_not_synced` if the code was not fetched since its location was set.
 */
export async function createVersion(work: Work, input: Input): Promise<VersionRecord> {
  const context = await lockWorkspace(work, input.workspaceId);

  await assertDraftWritable(work, context);
  assertCodeSynced(await get(work, 'versions', context.workspace.draftId));
  const texts = validateAll({
    name: () => (input.name == null ? null : validateName(input.name)),
    comment: () => validateComment(input.comment),
  });

  const version = await freezeDraft(work, context, texts);
  await copyViews(work, context.workspace.draftId, version._id);
  return version;
}
