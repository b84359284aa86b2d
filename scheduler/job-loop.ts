import type { Permit, Permits } from '../subgraphs/core/platform/dispatch.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { ApiError } from '../worker-sdk/errors.ts';
import type { Job } from '../worker-sdk/job.ts';
import { sleep, waitForAny } from '../worker-sdk/sleep.ts';
import type { Engine } from './engines/engine.ts';
import { SUPPORTED_TYPES } from './fetch-inputs.ts';
import { type Outcome, type RunningJob, runJob } from './run-job.ts';
import type { WorkerApi } from './worker-api.ts';

/** Receives the events of the loop, for metrics. */
export type JobLoopListener = {
  onClaim(result: 'job' | 'none' | 'error', job?: Job): void;
  onEnd(job: Job, outcome: Outcome, seconds: number): void;
  onPermits(result: 'acknowledged' | 'returned', count: number): void;
};
export type JobLoop = {
  running(): RunningJob[];
  isDraining(): boolean;
  /** Stops claiming. Running jobs may finish within `graceSeconds`; the rest are given back. */
  stop(graceSeconds: number): Promise<void>;
};

type Options = {
  api: WorkerApi;
  permits: Permits | null;
  engine: Engine;
  workDir: string;
  log: Log;
  on: JobLoopListener;
};

const WAIT_SECONDS = 25;
// Short, so that the jobs of a killed scheduler soon run again. The service suggests a heartbeat every third of it.
const LEASE_SECONDS = 9;
// While NATS is unavailable: shorter, so that the loop returns to NATS soon.
const FALLBACK_WAIT_SECONDS = 5;
// A lost permit delays its job by at most this interval.
const POLL_MILLISECONDS = 3_000;
const MAX_PERMITS = 256;
const MIN_BACKOFF_MILLISECONDS = 200;
const MAX_BACKOFF_MILLISECONDS = 5_000;
const PERMIT_DELAY_AFTER_ERROR = 500;

/**
 * Claims and runs jobs for the free slots of an engine. It claims when a slot becomes free, a permit arrives or three
 * seconds have passed; without permits it long-polls the API. While the API is unavailable it retries every 0.2 to 5 s.
 * While all other slots are busy, it long-polls for light jobs and runs them in the light slots.
 */
export function startJobLoop({ api, permits, engine, workDir, log, on }: Options): JobLoop {
  const stopping = new AbortController();
  const running = new Set<RunningJob>();
  const light = new Set<RunningJob>();
  const lightSlots = engine.lightSlots ?? 0;
  const slots = engine.state().slots.length - lightSlots;
  const freeSlots = () => slots - (running.size - light.size);
  const types = engine.types.filter((type) => SUPPORTED_TYPES.includes(type));
  const request = { types, environment: engine.environment, leaseSeconds: LEASE_SECONDS };

  function start(job: Job): RunningJob {
    const startedAt = performance.now();
    const runningJob = runJob(job, { api, engine, workDir, log });
    running.add(runningJob);
    log.info({ jobId: job.id, type: job.type, attempt: job.attempt }, 'job started');
    void runningJob.outcome.then((outcome) => {
      running.delete(runningJob);
      light.delete(runningJob);
      on.onEnd(job, outcome, (performance.now() - startedAt) / 1000);
    });
    return runningJob;
  }

  // Until the API is known to be reachable, claims do not wait, so that the status shows the connectivity soon.
  function waitSeconds(): number {
    if (permits?.up() || !api.connectivity().reachable) return 0;
    return permits ? FALLBACK_WAIT_SECONDS : WAIT_SECONDS;
  }

  /** Runs one light job, unless another slot or the loop ends first. */
  async function runLightJob(): Promise<void> {
    const others = [...running].filter((runningJob) => !light.has(runningJob));
    const ended = new AbortController();
    const over = waitForAny(outcomesOf(others), stopping.signal).then(() => ended.abort());
    if (light.size === lightSlots) return waitForAny([over, ...outcomesOf(light)], stopping.signal);
    const waitSeconds = api.connectivity().reachable ? WAIT_SECONDS : 0;
    try {
      const job = await api.claim({ ...request, light: true, waitSeconds }, ended.signal);
      on.onClaim(job ? 'job' : 'none', job ?? undefined);
      if (job) light.add(start(job));
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    }
  }

  /** Claims jobs until all slots are busy; returns true if the queue was empty before that. */
  async function fillSlots(waitSeconds: number): Promise<boolean> {
    while (freeSlots() > 0 && !stopping.signal.aborted) {
      const job = await api.claim({ ...request, waitSeconds }, stopping.signal);
      on.onClaim(job ? 'job' : 'none', job ?? undefined);
      if (!job) return true;
      start(job);
    }
    return false;
  }

  const claiming = (async () => {
    let pendingPermits: Permit[] = [];
    // If a job is claimed by polling, its permit stays in NATS. While the queue is empty, such permits are consumed in
    // batches that double in size.
    let batchFactor = 1;
    for (let backoff = MIN_BACKOFF_MILLISECONDS; !stopping.signal.aborted; ) {
      const free = freeSlots();
      try {
        if (free <= 0) {
          await runLightJob();
          backoff = MIN_BACKOFF_MILLISECONDS;
          continue;
        }
        const queueEmpty = await fillSlots(waitSeconds());
        backoff = MIN_BACKOFF_MILLISECONDS;
        const used = queueEmpty ? pendingPermits.length : free;
        batchFactor = queueEmpty && pendingPermits.length ? Math.min(batchFactor * 2, MAX_PERMITS) : 1;
        settle(pendingPermits.splice(0, used), pendingPermits.splice(0));
        if (queueEmpty && permits?.up()) {
          const milliseconds = POLL_MILLISECONDS * (0.8 + Math.random() * 0.4);
          pendingPermits = await permits.next(types, {
            max: freeSlots() * batchFactor,
            milliseconds,
            signal: stopping.signal,
          });
        }
      } catch (error) {
        settle([], pendingPermits.splice(0), PERMIT_DELAY_AFTER_ERROR);
        if (stopping.signal.aborted) return;
        on.onClaim('error');
        if (backoff === MIN_BACKOFF_MILLISECONDS)
          log.warn(
            { err: error, code: error instanceof ApiError ? error.code : undefined },
            'could not claim a job; will retry',
          );
        await sleep(backoff * (0.8 + Math.random() * 0.4), stopping.signal);
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MILLISECONDS);
      }
    }
    settle([], pendingPermits.splice(0));
  })();

  function settle(done: Permit[], returned: Permit[], delayMilliseconds = 0): void {
    for (const permit of done) permit.done();
    for (const permit of returned) permit.giveBack(delayMilliseconds);
    if (done.length) on.onPermits('acknowledged', done.length);
    if (returned.length) on.onPermits('returned', returned.length);
  }

  return {
    running: () => [...running],
    isDraining: () => stopping.signal.aborted,
    stop: async (graceSeconds) => {
      stopping.abort();
      await claiming;
      const all = Promise.all(outcomesOf(running));
      await Promise.race([all, sleep(graceSeconds * 1000)]);
      for (const { lease } of running) lease.abort('shutdown');
      await all;
    },
  };
}

function outcomesOf(running: Iterable<RunningJob>): Promise<Outcome>[] {
  return [...running].map(({ outcome }) => outcome);
}
