import { refuse } from '../../core/domain/errors.ts';
import { environmentsServed, environmentWords } from '../../core/domain/jobs/job-environment.ts';
import { validateName } from '../../core/domain/text/text.ts';
import type { Context } from '../../core/graphql.ts';
import type { JobRecord, JobType } from '../../core/store/schema/collections.ts';
import { inTransaction } from '../../core/work.ts';
import type { ClaimDispatcher } from './claim-dispatcher.ts';
import { giveBackJob } from './give-back-job.ts';

type Input = { workerId: string; types?: JobType[] | null; environment?: unknown; waitSeconds?: number | null };
export type ClaimedJob = { job: JobRecord; leaseSeconds: number; heartbeatSeconds: number };

const ALL_TYPES: JobType[] = ['convert', 'assemble', 'export', 'run'];
const MAX_WAIT_SECONDS = 50;
// A waiting claim looks by itself that often: for jobs that another process queued, and for those that wait out a pause.
const POLL_MS = 250;

/**
 * Hands the oldest fitting job to exactly one worker; waits for one up to `waitSeconds` (at most 50) and answers null when none came or the service stops. Without
 * `types` every type fits, without `environment` whatever a job requires. A client that has gone gets nothing: a job that was taken for it in that moment goes back unharmed.
 */
export async function claimJob(
  { services, request }: Context,
  desk: ClaimDispatcher,
  input: Input,
): Promise<ClaimedJob | null> {
  const workerId = validateName(input.workerId, 'workerId');
  const types = requireTypes(input.types);
  const environments = input.environment == null ? null : environmentsServed(environmentWords(input.environment));
  const wish = { types, environments };
  const end = performance.now() + requireWaitSeconds(input.waitSeconds) * 1000;

  for (let hurry = true, hasWaited = false; ; hasWaited = true) {
    // Listens before it looks, so that a job queued in between is heard.
    const bell = new AbortController();
    const pause = pauseBefore(end);
    const heard = pause > 0 && services.dispatch.waitFor(types, pause, AbortSignal.any([request.signal, bell.signal]));
    try {
      const job = request.signal.aborted
        ? null
        : await desk.take(wish, { services, request, workerId, isNotified: hurry, hasWaited });
      if (job && !request.signal.aborted) return toClaimedJob(job, services.limits.leaseSeconds);
      if (job) await inTransaction(services, request, giveBackJob, { id: job._id, attempt: job.attempt });
      if (request.signal.aborted || services.dispatch.closed.aborted || performance.now() >= end) return null;
      hurry = await heard;
    } finally {
      bell.abort('served'); // a reason of its own is made each time, and costly
    }
  }
}

// Whoever offers none may have meant every one or none at all: one that gets a job it cannot do ends it.
function requireTypes(asked: readonly JobType[] | null | undefined): JobType[] {
  if (!asked) return ALL_TYPES;
  if (!asked.length)
    refuse('validation_failed', 'types must name at least one type; without it every type fits.', {
      errors: [{ path: '/types', message: 'must name at least one type, or be left out' }],
    });
  return ALL_TYPES.filter((type) => asked.includes(type));
}

function toClaimedJob(job: JobRecord, leaseSeconds: number): ClaimedJob {
  return { job, leaseSeconds, heartbeatSeconds: Math.max(1, Math.floor(leaseSeconds / 3)) };
}

function requireWaitSeconds(seconds: number | null | undefined): number {
  const wait = seconds ?? 0;
  if (wait < 0 || wait > MAX_WAIT_SECONDS)
    refuse('validation_failed', `waitSeconds must be from 0 to ${MAX_WAIT_SECONDS}.`, {
      errors: [{ path: '/waitSeconds', message: `must be from 0 to ${MAX_WAIT_SECONDS}` }],
    });
  return wait;
}

// Up to a fifth more or less, so that many waiting claims do not look at the same moment.
function pauseBefore(end: number): number {
  return Math.max(0, Math.min(end - performance.now(), POLL_MS * (0.8 + Math.random() * 0.4)));
}
