import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ServiceRefusal } from './faults.ts';
import { startHeart } from './heartbeat.ts';
import { http } from './http.ts';
import type { Job } from './job.ts';
import { routes } from './routes.ts';
import { anyEnded, waited } from './waited.ts';
import { type Handler, type Working, workOnJob } from './work-on-job.ts';

export type WorkerOptions = {
  /** The service, e.g. http://127.0.0.1:8080 (with or without /api/v1). */
  baseUrl: string;
  /** A token of the role worker. */
  token: string;
  /** Which jobs it takes; left out, any. */
  types?: readonly Job['type'][];
  /** What it has, e.g. { engine: 'occt' }: it gets the jobs whose requirements are among these; left out, those that require nothing. */
  environment?: Record<string, string> | readonly string[];
  /** How many jobs it works on at once, usually 1. */
  concurrency?: number;
  /** What its results say they were made by, e.g. mesh-baker/2.1. */
  generator?: string;
  /** Does one job: returns when its results are uploaded, throws when it cannot be done. */
  handler: Handler;
  /** Stops the worker, as SIGTERM and SIGINT do. */
  signal?: AbortSignal;
  /** How long running jobs may go on when it is stopped, usually 10 s; then they are given back. */
  graceSeconds?: number;
  /** Hears what happens, a line at a time; usually it goes to standard error. */
  log?(line: string): void;
};

const WAIT_SECONDS = 30;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;
// An answer of nothing that comes sooner is not a wait: the service is draining.
const SHORTEST_WAIT = 1_000;
// After a job was told to stop: five seconds for its handler, and the time to give it back.
const LAST_SECONDS = 9;

/**
 * Claims jobs and has them done until it is stopped; resolves when every job is finished or given back. A handler is never cut off from its
 * leases: heartbeats come from a thread of their own. Rejects when the service refuses this worker altogether (a wrong token, a type it does not know).
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
    throw new RangeError(`concurrency must be a whole number from 1, not ${concurrency}`);
  // A random part: a worker that starts again must not be taken for the one that disappeared.
  const workerId = `${hostname().slice(0, 60)}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const service = routes(http({ baseUrl, token }), workerId);
  const heart = startHeart({ baseUrl, token, workerId });
  const stopping = stopSignal(options.signal);
  const abandoned = new AbortController();
  const running = new Set<Working>();
  // The next job is claimed while the service is told how the last one ended.
  const busy = new Set<Working>();

  const start = (job: Job) => {
    const working = workOnJob(job, { service, heart, handler, generator, log, abandoned: abandoned.signal });
    running.add(working);
    busy.add(working);
    void working.free.then(() => busy.delete(working));
    void working.ended.then(() => running.delete(working));
  };

  try {
    log(`worker ${workerId} takes ${types?.join(', ') ?? 'any'} jobs from ${baseUrl}`);
    await claiming();
  } finally {
    const all = Promise.all(endsOf(running));
    await within(all, graceSeconds);
    for (const working of running) working.stop();
    await within(all, LAST_SECONDS);
    abandoned.abort();
    await all;
    await heart.close();
    stopping.forget();
  }

  async function claiming(): Promise<void> {
    const { signal } = stopping;
    for (let pause = FIRST_PAUSE; !signal.aborted; ) {
      if (busy.size >= concurrency || running.size >= 2 * concurrency) {
        await anyEnded(busy.size >= concurrency ? [...busy].map(({ free }) => free) : endsOf(running), signal);
        continue;
      }
      const asked = performance.now();
      try {
        const job = await service.claim({ types, environment, waitSeconds: WAIT_SECONDS }, signal);
        pause = FIRST_PAUSE;
        if (job) start(job);
        else if (performance.now() - asked < SHORTEST_WAIT) await waited(SHORTEST_WAIT, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ServiceRefusal && error.status < 500 && error.status !== 429) throw error;
        log(`no job could be claimed, trying on: ${error instanceof Error ? error.message : error}`);
        await waited(pause * (0.8 + Math.random() * 0.4), signal);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  }
}

function endsOf(running: Iterable<Working>): Promise<void>[] {
  return [...running].map(({ ended }) => ended);
}

/** Resolves when that is done or the time is over; leaves no timer behind, which would keep the process. */
async function within(done: Promise<unknown>, seconds: number): Promise<void> {
  const early = new AbortController();
  await Promise.race([done, waited(seconds * 1000, early.signal)]);
  early.abort();
}

/** Aborts at SIGTERM, SIGINT, or when the given signal does; a second SIGINT ends the process as usual. */
function stopSignal(given?: AbortSignal): { signal: AbortSignal; forget(): void } {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  given?.addEventListener('abort', stop);
  if (given?.aborted) stop();
  return {
    signal: stopping.signal,
    forget: () => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      given?.removeEventListener('abort', stop);
    },
  };
}
