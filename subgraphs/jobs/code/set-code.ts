import type { Caller } from '../../core/caller.ts';
import { assertDraftWritable } from '../../core/commands/assert-writable.ts';
import { checkedLocation, spelledOnce } from '../../core/domain/jobs/code-location.ts';
import { isCodeDocument } from '../../core/domain/jobs/code-state.ts';
import { assertDraft } from '../../core/domain/versions/lifecycle.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { markStale } from '../../core/store/files/artifacts.ts';
import { change } from '../../core/store/query/records.ts';
import { lockVersion, type VersionContext } from '../../core/store/versions.ts';
import type { Work } from '../../core/work.ts';

type Input = { versionId: string; repoUrl: string; ref: string; path?: string | null };

/** The kinds of file that synchronising writes. */
export const CODE_KINDS = ['code', 'manifest'] as const;

/**
 * Names where the generator of a code draft lives. A location that differs from the one before has to be synchronised before it runs or a version
 * is made; the files of the one before stay readable, stale. Refuses an address, ref or path against the rules (`validation_failed`).
 */
export async function setCode(work: Work, { versionId, ...given }: Input): Promise<{ id: string }> {
  const place = await lockVersion(work, versionId);
  const { document, workspace, version } = place;

  await assertCanWriteCode(work, place);
  const location = checkedLocation(given, work.services.limits.git);
  const before = version.code ?? null;
  if (
    before &&
    spelledOnce(before.repoUrl) === location.repoUrl &&
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
    summary: `The generator of ${document.number} is in ${location.repoUrl}, ref ${location.ref}, folder "${location.path || '/'}".`,
    changes: {
      repoUrl: { from: before?.repoUrl ?? null, to: location.repoUrl },
      ref: { from: before?.ref ?? null, to: location.ref },
      path: { from: before?.path ?? null, to: location.path },
    },
  });
  return { id: versionId };
}

/** Refuses to change the code of anything but the draft of a code document that the one who asks may write. */
export async function assertCanWriteCode(by: Caller, place: VersionContext): Promise<void> {
  isCodeDocument(place.document);
  assertDraft(place.version);
  await assertDraftWritable(by, place);
}
