// Sets the repository location of a generator.
import type { Caller } from '../../core/caller.ts';
import { assertDraftWritable } from '../../core/commands/assert-writable.ts';
import { normalizeRepoUrl, validateCodeLocation } from '../../core/domain/jobs/code-location.ts';
import { assertCodeDocument } from '../../core/domain/jobs/code-state.ts';
import { assertDraft } from '../../core/domain/versions/lifecycle.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { markStale } from '../../core/store/files/artifacts.ts';
import { change } from '../../core/store/query/records.ts';
import { lockVersion, type VersionContext } from '../../core/store/versions.ts';
import type { Work } from '../../core/work.ts';

type Input = { versionId: string; repoUrl: string; ref: string; path?: string | null };

/** The artifact kinds that a synchronization stores. */
export const CODE_KINDS = ['code', 'manifest'] as const;

/**
 * Sets the repository, ref and folder of a code draft. A changed location must be synchronized before a run or version
 * can be created; the files of the previous location are kept and marked as stale. Throws `validation_failed` for an
 * invalid location.
 */
export async function setCode(work: Work, { versionId, ...input }: Input): Promise<{ id: string }> {
  const target = await lockVersion(work, versionId);
  const { document, workspace, version } = target;

  await assertCanWriteCode(work, target);
  const location = validateCodeLocation(input, work.services.limits.git);
  const before = version.code ?? null;
  if (
    before &&
    normalizeRepoUrl(before.repoUrl) === location.repoUrl &&
    before.ref === location.ref &&
    before.path === location.path
  ) {
    work.unchanged();
    return { id: versionId };
  }

  await change(work, 'versions', versionId, {
    code: { ...location, commit: null, syncedAt: null },
    updatedAt: work.now,
  });
  await markStale(work, versionId, CODE_KINDS);
  await touchDocument(work, document._id);
  work.audit({
    action: 'code.set',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId,
    summary: `The code of ${document.number} was set to ${location.repoUrl}, ref ${location.ref}, folder "${location.path || '/'}".`,
    changes: {
      repoUrl: { from: before?.repoUrl ?? null, to: location.repoUrl },
      ref: { from: before?.ref ?? null, to: location.ref },
      path: { from: before?.path ?? null, to: location.path },
    },
  });
  return { id: versionId };
}

/** Throws unless the target is the draft of a code document that the caller may write. */
export async function assertCanWriteCode(caller: Caller, target: VersionContext): Promise<void> {
  assertCodeDocument(target.document);
  assertDraft(target.version);
  await assertDraftWritable(caller, target);
}
