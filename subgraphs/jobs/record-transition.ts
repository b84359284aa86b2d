import type { Changes, Deed } from '../core/domain/audit/audit-event.ts';
import { isUnfinished } from '../core/store/jobs/jobs.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';
import { wakeAwaiting } from './await-conversions.ts';

/** Records what happened to a job: in the audit log with it, and as one log line once it is on disk. Whoever waits for a conversion that ended is woken then. */
export function recordTransition(work: Work, before: JobRecord, after: JobRecord, deed: Deed): void {
  work.audit({
    ...deed,
    documentId: after.documentId,
    versionId: after.versionId,
    jobId: after._id,
    onBehalfOf: isTheWorkers(work, before, after) ? after.queuedBy : null,
    changes: changesOf(before, after),
  });
  const { _id: jobId, type, status, attempt, workerId, error } = after;
  work.afterCommit(() =>
    work.services.log.info(
      { jobId, type, status, attempt, workerId, code: error?.code, requestId: work.requestId },
      deed.action,
    ),
  );
  if (type === 'convert' && !isUnfinished(after)) work.afterCommit(() => wakeAwaiting(work.services, jobId));
}

// What the service or whoever holds the job does to it, is done for the one who queued it; who cancels or retries it acts for himself.
function isTheWorkers({ actor }: Work, before: JobRecord, after: JobRecord): boolean {
  return (
    actor.role === 'system' ||
    actor.role === 'worker' ||
    (actor.tokenId !== null && actor.tokenId === (before.tokenId ?? after.tokenId))
  );
}

/** How a sentence about a job begins: "The convert job". */
export function theJob({ type }: JobRecord): string {
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
