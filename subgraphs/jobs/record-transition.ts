// Audits and logs the changes of jobs.
import type { AuditSummary, Changes } from '../core/domain/audit/audit-event.ts';
import { isUnfinished } from '../core/store/jobs/jobs.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';
import { wakeWaitingJobs } from './await-conversions.ts';

/** Audits a change of a job and logs it after the commit. If a conversion ended, wakes the jobs that await it. */
export function recordTransition(work: Work, before: JobRecord, after: JobRecord, entry: AuditSummary): void {
  work.audit({
    ...entry,
    documentId: after.documentId,
    versionId: after.versionId,
    jobId: after._id,
    onBehalfOf: isOnBehalfOfQueuer(work, before, after) ? after.queuedBy : null,
    changes: changesOf(before, after),
  });
  const { _id: jobId, type, status, attempt, workerId, error } = after;
  work.afterCommit(() =>
    work.services.log.info(
      { jobId, type, status, attempt, workerId, code: error?.code, requestId: work.requestId },
      entry.action,
    ),
  );
  if (type === 'convert' && !isUnfinished(after)) work.afterCommit(() => wakeWaitingJobs(work.services, jobId));
}

// The service and the worker act for the user who queued the job; users who cancel or retry it act for themselves.
function isOnBehalfOfQueuer({ actor }: Work, before: JobRecord, after: JobRecord): boolean {
  return (
    actor.role === 'system' ||
    actor.role === 'worker' ||
    (actor.tokenId !== null && actor.tokenId === (before.tokenId ?? after.tokenId))
  );
}

/** Returns the subject of a sentence about a job: "The convert job". */
export function describeJob({ type }: JobRecord): string {
  return `The ${type} job`;
}

function changesOf(before: JobRecord, after: JobRecord): Changes {
  return {
    attempt: { from: before.attempt, to: after.attempt },
    error: { from: before.error, to: after.error },
    status: { from: before.status, to: after.status },
    workerId: { from: before.workerId, to: after.workerId },
  };
}
