// Claims a waiting job for a worker.
import { refuse } from '../../core/domain/errors.ts';
import { parseEnvironment, servedEnvironmentKeys } from '../../core/domain/jobs/job-environment.ts';
import { validateName } from '../../core/domain/text/text.ts';
import type { Context } from '../../core/graphql.ts';
import type { ClaimFilter } from '../../core/store/jobs/job-queue.ts';
import type { JobRecord, JobType } from '../../core/store/schema/collections.ts';
import { inTransaction } from '../../core/work.ts';
import type { ClaimDispatcher } from './claim-dispatcher.ts';
import { giveBackJob } from './give-back-job.ts';

type Input = {
  workerId: string;
  types?: JobType[] | null;
  environment?: unknown;
  light?: boolean | null;
  waitSeconds?: number | null;
  leaseSeconds?: number | null;
};
export type ClaimedJob = { job: JobRecord; leaseSeconds: number; heartbeatSeconds: number };

const ALL_TYPES: JobType[] = ['convert', 'assemble', 'export', 'run'];
const MAX_WAIT_SECONDS = 50;
const MIN_LEASE_SECONDS = 3;
// How often a waiting claim queries for jobs of other processes and jobs whose pause has ended.
const POLL_MS = 250;
// The same while no job waits.
const IDLE_POLL_MS = 2_000;

/**
 * Assigns the oldest matching job to one worker. If there is none, waits up to `waitSeconds` (at most 50) for one and
 * returns null on timeout or when the service stops. Without `types` or `environment`, any job matches; with `light`, only
 * conversions of small files. If the client
 * disconnects during the claim, the job returns to its position in the queue.
 */
export async function claimJob(
  { services, request }: Context,
  dispatcher: ClaimDispatcher,
  input: Input,
): Promise<ClaimedJob | null> {
  const workerId = validateName(input.workerId, 'workerId');
  const types = requireTypes(input.types);
  const environments = input.environment == null ? null : servedEnvironmentKeys(parseEnvironment(input.environment));
  const filter = claimFilter(types, environments, input.light ?? false);
  const leaseSeconds = requireLeaseSeconds(input.leaseSeconds, services.limits.leaseSeconds);
  const deadline = performance.now() + requireWaitSeconds(input.waitSeconds) * 1000;

  for (let wasNotified = false, hasWaited = false; ; hasWaited = true) {
    // Subscribes before the query, so that a job queued in between is not missed.
    const unsubscribe = new AbortController();
    const pauseMs = pauseBefore(deadline, dispatcher.isIdle() ? IDLE_POLL_MS : POLL_MS);
    const signal = AbortSignal.any([request.signal, unsubscribe.signal]);
    const notified = pauseMs > 0 && services.dispatch.waitFor(types, pauseMs, signal);
    try {
      const job = request.signal.aborted
        ? null
        : await dispatcher.take(filter, {
            services,
            request,
            workerId,
            leaseSeconds,
            wasNotified: wasNotified,
            hasWaited,
          });
      if (job && !request.signal.aborted) return toClaimedJob(job, leaseSeconds);
      if (job) await inTransaction(services, request, giveBackJob, { id: job._id, attempt: job.attempt });
      if (request.signal.aborted || services.dispatch.closed.aborted || performance.now() >= deadline) return null;
      wasNotified = await notified;
    } finally {
      unsubscribe.abort('served'); // without a reason, abort() creates an error each time, which is slow
    }
  }
}

function claimFilter(types: JobType[], environments: string[] | null, light: boolean): ClaimFilter {
  if (!light) return { types, environments, light };
  if (environments) return { types, environments, light };
  return refuse('validation_failed', 'A claim of light jobs needs environment. {} accepts jobs without requirements.', {
    errors: [{ path: '/environment', message: 'is required with light' }],
  });
}

// An empty list is ambiguous: it could mean every type or none.
function requireTypes(requested: readonly JobType[] | null | undefined): JobType[] {
  if (!requested) return ALL_TYPES;
  if (!requested.length)
    refuse('validation_failed', 'types must contain at least one type. Omit it to accept every type.', {
      errors: [{ path: '/types', message: 'must contain at least one type, or be omitted' }],
    });
  return ALL_TYPES.filter((type) => requested.includes(type));
}

function toClaimedJob(job: JobRecord, leaseSeconds: number): ClaimedJob {
  return { job, leaseSeconds, heartbeatSeconds: Math.max(1, Math.floor(leaseSeconds / 3)) };
}

// A worker may request a shorter lease than the service's, so that another gets the job sooner if it disappears.
function requireLeaseSeconds(requested: number | null | undefined, maximum: number): number {
  if (requested != null && requested < MIN_LEASE_SECONDS)
    refuse('validation_failed', `leaseSeconds must be at least ${MIN_LEASE_SECONDS}.`, {
      errors: [{ path: '/leaseSeconds', message: `must be at least ${MIN_LEASE_SECONDS}` }],
    });
  return Math.min(requested ?? maximum, maximum);
}

function requireWaitSeconds(seconds: number | null | undefined): number {
  const waitSeconds = seconds ?? 0;
  if (waitSeconds < 0 || waitSeconds > MAX_WAIT_SECONDS)
    refuse('validation_failed', `waitSeconds must be from 0 to ${MAX_WAIT_SECONDS}.`, {
      errors: [{ path: '/waitSeconds', message: `must be from 0 to ${MAX_WAIT_SECONDS}` }],
    });
  return waitSeconds;
}

// Randomized by a fifth, so that waiting claims do not query at the same time.
function pauseBefore(deadline: number, pollMs: number): number {
  return Math.max(0, Math.min(deadline - performance.now(), pollMs * (0.8 + Math.random() * 0.4)));
}
