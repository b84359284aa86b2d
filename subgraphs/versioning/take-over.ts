// Takes over versions into drafts.
import { assertDraftWritable } from '../core/commands/assert-writable.ts';
import {
  assertNothingLost,
  assertVersionOf,
  isUserFile,
  type LostCode,
  type LostFile,
  lostFiles,
  parentsAfterTakeOver,
} from '../core/domain/versions/take-over.ts';
import { newestRecord } from '../core/store/audit/list-audit.ts';
import { contentsInVersions } from '../core/store/files/artifacts.ts';
import { lock } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { VersionRecord } from '../core/store/schema/collections.ts';
import { namedUser } from '../core/store/users.ts';
import { versionHasCode } from '../core/store/versions.ts';
import { draftIdsOf } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';
import { type LockedDraft, lockDraft, replaceDraft, versionContent } from './replace-draft.ts';
import type { DraftChange } from './sources.ts';

type Input = { workspaceId: string; versionId: string; force?: boolean | null };

/**
 * Replaces the draft with the content of a version of the same document, including derived files. The version becomes
 * the draft's second parent. Unless forced, throws `draft_would_lose` if the draft has content that no version has.
 */
export async function takeOver(work: Work, { workspaceId, versionId, force }: Input): Promise<DraftChange> {
  const locked = await lockDraft(work, workspaceId);
  const { document, workspace, draft } = locked;
  const version = await lock(work, 'versions', versionId);
  const lost = await findLostContent(work, locked);

  await assertDraftWritable(work, locked);
  assertVersionOf(document, version);
  assertNothingLost(lost, force === true);

  return replaceDraft(
    work,
    locked,
    await versionContent(work, version, {
      parents: parentsAfterTakeOver(draft.basedOnVersionId, [versionId]),
      restoredFromVersionId: null,
    }),
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
  const saved = await contentsInVersions(
    scope,
    document._id,
    files.filter(isUserFile),
    await draftIdsOf(scope, document._id),
  );
  const lost = [...lostFiles(files, saved), ...(await findLostCode(scope, draft))];
  const withUsers: WithUser<LostFile | LostCode>[] = [];
  for (const each of lost) withUsers.push({ ...each, changedBy: await namedUser(scope, each.changedBy) });
  return withUsers;
}

/** Returns the code location of the draft if no version has it. Files fetched from it are listed as files. */
async function findLostCode(scope: Scope, draft: VersionRecord): Promise<LostCode[]> {
  if (!draft.code || (await versionHasCode(scope, draft.documentId, draft.code))) return [];
  const { repoUrl, ref, path } = draft.code;
  // Without a `code.set` record, the draft got the location when it was created as a copy.
  const record = await newestRecord(scope, { versionId: draft._id, action: 'code.set' });
  const [changedAt, changedBy] = record ? [record.at, record.by.id] : [draft.createdAt, draft.createdBy];
  return [{ what: 'code', kind: 'code', repoUrl, ref, path, changedAt, changedBy }];
}
