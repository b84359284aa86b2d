// Backups of the content of drafts before it was replaced. The audit record of the change refers to its backup.
import { notFound } from '../domain/errors.ts';
import { insert, lock } from './query/records.ts';
import type { Write } from './query/write.ts';
import type { ArtifactRecord, DraftBackupRecord, VersionRecord } from './schema/collections.ts';

const DAYS = 30;

/** Stores the content of a draft for 30 days under the id of the audit record of the change that replaces it. */
export function backUpDraft(
  work: Write,
  auditId: string,
  draft: VersionRecord,
  artifacts: ArtifactRecord[],
): Promise<DraftBackupRecord> {
  return insert(work, 'draftBackups', {
    _id: auditId,
    documentId: draft.documentId,
    workspaceId: draft.workspaceId,
    draftId: draft._id,
    artifacts,
    basedOnVersionId: draft.basedOnVersionId,
    parents: draft.parents,
    restoredFromVersionId: draft.restoredFromVersionId ?? null,
    code: draft.code ?? null,
    awaitsJobs: draft.awaitsJobs,
    bomDigest: draft.bomDigest ?? null,
    createdAt: work.now,
    expiresAt: backupExpiry(work.now),
    lock: 0,
  });
}

function backupExpiry(now: Date): Date {
  return new Date(now.getTime() + DAYS * 86_400_000);
}

/**
 * Returns the backup of a workspace's draft before that change, locked so that it and its files remain until the
 * commit. Throws `not_found`.
 */
export async function lockDraftBackup(work: Write, workspaceId: string, auditId: string): Promise<DraftBackupRecord> {
  const backup = await lock(work, 'draftBackups', auditId);
  if (backup.workspaceId !== workspaceId || backup.expiresAt <= work.now) throw notFound('draft backup', auditId);
  return backup;
}
