import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ApiError } from './errors.ts';
import { createHttpClient } from './http.ts';
import type { Job } from './job.ts';
import { startLeaseManager } from './lease-manager.ts';
import { type Handler, type RunningJob, runJob } from './run-job.ts';
import { sleep, waitForAny } from './sleep.ts';
import { createWorkerApi } from './worker-api.ts';

export type WorkerOptions = {
  /** The address of the service, for example http://127.0.0.1:8080 (with or without /api/v1). */
  baseUrl: string;
  /** A token with the role worker. */
  token: string;
  /** The job types to claim. Default: all. */
  types?: readonly Job['type'][];
  /**
   * The environment that this worker offers, for example { engine: 'occt' }: it receives only jobs whose requirements
   * the environment covers. Default: only jobs without requirements.
   */
  environment?: Record<string, string> | readonly string[];
  /** How many jobs run concurrently. Default: 1. */
  concurrency?: number;
  /** The generator recorded with each result, for example mesh-baker/2.1. */
  generator?: string;
  /** Runs one job: uploads its results and returns, or throws if the job cannot be done. */
  handler: Handler;
  /** Stops the worker, like SIGTERM and SIGINT. */
  signal?: AbortSignal;
  /** How long running jobs may continue after a stop before they are given back. Default: 10 s. */
  graceSeconds?: number;
  /** Receives log messages, one line each. Default: standard error. */
  log?(line: string): void;
};

const WAIT_SECONDS = 30;
const MIN_BACKOFF_MILLISECONDS = 200;
const MAX_BACKOFF_MILLISECONDS = 5_000;
// A service that is draining returns no job before the wait has passed; do not poll it faster than this.
const MIN_CLAIM_MILLISECONDS = 1_000;
// After a stop: five seconds for the handler to return, plus the time to give the job back.
const STOP_SECONDS = 9;

/**
 * Claims and runs jobs until it is stopped; resolves when every job is finished or given back. Heartbeats are sent from
 * a separate thread, so a handler may block the event loop. Rejects with an ApiError if the service rejects the claim
 * (an invalid token, an unknown job type).
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const {
    baseUrl,
    token,
    types,
    environment = {},
    concurrency = 1,
    generator = 'pdm-worker',
    graceSeconds = 10,
    handler,
  } = options;
  const log = options.log ?? ((line: string) => console.error(line));
  if (!(Number.isInteger(concurrency) && concurrency >= 1))
    throw new RangeError(`concurrency must be an integer of at least 1, not ${concurrency}`);
  // The random part distinguishes a restarted worker from the one that disappeared.
  const workerId = `${hostname().slice(0, 60)}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const api = createWorkerApi(createHttpClient({ baseUrl, token }), workerId);
  const leases = startLeaseManager({ baseUrl, token, workerId });
  const stopping = stopSignal(options.signal);
  const abandoned = new AbortController();
  const running = new Set<RunningJob>();
  // Jobs whose handler has not returned: the next job is claimed while the outcome of the last one is still being
  // reported.
  const handling = new Set<RunningJob>();

  const start = (job: Job) => {
    const entry = runJob(job, { api, leases, handler, generator, log, abandoned: abandoned.signal });
    running.add(entry);
    handling.add(entry);
    void entry.handled.then(() => handling.delete(entry));
    void entry.ended.then(() => running.delete(entry));
  };

  try {
    log(`worker ${workerId} claims ${types?.join(', ') ?? 'all'} jobs from ${baseUrl}`);
    await claimJobs();
  } finally {
    const allEnded = Promise.all(endsOf(running));
    await withTimeout(allEnded, graceSeconds);
    for (const entry of running) entry.stop();
    await withTimeout(allEnded, STOP_SECONDS);
    abandoned.abort();
    await allEnded;
    await leases.close();
    stopping.removeListeners();
  }

  async function claimJobs(): Promise<void> {
    const { signal } = stopping;
    for (let backoff = MIN_BACKOFF_MILLISECONDS; !signal.aborted; ) {
      if (handling.size >= concurrency || running.size >= 2 * concurrency) {
        const isBusy = handling.size >= concurrency;
        await waitForAny(isBusy ? [...handling].map(({ handled }) => handled) : endsOf(running), signal);
        continue;
      }
      const requestedAt = performance.now();
      try {
        const job = await api.claim({ types, environment, waitSeconds: WAIT_SECONDS }, signal);
        backoff = MIN_BACKOFF_MILLISECONDS;
        if (job) start(job);
        else if (performance.now() - requestedAt < MIN_CLAIM_MILLISECONDS) await sleep(MIN_CLAIM_MILLISECONDS, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
        log(`could not claim a job, will retry: ${error instanceof Error ? error.message : error}`);
        await sleep(backoff * (0.8 + Math.random() * 0.4), signal);
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MILLISECONDS);
      }
    }
  }
}

function endsOf(running: Iterable<RunningJob>): Promise<void>[] {
  return [...running].map(({ ended }) => ended);
}

/**
 * Resolves when the promise is fulfilled or the time has passed. Leaves no timer behind, which would keep the process
 * alive.
 */
async function withTimeout(promise: Promise<unknown>, seconds: number): Promise<void> {
  const settled = new AbortController();
  await Promise.race([promise, sleep(seconds * 1000, settled.signal)]);
  settled.abort();
}

/** Returns a signal that aborts on SIGTERM, SIGINT or the given signal. A second SIGINT ends the process as usual. */
function stopSignal(parent?: AbortSignal): { signal: AbortSignal; removeListeners(): void } {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  parent?.addEventListener('abort', stop);
  if (parent?.aborted) stop();
  return {
    signal: stopping.signal,
    removeListeners: () => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      parent?.removeEventListener('abort', stop);
    },
  };
}
