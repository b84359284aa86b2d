import { assertDraftWritable } from '../core/commands/assert-writable.ts';
import {
  type LostFile,
  type LostCode,
  lostFiles,
  isUserFile,
  assertNothingLost,
  parentsAfterTakeOver,
  assertVersionOf,
} from '../core/domain/versions/take-over.ts';
import { newestRecord } from '../core/store/audit/audit.ts';
import { contentsInVersions } from '../core/store/files/artifacts.ts';
import { lock } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { VersionRecord } from '../core/store/schema/collections.ts';
import { namedUser } from '../core/store/users.ts';
import { versionHasCode } from '../core/store/versions.ts';
import { draftIdsOf } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';
import { versionContent, type LockedDraft, lockDraft, replaceDraft } from './replace-draft.ts';
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
  const lost = await findLostContent(work, place);

  await assertDraftWritable(work, place);
  assertVersionOf(document, version);
  assertNothingLost(lost, force === true);

  return replaceDraft(
    work,
    place,
    await versionContent(work, version, parentsAfterTakeOver(draft.basedOnVersionId, [versionId])),
    {
      action: 'draft.taken_over',
      summary: `Version ${version.n} of ${document.number} was taken over into the draft of workspace "${workspace.name}".`,
    },
  );
}

type WithUser<L> = Omit<L, 'changedBy'> & { changedBy: { id: string; name: string } };

async function findLostContent(
  scope: Scope,
  { document, draft, files }: LockedDraft,
): Promise<WithUser<LostFile | LostCode>[]> {
  const held = await contentsInVersions(
    scope,
    document._id,
    files.filter(isUserFile),
    await draftIdsOf(scope, document._id),
  );
  const lost = [...lostFiles(files, held), ...(await findLostCode(scope, draft))];
  const named: WithUser<LostFile | LostCode>[] = [];
  for (const each of lost) named.push({ ...each, changedBy: await namedUser(scope, each.changedBy) });
  return named;
}

// The files it was synchronised to are told as files; a place that was only named has none yet.
async function findLostCode(scope: Scope, draft: VersionRecord): Promise<LostCode[]> {
  if (!draft.code || (await versionHasCode(scope, draft.documentId, draft.code))) return [];
  const { repoUrl, ref, path } = draft.code;
  // a copy has the location of what it was copied from
  const named = await newestRecord(scope, { versionId: draft._id, action: 'code.set' });
  const [changedAt, changedBy] = named ? [named.at, named.by.id] : [draft.createdAt, draft.createdBy];
  return [{ what: 'code', kind: 'code', repoUrl, ref, path, changedAt, changedBy }];
}
