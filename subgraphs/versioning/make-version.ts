import { checkedComment, checkedName } from '../core/domain/text.ts';
import { contentHash } from '../core/domain/version-content.ts';
import { artifactsOf, insertCopies } from '../core/store/artifacts.ts';
import type { VersionRecord } from '../core/store/collections.ts';
import { change, get, insert } from '../core/store/records.ts';
import { jobsAwaitedBy } from '../core/store/versions.ts';
import { lockWorkspace } from '../core/store/workspaces.ts';
import { writableDraft } from '../core/store/writable.ts';
import type { Work } from '../core/work.ts';

type Input = { workspaceId: string; name?: string | null; comment?: string | null };

/**
 * Freezes the draft as the next version of its document: n counts per document without a gap, every file is carried over by reference,
 * and the draft continues from the version. Results of jobs that are still under way for the draft will reach the version too.
 */
export async function makeVersion(work: Work, input: Input): Promise<VersionRecord> {
  const { document, workspace } = await lockWorkspace(work, input.workspaceId);
  const draft = await get(work, 'versions', workspace.draftId);
  const files = await artifactsOf(work, draft._id);
  const awaitsJobs = await jobsAwaitedBy(work, draft, files);

  await writableDraft(work, { document, workspace });
  const n = document.lastVersion + 1;
  const version: VersionRecord = {
    _id: work.newId('ver'),
    documentId: document._id,
    workspaceId: workspace._id,
    type: 'version',
    n,
    name: input.name == null ? `V${n}` : checkedName(input.name),
    comment: checkedComment(input.comment),
    basedOnVersionId: draft.basedOnVersionId,
    parents: draft.parents,
    releasedAs: null,
    contentHash: contentHash(files),
    awaitsJobs,
    createdAt: work.now,
    createdBy: work.actor.id,
    updatedAt: work.now,
    lock: 0,
  };

  await insert(work, 'versions', version);
  await insertCopies(work, files, { versionId: version._id, documentId: document._id });
  await change(work, 'versions', draft._id, { basedOnVersionId: version._id, parents: [version._id], updatedAt: work.now });
  await change(work, 'workspaces', workspace._id, { newestVersionId: version._id });
  await change(work, 'documents', document._id, { lastVersion: n, updatedAt: work.now, updatedBy: work.actor.id });
  work.audit({
    action: 'version.created',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: version._id,
    summary: `Version ${n} of ${document.number} was made in workspace "${workspace.name}" with ${files.length} files.`,
    changes: {
      n: { from: null, to: n },
      name: { from: null, to: version.name },
      comment: { from: null, to: version.comment },
      basedOnVersionId: { from: null, to: version.basedOnVersionId },
      contentHash: { from: null, to: version.contentHash },
    },
  });
  return version;
}
