// Renews the lease of a job.
import { refuse } from '../../core/domain/errors.ts';
import { holderOf } from '../../core/domain/jobs/job-fence.ts';
import { assertHolder, heartbeat } from '../../core/domain/jobs/job-lifecycle.ts';
import { validateName } from '../../core/domain/text/text.ts';
import type { Context } from '../../core/graphql.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { get } from '../../core/store/query/records.ts';

type Input = {
  id: string;
  attempt?: number | null;
  workerId?: string | null;
  percent?: number | null;
  step?: string | null;
  log?: string[] | null;
};

/**
 * Renews the lease, stores progress and log lines, and returns whether the job should stop. Not audited: a single
 * write, which succeeds only while the worker holds the job (`lease_lost` otherwise).
 */
export async function heartbeatJob(
  { services, scope, request }: Context,
  input: Input,
): Promise<{ leaseExpiresAt: Date; cancelRequested: boolean }> {
  const now = services.clock();
  const job = await get(scope, 'jobs', input.id);

  assertHolder(job, holderOf(request.actor, input));
  const leaseSeconds = job.leaseSeconds ?? services.limits.leaseSeconds;
  const { leaseExpiresAt, startedAt, cancelRequested } = heartbeat(job, now, leaseSeconds);
  const progress = progressOf(input, job.progress);

  const after = await changeJob(scope, job, { leaseExpiresAt, startedAt, progress }, { log: input.log, now });
  return { leaseExpiresAt, cancelRequested: cancelRequested || after.cancelAsked };
}

type Progress = { percent: number; step: string } | null;

function progressOf({ percent: newPercent, step }: Input, last: Progress): Progress {
  if (newPercent == null && !step) return last;
  const percent = newPercent ?? last?.percent ?? 0;
  if (!(percent >= 0 && percent <= 100))
    refuse('validation_failed', 'percent must be from 0 to 100.', {
      errors: [{ path: '/percent', message: 'must be from 0 to 100' }],
    });
  return { percent, step: step ? validateName(step, 'step') : (last?.step ?? '') };
}
