import { freezeDraft } from '../core/commands/freeze-draft.ts';
import { writableDraft } from '../core/commands/writable.ts';
import { codeIsSynced } from '../core/domain/jobs/code-state.ts';
import { validateComment, validateName } from '../core/domain/text/text.ts';
import { get } from '../core/store/query/records.ts';
import type { VersionRecord } from '../core/store/schema/collections.ts';
import { lockWorkspace } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

type Input = { workspaceId: string; name?: string | null; comment?: string | null };

/**
 * Freezes the draft as the next version of its document; its name is V<n> unless another is given. Refuses references that mean nothing
 * (`unresolved_reference`) and code that was named and not fetched (`code_not_synced`).
 */
export async function createVersion(work: Work, input: Input): Promise<VersionRecord> {
  const place = await lockWorkspace(work, input.workspaceId);

  await writableDraft(work, place);
  codeIsSynced(await get(work, 'versions', place.workspace.draftId));
  const name = input.name == null ? null : validateName(input.name);
  const comment = validateComment(input.comment);

  return freezeDraft(work, place, { name, comment });
}
