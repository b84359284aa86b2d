// What drafts held before other content took its place. The record of the change names it, and its files stay as long as it does.
import { notFound } from '../domain/errors.ts';
import { insert, lock } from './query/records.ts';
import type { Write } from './query/write.ts';
import type { ArtifactRecord, DraftBackupRecord, VersionRecord } from './schema/collections.ts';

const DAYS = 30;

/** Keeps what a draft held for 30 days, under the id of the audit record of the change that replaces it. */
export function keepDraft(
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
    code: draft.code ?? null,
    awaitsJobs: draft.awaitsJobs,
    bomDigest: draft.bomDigest ?? null,
    createdAt: work.now,
    expiresAt: keptUntil(work.now),
    lock: 0,
  });
}

/** Until when the content that is replaced now is kept. */
function keptUntil(now: Date): Date {
  return new Date(now.getTime() + DAYS * 86_400_000);
}

/** What the draft of a workspace held before that change, locked so that it and its files stay until the commit. Refuses with `not_found`. */
export async function lockKeptDraft(work: Write, workspaceId: string, auditId: string): Promise<DraftBackupRecord> {
  const kept = await lock(work, 'draftBackups', auditId);
  if (kept.workspaceId !== workspaceId || kept.expiresAt <= work.now) throw notFound('kept draft content', auditId);
  return kept;
}
