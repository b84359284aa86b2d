import { type Lost, lostFiles, madeByPeople, nothingLost, parentsWith, versionOf } from '../core/domain/take-over.ts';
import { heldByVersions } from '../core/store/artifacts.ts';
import { lock } from '../core/store/records.ts';
import type { Scope } from '../core/store/scope.ts';
import { namedUser } from '../core/store/users.ts';
import { draftIdsOf } from '../core/store/workspaces.ts';
import { writableDraft } from '../core/store/writable.ts';
import type { Work } from '../core/work.ts';
import { contentOf, type DraftInPlace, lockDraft, replaceDraft } from './replace-draft.ts';
import type { DraftChange } from './sources.ts';

type Input = { workspaceId: string; versionId: string; force?: boolean | null };

/**
 * Puts the content of a version of the same document into the draft, with everything derived from it; the version becomes the draft's
 * second parent. Refuses when the draft holds what no version holds (`draft_would_lose`), unless forced.
 */
export async function takeOver(work: Work, { workspaceId, versionId, force }: Input): Promise<DraftChange> {
  const place = await lockDraft(work, workspaceId);
  const { document, workspace, draft } = place;
  const version = await lock(work, 'versions', versionId);
  const lost = await wouldLose(work, place);

  await writableDraft(work, place);
  versionOf(document, version);
  nothingLost(lost, force === true);

  return replaceDraft(work, place, await contentOf(work, version, parentsWith(draft.basedOnVersionId, [versionId])), {
    action: 'draft.taken_over',
    summary: `Version ${version.n} of ${document.number} was taken over into the draft of workspace "${workspace.name}".`,
  });
}

type NamedLost = Omit<Lost, 'changedBy'> & { changedBy: { id: string; name: string } };

async function wouldLose(scope: Scope, { document, files }: DraftInPlace): Promise<NamedLost[]> {
  const held = await heldByVersions(scope, document._id, files.filter(madeByPeople), await draftIdsOf(scope, document._id));
  const named: NamedLost[] = [];
  for (const lost of lostFiles(files, held)) named.push({ ...lost, changedBy: await namedUser(scope, lost.changedBy) });
  return named;
}
