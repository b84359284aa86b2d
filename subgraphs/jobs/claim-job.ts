import { refuse } from '../core/domain/errors.ts';
import { environmentsServed, environmentWords } from '../core/domain/job-environment.ts';
import { holderOf } from '../core/domain/job-fence.ts';
import { claim } from '../core/domain/job-lifecycle.ts';
import { checkedName } from '../core/domain/text.ts';
import type { Context } from '../core/graphql.ts';
import type { JobRecord, JobType } from '../core/store/collections.ts';
import type { Wanted } from '../core/store/job-queue.ts';
import { changeJob } from '../core/store/jobs.ts';
import { find } from '../core/store/records.ts';
import { endedMeanwhile } from '../core/store/tokens.ts';
import { inTransaction, type Work } from '../core/work.ts';
import type { ClaimDesk } from './claim-desk.ts';
import { giveBackJob } from './give-back-job.ts';
import { recordTransition, theJob } from './record-transition.ts';

type Input = { workerId: string; types?: JobType[] | null; environment?: unknown; waitSeconds?: number | null };
export type ClaimedJob = { job: JobRecord; leaseSeconds: number; heartbeatSeconds: number };

const TYPES: JobType[] = ['convert', 'assemble', 'export', 'run'];
const LONGEST_WAIT = 50;
// A waiting claim looks by itself that often: for jobs that another process queued, and for those that wait out a pause.
const POLL_MILLISECONDS = 250;

/**
 * Hands the oldest fitting job to exactly one worker; waits for one up to `waitSeconds` (at most 50) and answers null when none came or the service stops. Without
 * `types` every type fits, without `environment` whatever a job requires. A client that has gone gets nothing: a job that was taken for it in that moment goes back unharmed.
 */
export async function claimJob({ services, request }: Context, desk: ClaimDesk, input: Input): Promise<ClaimedJob | null> {
  const workerId = checkedName(input.workerId, 'workerId');
  const types = input.types?.length ? TYPES.filter((type) => input.types?.includes(type)) : TYPES;
  const environments = input.environment == null ? null : environmentsServed(environmentWords(input.environment));
  const wish = { types, environments };
  const end = performance.now() + waitOf(input.waitSeconds) * 1000;

  for (;;) {
    // Listens before it looks, so that a job queued in between is heard.
    const bell = new AbortController();
    const heard = services.dispatch.heard(types, pauseUntil(end), AbortSignal.any([request.signal, bell.signal]));
    try {
      const job = request.signal.aborted ? null : await takeOldest({ services, request }, desk, wish, workerId);
      if (job && !request.signal.aborted) return claimed(job, services.limits.leaseSeconds);
      if (job) await inTransaction(services, request, giveBackJob, { id: job._id, attempt: job.attempt });
      if (request.signal.aborted || services.dispatch.closed.aborted || performance.now() >= end) return null;
      await heard;
    } finally {
      bell.abort();
    }
  }
}

async function takeOldest({ services, request }: Pick<Context, 'services' | 'request'>, desk: ClaimDesk, wish: Wanted, workerId: string) {
  for (;;) {
    const id = await desk.next(wish);
    if (!id) return null;
    try {
      const job = await inTransaction(services, request, takeJob, { id, workerId });
      if (job) return job;
    } finally {
      desk.release(id);
    }
  }
}

/** Takes one waiting job; null when somebody else was faster. */
async function takeJob(work: Work, { id, workerId }: { id: string; workerId: string }): Promise<JobRecord | null> {
  const job = await find(work, 'jobs', id);

  if (job?.status !== 'waiting' || job.availableAt > work.now) {
    work.unchanged();
    return null;
  }
  if (await endedMeanwhile(work, work.actor, work.now)) refuse('unauthenticated', 'The token was revoked while this claim waited.');
  const by = { tokenId: holderOf(work.actor).tokenId, workerId };
  const change = claim(job, by, work.now, work.services.limits.leaseSeconds);

  const running = await changeJob(work, job, change, { now: work.now });
  recordTransition(work, job, running, { action: 'job.claimed', summary: `${theJob(job)} was handed to a worker (attempt ${running.attempt}).` });
  return running;
}

function claimed(job: JobRecord, leaseSeconds: number): ClaimedJob {
  return { job, leaseSeconds, heartbeatSeconds: Math.max(1, Math.floor(leaseSeconds / 3)) };
}

function waitOf(seconds: number | null | undefined): number {
  const wait = seconds ?? 0;
  if (wait < 0 || wait > LONGEST_WAIT)
    refuse('validation_failed', `waitSeconds must be from 0 to ${LONGEST_WAIT}.`, {
      errors: [{ path: '/waitSeconds', message: `must be from 0 to ${LONGEST_WAIT}` }],
    });
  return wait;
}

// Up to a fifth more or less, so that many waiting claims do not look at the same moment.
function pauseUntil(end: number): number {
  return Math.max(0, Math.min(end - performance.now(), POLL_MILLISECONDS * (0.8 + Math.random() * 0.4)));
}
