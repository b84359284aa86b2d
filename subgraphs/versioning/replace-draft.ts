// Replaces the content of drafts and backs up the previous content.
import { type DraftContent, replaceDraftContent } from '../core/commands/replace-draft-content.ts';
import type { AuditSummary } from '../core/domain/audit/audit-event.ts';
import { contentChanges } from '../core/domain/versions/take-over.ts';
import { touchDocument } from '../core/store/documents.ts';
import { backUpDraft } from '../core/store/draft-backups.ts';
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

/** A locked workspace with its document, draft and the draft's files. */
export type LockedDraft = {
  document: DocumentRecord;
  workspace: WorkspaceRecord;
  draft: VersionRecord;
  files: ArtifactRecord[];
};

export async function lockDraft(work: Work, workspaceId: string): Promise<LockedDraft> {
  const { document, workspace } = await lockWorkspace(work, workspaceId);
  const draft = await lock(work, 'versions', workspace.draftId);
  return { document, workspace, draft, files: await artifactsOf(work, draft._id) };
}

/** Returns the content of a draft or version, including derived files, for a draft with this origin. */
export async function versionContent(
  work: Work,
  version: VersionRecord,
  origin: Pick<DraftContent, 'parents' | 'restoredFromVersionId'>,
): Promise<DraftContent> {
  const files = await artifactsOf(work, version._id);
  return {
    files,
    bomDigest: version.bomDigest ?? null,
    code: version.code ?? null,
    awaitsJobs: await jobsAwaitedBy(work, version, files),
    ...origin,
  };
}

/**
 * Replaces the content of a draft and backs up the previous content under the id of the audit record of this change.
 */
export async function replaceDraft(
  work: Work,
  { document, workspace, draft, files }: LockedDraft,
  content: DraftContent,
  summary: AuditSummary,
): Promise<DraftChange> {
  const { draft: changed, jobId } = await replaceDraftContent(work, draft, content);
  await touchDocument(work, document._id);
  const auditId = work.audit({
    ...summary,
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: draft._id,
    jobId,
    changes: { ...contentChanges(files, content.files), parents: { from: draft.parents, to: content.parents } },
  });
  const { expiresAt } = await backUpDraft(work, auditId, draft, files);
  return { draft: changed, auditId, undoExpiresAt: expiresAt };
}
