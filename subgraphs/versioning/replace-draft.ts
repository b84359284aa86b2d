import { type DraftContent, replaceDraftContent } from '../core/commands/draft-content.ts';
import type { Deed } from '../core/domain/audit/audit-event.ts';
import { contentChanges } from '../core/domain/versions/take-over.ts';
import { touchDocument } from '../core/store/documents.ts';
import { keepDraft } from '../core/store/draft-backups.ts';
import { artifactsOf } from '../core/store/files/artifacts.ts';
import { lock } from '../core/store/query/records.ts';
import type {
  ArtifactRecord,
  DocumentRecord,
  VersionRecord,
  WorkspaceRecord,
} from '../core/store/schema/collections.ts';
import { jobsAwaitedBy } from '../core/store/versions.ts';
import { lockWorkspace } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';
import type { DraftChange } from './sources.ts';

/** A workspace whose draft is about to receive other content: all locked, with the files that are there. */
export type DraftInPlace = {
  document: DocumentRecord;
  workspace: WorkspaceRecord;
  draft: VersionRecord;
  files: ArtifactRecord[];
};

export async function lockDraft(work: Work, workspaceId: string): Promise<DraftInPlace> {
  const { document, workspace } = await lockWorkspace(work, workspaceId);
  const draft = await lock(work, 'versions', workspace.draftId);
  return { document, workspace, draft, files: await artifactsOf(work, draft._id) };
}

/** What a draft gets that is set to a version: its files with whatever was made of them, and these parents. */
export async function contentOf(work: Work, version: VersionRecord, parents: string[]): Promise<DraftContent> {
  const files = await artifactsOf(work, version._id);
  return {
    files,
    bomDigest: version.bomDigest ?? null,
    code: version.code ?? null,
    awaitsJobs: await jobsAwaitedBy(work, version, files),
    parents,
  };
}

/** Puts other content into a draft and keeps what was there, under the id of the audit record of this change. */
export async function replaceDraft(
  work: Work,
  { document, workspace, draft, files }: DraftInPlace,
  content: DraftContent,
  deed: Deed,
): Promise<DraftChange> {
  const { draft: changed, jobId } = await replaceDraftContent(work, draft, content);
  await touchDocument(work, document._id);
  const auditId = work.audit({
    ...deed,
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: draft._id,
    jobId,
    changes: { ...contentChanges(files, content.files), parents: { from: draft.parents, to: content.parents } },
  });
  const { expiresAt } = await keepDraft(work, auditId, draft, files);
  return { draft: changed, auditId, undoExpiresAt: expiresAt };
}
