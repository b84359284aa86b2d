import { ApiError, isLeaseLost, isStaleInput, isTransient, RetryableError, UnrecoverableError } from './errors.ts';
import { withRetry } from './http.ts';
import type { Job } from './job.ts';
import { createJobContext, type JobContext } from './job-context.ts';
import type { Lease, LeaseManager } from './lease-manager.ts';
import { sleep } from './sleep.ts';
import type { Failure, WorkerApi } from './worker-api.ts';

export type Handler = (job: Job, ctx: JobContext) => Promise<void> | void;
type Options = {
  api: WorkerApi;
  leases: LeaseManager;
  handler: Handler;
  generator: string;
  log(line: string): void;
  /** Aborts when the worker no longer waits for handlers. */
  abandoned: AbortSignal;
};

/**
 * A running job: `handled` resolves when the handler has returned, `ended` once the outcome is also reported. Neither
 * rejects.
 */
export type RunningJob = { job: Job; stop(): void; handled: Promise<void>; ended: Promise<void> };

// How long to wait for a handler after its signal has aborted, before the outcome is reported without it.
const ABORT_GRACE_MILLISECONDS = 5_000;
const GIVE_BACK_SECONDS = 3;

/** Runs the handler for one job, keeps the lease meanwhile, and reports the outcome with retries. */
export function runJob(job: Job, options: Options): RunningJob {
  const lease = options.leases.hold(job);
  const { promise: handled, resolve } = Promise.withResolvers<void>();
  const ended = execute(job, lease, options, resolve).finally(resolve);
  return { job, stop: () => lease.abort('shutdown'), handled, ended };
}

async function execute(
  job: Job,
  lease: Lease,
  { api, handler, generator, log, abandoned }: Options,
  onHandled: () => void,
): Promise<void> {
  const { ctx, cleanUp } = createJobContext(job, lease, api, generator);
  const handling = runHandler(handler, job, ctx, lease);
  void handling.then(onHandled);
  const label = `${job.type} ${job.id}, attempt ${job.attempt}`;
  log(`${label}: started`);
  try {
    const settled = new AbortController();
    const gracePeriod = abortGracePeriod(lease.signal, AbortSignal.any([abandoned, settled.signal]));
    const failure = await Promise.race([handling, gracePeriod]);
    settled.abort();
    const lines = await lease.end();
    log(`${label}: ${await reportOutcome(job, lease, api, failure, lines)}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    log(`${label}: could not report the outcome; the lease will expire: ${reason}`);
  }
  // The slot stays occupied until the handler returns, so that concurrency is never exceeded.
  await Promise.race([handling, aborted(abandoned)]);
  await cleanUp().catch((error: Error) => log(`${label}: could not delete its folder: ${error.message}`));
}

/** Reports the outcome to the service and returns it as text for the log. */
async function reportOutcome(
  job: Job,
  lease: Lease,
  api: WorkerApi,
  handlerFailure: Failure | null,
  lines: string[],
): Promise<string> {
  const reason = lease.reason();
  const seconds = job.leaseSeconds;
  try {
    if (reason === 'lease_lost' || handlerFailure?.code === 'lease_lost') return 'lease lost';
    if (reason === 'shutdown') {
      await withRetry(() => api.giveBack(job), { seconds: GIVE_BACK_SECONDS });
      return 'given back';
    }
    const failure = (reason === 'cancelled' ? CANCELLED : handlerFailure) ?? (await complete(job, api, lines));
    if (!failure) return 'done';
    await withRetry(() => api.fail(job, failure, lines), { seconds });
    return `${failure.code}: ${failure.message}`;
  } catch (error) {
    if (isLeaseLost(error)) return 'lease lost';
    throw error;
  }
}

// If a required result is missing, the job fails immediately. Otherwise it would be retried after its lease expires.
async function complete(job: Job, api: WorkerApi, lines: string[]): Promise<Failure | null> {
  try {
    await withRetry(() => api.complete(job, lines), { seconds: job.leaseSeconds });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'result_missing') throw error;
    return { code: error.code, message: error.message, final: false, retryable: false };
  }
}

const CANCELLED: Failure = { code: 'cancelled', message: 'The job was cancelled.', final: true, retryable: false };

/** Runs the handler; returns null on success, otherwise the failure. */
async function runHandler(handler: Handler, job: Job, ctx: JobContext, lease: Lease): Promise<Failure | null> {
  try {
    await handler(job, ctx);
    return null;
  } catch (error) {
    return failureOf(error, lease);
  }
}

function failureOf(error: unknown, lease: Lease): Failure {
  const message = (error instanceof Error && error.message) || String(error);
  if (error instanceof UnrecoverableError) return { code: error.code, message, final: true, retryable: false };
  if (error instanceof RetryableError) return { code: error.code, message, final: false, retryable: true };
  if (isStaleInput(error)) return { code: 'stale_input', message, final: false, retryable: false };
  if (isLeaseLost(error)) return { code: 'lease_lost', message, final: false, retryable: false };
  if (isTransient(error)) return { code: 'unreachable', message, final: false, retryable: true };
  if (error instanceof ApiError)
    return { code: error.code, message: `the service rejected a request: ${message}`, final: false, retryable: false };
  if (!lease.signal.aborted && error instanceof Error && error.stack) lease.log(error.stack);
  return { code: 'failed', message, final: false, retryable: false };
}

// Resolves when a handler does not return in time after an abort; the lease's abort reason then determines the outcome.
async function abortGracePeriod(signal: AbortSignal, abandoned: AbortSignal): Promise<null> {
  await aborted(signal);
  await sleep(ABORT_GRACE_MILLISECONDS, abandoned);
  return null;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
